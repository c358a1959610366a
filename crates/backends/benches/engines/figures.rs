//! What was measured, and whether it is near enough to the bare protocol's cost.

use std::process::ExitCode;

use crate::engine::Engine;

/// Ours may cost so much more …
const RATIO: f64 = 1.15;
/// … and so many milliseconds besides.
const EXTRA: f64 = 10.0;

/// Something that costs time or memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    StartUp,
    FirstPage,
    ExtraSession,
    Click,
    /// The same by a client that is told nothing of the page's documents. It is no goal: who is to say where a page is has to be
    /// told.
    DeafClick,
    Snapshot,
    Memory,
}

impl What {
    pub(crate) const ALL: &[Self] =
        &[Self::StartUp, Self::FirstPage, Self::ExtraSession, Self::Click, Self::Snapshot, Self::Memory];

    fn name(self) -> &'static str {
        match self {
            Self::StartUp => "start-up, until it answers",
            Self::FirstPage => "start-up and first page",
            Self::ExtraSession => "extra session with a page",
            Self::Click => "click, and what it changed",
            Self::DeafClick => "click where nothing is told of documents",
            Self::Snapshot => "snapshot",
            Self::Memory => "memory of the tree, one page",
        }
    }

    fn unit(self) -> &'static str {
        if self == Self::Memory { "MiB" } else { "ms" }
    }
}

/// Who did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Ours,
    Bare,
}

/// Every measurement.
#[derive(Debug, Default)]
pub(crate) struct Figures(Vec<(Engine, What, Who, f64)>);

impl Figures {
    pub(crate) fn add(&mut self, engine: Engine, what: What, who: Who, value: f64) {
        self.0.push((engine, what, who, value));
    }

    /// The middle one; nothing if nothing was measured.
    fn median(&self, engine: Engine, what: What, who: Who) -> Option<f64> {
        let is_it = |one: &&(Engine, What, Who, f64)| (one.0, one.1, one.2) == (engine, what, who);
        let mut values: Vec<f64> = self.0.iter().filter(is_it).map(|one| one.3).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len().saturating_sub(1) / 2).copied()
    }

    /// Says one line while the others are still measured.
    pub(crate) fn tell(&self, engine: Engine, what: What) {
        let cell = |who| self.cell(engine, what, who);
        println!("  {}: {}, bare {}", what.name(), cell(Who::Ours), cell(Who::Bare));
    }

    fn cell(&self, engine: Engine, what: What, who: Who) -> String {
        self.median(engine, what, who).map_or("–".to_owned(), |value| format!("{value:.1} {}", what.unit()))
    }

    /// Prints the table; a goal that is missed is an error.
    pub(crate) fn print(&self) -> ExitCode {
        println!(
            "\nmedians; the goal is at most {:.0} % and {EXTRA:.0} above the bare protocol\n",
            (RATIO - 1.0) * 100.0
        );
        println!("| browser | what | ours | bare protocol | goal | verdict |\n|---|---|---|---|---|---|");
        let mut missed = 0;
        for engine in Engine::ALL {
            for what in What::ALL {
                let (Some(ours), Some(bare)) =
                    (self.median(*engine, *what, Who::Ours), self.median(*engine, *what, Who::Bare))
                else {
                    continue;
                };
                let goal = allowed(bare);
                let verdict = if ours <= goal { "met" } else { "MISSED" };
                missed += usize::from(ours > goal);
                let (ours, bare) =
                    (self.cell(*engine, *what, Who::Ours), self.cell(*engine, *what, Who::Bare));
                let name = (engine.name(), what.name());
                println!(
                    "| {} | {} | {ours} | {bare} | {goal:.1} {} | {verdict} |",
                    name.0,
                    name.1,
                    what.unit()
                );
            }
        }
        for engine in Engine::ALL {
            if let Some(deaf) = self.median(*engine, What::DeafClick, Who::Bare) {
                println!(
                    "\n{}, {}: {deaf:.1} ms through the bare protocol, {:.1} ms with the same allowance. In the table the bare \
                     client is told of them, as ours is.",
                    engine.name(),
                    What::DeafClick.name(),
                    allowed(deaf)
                );
            }
        }
        if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// What ours may cost where the bare protocol costs so much.
fn allowed(bare: f64) -> f64 {
    bare * RATIO + EXTRA
}
