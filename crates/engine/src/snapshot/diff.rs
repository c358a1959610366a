//! What changed between two snapshots, in few tokens.
//!
//! An agent that has seen the old one needs the lines that are new, those that say something else now, and which are
//! gone, each with the elements around it. A diff is an edit script: applied to the old lines it gives the new ones.

use base::clip;

use super::anchors::anchors;
use super::line::Line;

/// The way from one snapshot's lines to another's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    edits: Vec<Edit>,
}

/// A step over the old lines, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Edit {
    /// The next old line stays, at this depth.
    Keep { depth: usize },
    /// The next old line is the same thing and says something else.
    Change(Line),
    /// The next old line is gone.
    Remove,
    /// A line that was not there.
    Add(Line),
}

impl Diff {
    /// The changes that lead from `old` to `new`.
    pub fn between(old: &[Line], new: &[Line]) -> Self {
        let mut edits = Vec::with_capacity(new.len());
        let (mut at_old, mut at_new) = (0, 0);
        for (same_old, same_new) in anchors(&Identity::of_all(old), &Identity::of_all(new)) {
            bridge(&old[at_old..same_old], &new[at_new..same_new], &mut edits);
            edits.push(Edit::Keep { depth: new[same_new].depth });
            (at_old, at_new) = (same_old + 1, same_new + 1);
        }
        bridge(&old[at_old..], &new[at_new..], &mut edits);
        Self { edits }
    }

    /// The new lines, made from the old ones.
    pub fn apply(&self, old: &[Line]) -> Vec<Line> {
        let mut rest = old.iter();
        let mut new = Vec::with_capacity(self.edits.len());
        for edit in &self.edits {
            match edit {
                Edit::Keep { depth } => {
                    new.extend(rest.next().map(|line| Line { depth: *depth, ..line.clone() }));
                }
                Edit::Change(line) => {
                    rest.next();
                    new.push(line.clone());
                }
                Edit::Remove => {
                    rest.next();
                }
                Edit::Add(line) => new.push(line.clone()),
            }
        }
        new
    }

    /// How many lines are new, different or gone. Nesting alone is no change that a reader would miss.
    pub fn changes(&self) -> usize {
        self.edits.iter().filter(|edit| !matches!(edit, Edit::Keep { .. })).count()
    }

    /// The changed part as text: `+` is new, `~` says something else now, `-` is gone with all that was in it, and lines
    /// without a mark are the elements around them. Empty when nothing changed.
    pub fn render(&self, old: &[Line]) -> String {
        let mut page = Page { text: String::new(), around: Vec::new(), gone: None };
        let mut rest = old.iter();
        for edit in &self.edits {
            match edit {
                Edit::Keep { depth } => {
                    if let Some(line) = rest.next() {
                        page.pass(line, *depth);
                    }
                }
                Edit::Change(line) => {
                    rest.next();
                    page.mark('~', line);
                }
                Edit::Remove => {
                    if let Some(line) = rest.next() {
                        page.strike(line);
                    }
                }
                Edit::Add(line) => page.mark('+', line),
            }
        }
        page.text
    }
}

/// What makes two lines the same. Depth is no part of it: a wrapper that appears around the page leaves its lines the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Identity<'a> {
    text: &'a str,
    key: &'a str,
    reference: Option<&'a str>,
}

impl<'a> Identity<'a> {
    fn of(line: &'a Line) -> Self {
        Self { text: &line.text, key: &line.key, reference: line.reference.as_deref() }
    }

    fn of_all(lines: &'a [Line]) -> Vec<Self> {
        lines.iter().map(Self::of).collect()
    }
}

/// Lines in a gap are compared pair by pair when there are not too many; beyond, they are gone and new.
const MOST_PAIRS: usize = 40_000;

/// Leads from the old lines of a gap to the new ones, of which none is the same: those that mean the same thing changed.
fn bridge(old: &[Line], new: &[Line], edits: &mut Vec<Edit>) {
    let (mut at_old, mut at_new) = (0, 0);
    for (changed_old, changed_new) in counterparts(old, new) {
        edits.extend((at_old..changed_old).map(|_| Edit::Remove));
        edits.extend(new[at_new..changed_new].iter().cloned().map(Edit::Add));
        edits.push(Edit::Change(new[changed_new].clone()));
        (at_old, at_new) = (changed_old + 1, changed_new + 1);
    }
    edits.extend((at_old..old.len()).map(|_| Edit::Remove));
    edits.extend(new[at_new..].iter().cloned().map(Edit::Add));
}

/// The best pairing in order: by the same key most of all, else by the same role at the same depth.
fn counterparts(old: &[Line], new: &[Line]) -> Vec<(usize, usize)> {
    if old.is_empty() || new.is_empty() || old.len() * new.len() > MOST_PAIRS {
        return Vec::new();
    }
    let width = new.len() + 1;
    let mut best = vec![0u32; (old.len() + 1) * width]; // the best score from here to the ends
    for at_old in (0..old.len()).rev() {
        for at_new in (0..new.len()).rev() {
            let paired = likeness(&old[at_old], &new[at_new]) + best[(at_old + 1) * width + at_new + 1];
            let skipped = best[(at_old + 1) * width + at_new].max(best[at_old * width + at_new + 1]);
            best[at_old * width + at_new] = paired.max(skipped);
        }
    }
    let mut pairs = Vec::new();
    let (mut at_old, mut at_new) = (0, 0);
    while at_old < old.len() && at_new < new.len() {
        let score = best[at_old * width + at_new];
        let likeness = likeness(&old[at_old], &new[at_new]);
        if likeness > 0 && score == likeness + best[(at_old + 1) * width + at_new + 1] {
            pairs.push((at_old, at_new));
            (at_old, at_new) = (at_old + 1, at_new + 1);
        } else if score == best[(at_old + 1) * width + at_new] {
            at_old += 1;
        } else {
            at_new += 1;
        }
    }
    pairs
}

fn likeness(old: &Line, new: &Line) -> u32 {
    if old.key == new.key && old.reference.is_some() {
        4
    } else if old.depth == new.depth && old.role() == new.role() {
        1
    } else {
        0
    }
}

/// The agent has read what is gone: its beginning is enough to know it again.
const LONGEST_GONE: usize = 80;

/// The text of a diff while it is written.
struct Page<'a> {
    text: String,
    /// The elements around the current place, outermost first, and whether they are written already.
    around: Vec<Around<'a>>,
    /// What was told last to be gone: what was in it goes without saying.
    gone: Option<Gone>,
}

struct Gone {
    depth: usize,
    /// Its line says which one it was. When not, the first line in it that does is added.
    told_apart: bool,
}

struct Around<'a> {
    depth: usize,
    text: &'a str,
    written: bool,
}

impl<'a> Page<'a> {
    /// Goes on to a line that stays.
    fn pass(&mut self, line: &'a Line, depth: usize) {
        self.enter(depth);
        self.around.push(Around { depth, text: &line.text, written: false });
    }

    /// Writes a line that is new or different, after the elements around it.
    fn mark(&mut self, mark: char, line: &'a Line) {
        self.enter(line.depth);
        self.write_around(line.depth);
        write_line(&mut self.text, mark, line.depth, &line.text);
        self.around.push(Around { depth: line.depth, text: &line.text, written: true });
    }

    /// Writes a line that is gone, unless what it was in is gone too.
    fn strike(&mut self, line: &Line) {
        if let Some(gone) = self.gone.as_mut().filter(|gone| line.depth > gone.depth) {
            if !gone.told_apart && line.reference.is_some() {
                self.text.push_str(" > ");
                self.text.push_str(&clip::head(&line.text, LONGEST_GONE));
                gone.told_apart = true;
            }
            return;
        }
        self.write_around(line.depth);
        write_line(&mut self.text, '-', line.depth, &clip::head(&line.text, LONGEST_GONE));
        self.gone = Some(Gone { depth: line.depth, told_apart: line.text != line.role() });
    }

    fn enter(&mut self, depth: usize) {
        self.gone = None;
        self.around.retain(|around| around.depth < depth);
    }

    fn write_around(&mut self, depth: usize) {
        for around in self.around.iter_mut().filter(|around| around.depth < depth && !around.written) {
            write_line(&mut self.text, ' ', around.depth, around.text);
            around.written = true;
        }
    }
}

fn write_line(text: &mut String, mark: char, depth: usize, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push(mark);
    text.push(' ');
    text.extend(std::iter::repeat_n("  ", depth));
    text.push_str(line);
}

#[cfg(test)]
mod tests;
