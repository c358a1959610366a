//! The table of a bench: what was measured, the goal, and whether it was met.

use anyhow::ensure;

/// One line of the table.
struct Line {
    what: &'static str,
    measured: String,
    goal: String,
    met: bool,
}

/// The table while it grows.
#[derive(Default)]
pub(super) struct Report(Vec<Line>);

impl Report {
    /// Adds a measurement; its unit is part of the text.
    pub(super) fn line(&mut self, what: &'static str, measured: String, goal: impl Into<String>, met: bool) {
        println!("  {what}: {measured}");
        self.0.push(Line { what, measured, goal: goal.into(), met });
    }

    /// Prints the table.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        println!("\n| what | measured | goal | verdict |\n|---|---|---|---|");
        for Line { what, measured, goal, met } in &self.0 {
            println!("| {what} | {measured} | {goal} | {} |", if *met { "met" } else { "MISSED" });
        }
        let missed = self.0.iter().filter(|line| !line.met).count();
        ensure!(missed == 0, "{missed} of {} goals were missed", self.0.len());
        Ok(())
    }
}

/// The middle one of some measurements; of an even number, the lower of the two in the middle.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(f64::NAN)
}

/// The value below which this part of them lies.
pub(super) fn quantile(sorted: &[f64], part: f64) -> f64 {
    let at = (sorted.len().saturating_sub(1) as f64 * part).round() as usize;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_not_moved_by_an_outlier() {
        assert!((median(vec![3.0, 1.0, 100.0]) - 3.0).abs() < f64::EPSILON);
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn a_quantile_is_one_of_the_values() {
        let sorted: Vec<f64> = (0..=100).map(f64::from).collect();
        assert_eq!([0.0, 0.5, 0.99, 1.0].map(|part| quantile(&sorted, part)), [0.0, 50.0, 99.0, 100.0]);
        assert!(quantile(&[], 0.5).is_nan());
    }
}
