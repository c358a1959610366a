//! A run of several steps: a heading for each, how long it took, and a summary at the end.
//!
//! A failed step does not hide the next one's faults: the run goes on, unless the later steps stand on it.

use std::time::{Duration, Instant};

use anyhow::bail;

/// What has been done so far.
pub(crate) struct Steps {
    began: Instant,
    done: Vec<Done>,
    blocked: bool,
}

struct Done {
    name: &'static str,
    took: Duration,
    outcome: Outcome,
}

enum Outcome {
    Passed(String),
    Failed(String),
    NotRun,
}

impl Steps {
    pub(crate) fn begin() -> Self {
        Self { began: Instant::now(), done: Vec::new(), blocked: false }
    }

    /// Does a step; what it returns is a word about its success, which may be empty.
    pub(crate) fn step(&mut self, name: &'static str, work: impl FnOnce() -> anyhow::Result<String>) {
        if self.blocked {
            self.done.push(Done { name, took: Duration::ZERO, outcome: Outcome::NotRun });
            return;
        }
        println!("\n━━━ {}. {name}", self.done.len() + 1);
        let began = Instant::now();
        let outcome = match work() {
            Ok(word) => Outcome::Passed(word),
            Err(error) => {
                println!("✗ {name}: {error:#}");
                Outcome::Failed(first_line(&format!("{error:#}")))
            }
        };
        let took = began.elapsed();
        if matches!(outcome, Outcome::Passed(_)) {
            println!("✓ {name} ({})", readable(took));
        }
        self.done.push(Done { name, took, outcome });
    }

    /// Does a step without which the later ones make no sense.
    pub(crate) fn foundation(&mut self, name: &'static str, work: impl FnOnce() -> anyhow::Result<String>) {
        self.step(name, work);
        self.blocked |= self.done.last().is_some_and(|done| matches!(done.outcome, Outcome::Failed(_)));
    }

    /// Prints the summary; `last_word` ends its last line, however the run went.
    pub(crate) fn finish(self, last_word: &str) -> anyhow::Result<()> {
        println!("\n━━━ Summary");
        let mut failed = Vec::new();
        for done in &self.done {
            match &done.outcome {
                Outcome::Passed(word) => {
                    println!("✓ {:<28} {:>8}  {word}", done.name, readable(done.took));
                }
                Outcome::Failed(why) => {
                    println!("✗ {:<28} {:>8}  {why}", done.name, readable(done.took));
                    failed.push(done.name);
                }
                Outcome::NotRun => println!("– {:<28} {:>8}", done.name, "not run"),
            }
        }
        let total = readable(self.began.elapsed());
        if !failed.is_empty() {
            let failed = (failed.len(), failed.join(", "));
            bail!("{} of {} steps failed in {total}: {}. {last_word}", failed.0, self.done.len(), failed.1);
        }
        println!("All {} steps passed in {total}. {last_word}", self.done.len());
        Ok(())
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// A duration as people say it.
pub(crate) fn readable(duration: Duration) -> String {
    let seconds = duration.as_secs();
    if seconds >= 60 {
        format!("{}m {:02}s", seconds / 60, seconds % 60)
    } else {
        format!("{:.1}s", duration.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_goes_on_after_a_failed_step_and_fails_at_the_end() {
        let mut steps = Steps::begin();
        let mut second = false;
        steps.step("first", || bail!("broken"));
        steps.step("second", || {
            second = true;
            Ok(String::new())
        });
        assert!(second);
        assert!(steps.finish("").unwrap_err().to_string().starts_with("1 of 2 steps failed"));
    }

    #[test]
    fn nothing_is_built_on_a_broken_foundation() {
        let mut steps = Steps::begin();
        let mut second = false;
        steps.foundation("first", || bail!("broken"));
        steps.step("second", || {
            second = true;
            Ok(String::new())
        });
        assert!(!second);
    }
}
