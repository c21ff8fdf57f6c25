//! What an exploration tells: executions, deadlocks, the summary.

use std::error::Error;
use std::fmt;
use std::panic::Location;

use super::op::{LaneId, Step};
use super::run::Run;

/// Limits of an exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// How many executions to run at most.
    pub max_executions: u64,
    /// How many steps one execution may take; then it is cut off.
    pub max_steps: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            max_executions: 2_000_000,
            max_steps: 10_000,
        }
    }
}

/// Whether to look for more executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop here; the coverage then is [`Coverage::Stopped`].
    Stop,
}

/// How an execution ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// Every lane ended.
    Done,
    /// No lane can go on.
    Deadlock(Deadlock),
    /// It was cut off at [`Config::max_steps`].
    StepLimit,
}

/// Lanes that wait for each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deadlock {
    /// The lanes of the cycle, each waiting for the next and the last for the
    /// first; where there is no cycle (the holder has ended), all that wait.
    pub waits: Vec<Wait>,
}

/// One waiting lane of a deadlock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// The name of the lane.
    pub lane: String,
    /// The mutex that it wants, or `the end of` a lane.
    pub wants: String,
    /// The line that waits.
    pub at: &'static Location<'static>,
    /// The mutexes that it holds, and the lines that took them.
    pub holds: Vec<(String, &'static Location<'static>)>,
    /// The lane that it waits for.
    pub held_by: Option<String>,
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.lane)?;
        for (nth, (name, at)) in self.holds.iter().enumerate() {
            let before = if nth == 0 { " holds" } else { " and" };
            write!(f, "{before} {name} (taken at {}:{})", at.file(), at.line())?;
        }
        let and = if self.holds.is_empty() { "" } else { " and" };
        write!(
            f,
            "{and} wants {} (at {}:{})",
            self.wants,
            self.at.file(),
            self.at.line()
        )?;
        match &self.held_by {
            Some(holder) if *holder == self.lane => f.write_str(", which it holds itself"),
            Some(holder) if !self.wants.starts_with("the end of ") => {
                write!(f, ", which {holder} holds")
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Deadlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("deadlock: ")?;
        for (nth, wait) in self.waits.iter().enumerate() {
            let before = if nth == 0 { "" } else { "; " };
            write!(f, "{before}{wait}")?;
        }
        Ok(())
    }
}

/// One execution, shown to the visitor.
#[derive(Debug)]
pub struct Execution<'a> {
    pub(super) index: u64,
    pub(super) run: &'a Run,
    pub(super) end: &'a End,
}

impl Execution<'_> {
    /// Its number among the executions that were shown, from 1.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The lane of each step.
    pub fn schedule(&self) -> &[LaneId] {
        &self.run.schedule
    }

    /// The steps, in order.
    pub fn steps(&self) -> &[Step] {
        &self.run.steps
    }

    /// How it ended.
    pub fn end(&self) -> &End {
        self.end
    }

    /// The panics of lanes: id, name of the lane, message.
    pub fn panics(&self) -> &[(LaneId, String, String)] {
        &self.run.panics
    }

    /// How often it went from a lane that could have gone on to another.
    pub fn preemptions(&self) -> usize {
        self.run
            .preemptions
            .last()
            .map_or(0, |count| *count as usize)
    }

    /// The name of a lane; empty when there is no such lane.
    pub fn lane_name(&self, lane: LaneId) -> &str {
        self.run
            .lanes()
            .get(lane.0 as usize)
            .map_or("", |lane| lane.name.as_str())
    }

    /// How many lanes there were, the main lane included.
    pub fn lane_count(&self) -> usize {
        self.run.lanes().len()
    }
}

/// How much of the program an exploration has seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// All of it: one execution, at least, of each class.
    Exhaustive,
    /// A limit cut something off, be it of executions or of steps; so many
    /// executions were run.
    Budget(u64),
    /// The visitor asked to stop.
    Stopped,
}

/// What an exploration did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Complete executions, deadlocked ones included.
    pub classes: u64,
    /// Executions that turned out to repeat a class.
    pub pruned: u64,
    /// Steps of all executions together.
    pub steps: u64,
    /// How much was seen.
    pub coverage: Coverage,
}

/// The body did something else although every choice was the same.
///
/// Causes are clocks, addresses, the order of hash maps, state that survives an
/// execution, and real threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nondeterminism {
    /// How many steps the two runs have in common: they differ in what a lane
    /// does after this step.
    pub step: usize,
    /// What happened there the first time.
    pub expected: String,
    /// What happened this time.
    pub got: String,
}

impl fmt::Display for Nondeterminism {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the body is not deterministic: after step {}, expected `{}`, got `{}`",
            self.step, self.expected, self.got
        )
    }
}

impl Error for Nondeterminism {}
