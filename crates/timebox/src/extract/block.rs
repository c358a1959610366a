//! Lines that matter, with the lines around them, gathered in one pass.

use std::collections::VecDeque;

use super::Excerpt;
use super::ends::Ends;
use super::record::Line;

/// What one line may have in a result, in characters.
const LINE: usize = 400;

/// Takes lines in order and makes blocks of them.
#[derive(Debug)]
pub(super) struct Blocks {
    context: usize,
    block_budget: usize,
    /// The last lines that belong to no block yet, at most `context` of them.
    before: VecDeque<(u64, String)>,
    open: Option<Block>,
    done: Ends<Excerpt>,
}

#[derive(Debug)]
struct Block {
    first_line: u64,
    last_line: u64,
    lines: Ends<String>,
    /// How many lines of context are still to come.
    after: usize,
}

impl Blocks {
    pub(super) fn new(context: usize, budget: usize) -> Self {
        Self {
            context,
            // A quarter each: the first two and the last two whole blocks always fit.
            block_budget: (budget / 4).max(LINE),
            before: VecDeque::new(),
            open: None,
            done: Ends::new(budget),
        }
    }

    pub(super) fn push(&mut self, line: &Line<'_>) {
        if line.trouble.is_some() {
            self.matters(line);
        } else if let Some(block) = self.open.as_mut().filter(|block| block.after > 0) {
            block.after -= 1;
            block.add(line.number, format!("  {}", clipped(line)));
        } else {
            self.wait(line);
        }
    }

    /// Adds a line that matters to the open block. That block has ended less than the context ago, or it would be
    /// closed; so what waits lies between the two, and overlapping or adjacent contexts become one block.
    fn matters(&mut self, line: &Line<'_>) {
        let budget = self.block_budget;
        let block = self.open.get_or_insert_with(|| Block {
            first_line: self.before.front().map_or(line.number, |(number, _)| *number),
            last_line: line.number,
            lines: Ends::new(budget),
            after: 0,
        });
        for (number, text) in self.before.drain(..) {
            block.add(number, format!("  {text}"));
        }
        block.add(line.number, format!("> {}", clipped(line)));
        block.after = self.context;
    }

    /// Keeps a line in case the next ones matter; closes the open block once it is too far away.
    fn wait(&mut self, line: &Line<'_>) {
        if self.before.len() == self.context {
            self.close();
            self.before.pop_front();
        }
        if self.context > 0 {
            self.before.push_back((line.number, clipped(line)));
        }
    }

    fn close(&mut self) {
        if let Some(block) = self.open.take() {
            let excerpt = block.finish();
            let weight = excerpt.text.chars().count();
            self.done.push(excerpt, weight);
        }
    }

    /// The excerpts, how many of them lie before those left out, and how many were left out.
    pub(super) fn finish(mut self) -> (Vec<Excerpt>, usize, usize) {
        self.close();
        let (mut excerpts, left_out, last) = self.done.finish();
        let in_front = excerpts.len();
        excerpts.extend(last);
        (excerpts, in_front, left_out)
    }
}

impl Block {
    fn add(&mut self, number: u64, text: String) {
        self.last_line = number;
        let weight = text.chars().count() + 1;
        self.lines.push(text, weight);
    }

    fn finish(self) -> Excerpt {
        let (mut lines, left_out, last) = self.lines.finish();
        if left_out > 0 {
            lines.push(format!("  … [{left_out} lines]"));
        }
        lines.extend(last);
        Excerpt { first_line: self.first_line, last_line: self.last_line, text: lines.join("\n") }
    }
}

/// The line within its budget, with the place that matters in it.
pub(super) fn clipped(line: &Line<'_>) -> String {
    let from = match line.trouble {
        // Some text before the trouble stays, because it says what the trouble is about.
        Some(at) if line.text[..at].chars().count() > LINE - 100 => {
            line.text[..at].char_indices().rev().nth(100).map_or(at, |(start, _)| start)
        }
        _ => 0,
    };
    let text = base::clip::head(&line.text[from..], LINE);
    if from == 0 {
        text.into_owned()
    } else {
        format!("[{} characters before] …{text}", line.text[..from].chars().count())
    }
}
