//! The order of the measurements: everyone does a step before anyone does the next.

use std::time::Duration;

use anyhow::{Context, ensure};

use super::book::Book;
use super::contender::{Changes, Contender, Running, Step, Told, target_in};
use super::pages::{self, Pages};
use super::rows::{LINES, Row};

const STARTS: usize = 10;
const ROUNDS: usize = 20;
const BIG_ROUNDS: usize = 10;

/// Why a command-line program has no cold start and no list.
const NO_SERVER: &str = "a command line, to which nobody connects";

/// A step of a round: the row of its time, that of its bytes, and how it is done.
type Measured = (Row, Row, fn(&mut Player, &Pages, usize) -> anyhow::Result<Told>);

const STEPS: &[Measured] = &[
    (Row::Navigate, Row::NavigateBytes, Player::navigate),
    (Row::Snapshot, Row::SnapshotBytes, Player::snapshot),
    (Row::Click, Row::ClickBytes, Player::click),
    (Row::Type, Row::TypeBytes, Player::fill),
    (Row::Evaluate, Row::EvaluateBytes, Player::evaluate),
    (Row::Screenshot, Row::ScreenshotBytes, Player::screenshot),
];

/// Starts everyone again and again: the handshake, and the first page, for which the browser has to start.
pub(super) fn starts(contenders: &[Box<dyn Contender>], pages: &Pages, book: &mut Book) {
    for round in 0..STARTS {
        for who in order(round, contenders.len()) {
            if book.is_open(who, Row::ColdStart) || book.is_open(who, Row::FirstNavigate) {
                start(who, contenders[who].as_ref(), pages, book);
            }
        }
    }
}

fn start(who: usize, contender: &dyn Contender, pages: &Pages, book: &mut Book) {
    let mut running = match contender.start() {
        Ok(running) => running,
        Err(error) => {
            book.fail(who, Row::ColdStart, &error);
            return book.fail(who, Row::FirstNavigate, &error);
        }
    };
    match running.ready_after() {
        Some(time) => book.note(who, Row::ColdStart, milliseconds(time)),
        None => book.leave_out(who, Row::ColdStart, NO_SERVER),
    }
    if !book.is_open(who, Row::FirstNavigate) {
        return;
    }
    match running.ask(&Step::Navigate { url: &pages.usual(0) }) {
        Ok(told) => book.note(who, Row::FirstNavigate, milliseconds(told.took)),
        Err(error) => book.fail(who, Row::FirstNavigate, &error),
    }
}

/// Everything that is measured on browsers that run, and what is left to be asked of the servers at the end.
pub(super) fn steps(contenders: &[Box<dyn Contender>], pages: &Pages, book: &mut Book) {
    let mut players: Vec<Player> = Vec::new();
    for (who, contender) in contenders.iter().enumerate() {
        match contender.start() {
            Ok(running) => players.push(Player::new(who, running)),
            Err(error) => {
                fail_the_rest(who, &error, book);
                book.fail(who, Row::ToolsBytes, &error);
            }
        }
    }
    // The first page costs the browser's start, which `starts` has measured.
    on_page(&mut players, &pages.usual(0), book);
    for round in 1..=ROUNDS {
        for step in STEPS {
            for at in order(round, players.len()) {
                players[at].measure(step, pages, round, book);
            }
        }
    }
    players.iter().for_each(|player| player.note_memory(Row::UsualMemory, book));
    on_page(&mut players, &pages.big(), book);
    for round in 0..BIG_ROUNDS {
        for at in order(round, players.len()) {
            players[at].measure(
                &(Row::BigSnapshot, Row::BigSnapshotBytes, Player::big_snapshot),
                pages,
                round,
                book,
            );
        }
    }
    players.iter_mut().for_each(|player| player.at_the_end(book));
}

/// Who is asked in which order: another one is first in each round.
fn order(round: usize, count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |place| (place + round) % count)
}

/// Opens a page everywhere; where that fails, nothing is measured on it.
fn on_page(players: &mut [Player], url: &str, book: &mut Book) {
    for player in players {
        if let Err(error) = player.running.ask(&Step::Navigate { url }) {
            fail_the_rest(player.who, &error, book);
        }
    }
}

/// Writes down why a contender has no number in every row that has none yet; its list of tools needs no page.
fn fail_the_rest(who: usize, error: &anyhow::Error, book: &mut Book) {
    for line in LINES {
        if line.row != Row::ToolsBytes && book.entry(who, line.row).is_none() {
            book.fail(who, line.row, error);
        }
    }
}

/// A contender in its rounds.
struct Player {
    who: usize,
    running: Box<dyn Running>,
    /// The refs of its last snapshot.
    button: Option<String>,
    field: Option<String>,
    /// The time of the last click by itself.
    blindly: Option<Duration>,
}

impl Player {
    fn new(who: usize, running: Box<dyn Running>) -> Self {
        Self { who, running, button: None, field: None, blindly: None }
    }

    /// Does a step and writes down how it went.
    fn measure(&mut self, step: &Measured, pages: &Pages, round: usize, book: &mut Book) {
        let (time, bytes, act) = step;
        if !book.is_open(self.who, *time) {
            return;
        }
        match act(self, pages, round) {
            Ok(told) => {
                book.note(self.who, *time, milliseconds(told.took));
                book.note(self.who, *bytes, told.bytes as f64);
                if let Some(blindly) = self.blindly.take() {
                    book.note(self.who, Row::ClickBlindly, milliseconds(blindly));
                }
            }
            Err(error) => {
                book.fail(self.who, *time, &error);
                book.fail(self.who, *bytes, &error);
                if *time == Row::Click {
                    book.fail(self.who, Row::ClickBlindly, &error);
                }
            }
        }
    }

    fn navigate(&mut self, pages: &Pages, round: usize) -> anyhow::Result<Told> {
        (self.button, self.field) = (None, None);
        self.running.ask(&Step::Navigate { url: &pages.usual(round) })
    }

    fn snapshot(&mut self, _: &Pages, _: usize) -> anyhow::Result<Told> {
        let told = self.running.ask(&Step::Snapshot)?;
        self.button = Some(target_in(&told.text, pages::BUTTON)?);
        self.field = Some(target_in(&told.text, pages::FIELD)?);
        Ok(told)
    }

    /// Clicks and gets to know what that changed: from the result, or by asking where the result does not tell.
    fn click(&mut self, pages: &Pages, round: usize) -> anyhow::Result<Told> {
        let target = self.button.clone().context("no snapshot had a ref for it")?;
        let told = self.running.ask(&Step::Click { target: &target })?;
        let changes = self.running.changes();
        self.blindly = (changes != Changes::InFile).then_some(told.took);
        let seen = match changes {
            Changes::InFile => return Ok(told),
            Changes::InResult => told,
            Changes::NotTold => {
                let seen = self.snapshot(pages, round)?;
                Told { took: told.took + seen.took, bytes: told.bytes + seen.bytes, text: seen.text }
            }
        };
        ensure!(seen.text.contains(pages::CLICKED), "the change is not told: {}", seen.text);
        Ok(seen)
    }

    fn fill(&mut self, _: &Pages, round: usize) -> anyhow::Result<Told> {
        let target = self.field.clone().context("no snapshot had a ref for it")?;
        self.running.ask(&Step::Type { target: &target, text: &Pages::text(round) })
    }

    /// Evaluates what tells whether the steps before did what they said.
    fn evaluate(&mut self, _: &Pages, round: usize) -> anyhow::Result<Told> {
        let told = self.running.ask(&Step::Evaluate { expression: pages::STATE })?;
        let state = Pages::state(round);
        ensure!(told.text.contains(&state), "the page should be at `{state}`: {}", told.text);
        Ok(told)
    }

    fn screenshot(&mut self, _: &Pages, _: usize) -> anyhow::Result<Told> {
        self.running.ask(&Step::Screenshot)
    }

    fn big_snapshot(&mut self, _: &Pages, _: usize) -> anyhow::Result<Told> {
        let told = self.running.ask(&Step::Snapshot)?;
        ensure!(told.text.contains(pages::LAST_BUTTON), "the snapshot ends before {}", pages::LAST_BUTTON);
        Ok(told)
    }

    /// What the server holds by now, if it has worked.
    fn note_memory(&self, row: Row, book: &mut Book) {
        if !book.is_open(self.who, row) {
            return;
        }
        match self.running.memory() {
            Ok(mebibytes) => book.note(self.who, row, mebibytes),
            Err(error) => book.fail(self.who, row, &error),
        }
    }

    /// What is read off the server at the end.
    fn at_the_end(&mut self, book: &mut Book) {
        self.note_memory(Row::Memory, book);
        match self.running.tools_bytes() {
            Ok(Some(bytes)) => book.note(self.who, Row::ToolsBytes, bytes as f64),
            Ok(None) => book.leave_out(self.who, Row::ToolsBytes, NO_SERVER),
            Err(error) => book.fail(self.who, Row::ToolsBytes, &error),
        }
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_is_first_equally_often() {
        let firsts: Vec<usize> = (0..6).filter_map(|round| order(round, 3).next()).collect();
        assert_eq!(firsts, [0, 1, 2, 0, 1, 2]);
        assert_eq!(order(2, 3).collect::<Vec<_>>(), [2, 0, 1]);
        assert_eq!(order(2, 0).count(), 0);
    }
}
