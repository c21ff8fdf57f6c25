//! Running scenarios under strategies and gathering verdicts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use super::calibrate::trust_engine;
use super::invariant::{Invariant, Reader};
use super::reach::Reached;
use super::reference::{self, Check};
use super::run::Log;
use super::scenario::{Expect, Scenario};
use super::scheme::Which;
use super::trace::{self, TraceRow};
use super::verify::{self, Violation};
use crate::error::{Error, Kind};
use crate::lanes::{self, Control, Coverage, Execution, LaneId};
use crate::sync::{Lanes, Recording};

/// How to explore.
#[derive(Debug, Clone)]
pub struct Options {
    /// Only these strategies; empty means the library's, and of history those
    /// that a scenario knows a finding for.
    pub strategies: Vec<String>,
    /// How many executions each exploration may take.
    pub budget: u64,
}

impl Options {
    /// The strategies that were asked for, each once, in the order of the list.
    pub(super) fn asked(&self) -> Result<Vec<Which>, Error> {
        let asked = self.strategies.iter().map(|name| Which::parse(name));
        let asked: BTreeSet<Which> = asked.collect::<Result<_, _>>()?;
        Ok(asked.into_iter().collect())
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            strategies: Vec::new(),
            budget: 2_000_000,
        }
    }
}

/// What an exploration found out about one reader, or about no reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Outcome {
    /// Every execution kept the invariants.
    Holds,
    /// Some execution breaks one.
    Violates,
    /// Some execution can not go on.
    Deadlock,
    /// The search was cut off before it found anything.
    Incomplete,
}

impl Outcome {
    /// The verdict on these findings, after a search that was exhaustive or not.
    pub(super) fn of(findings: &[Finding], exhaustive: bool) -> Self {
        match (findings.is_empty(), exhaustive) {
            (false, _) if findings.iter().any(|finding| finding.deadlock) => {
                Outcome::Deadlock
            }
            (false, _) => Outcome::Violates,
            (true, false) => Outcome::Incomplete,
            (true, true) => Outcome::Holds,
        }
    }

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Holds => "holds",
            Outcome::Violates => "violates",
            Outcome::Deadlock => "deadlock",
            Outcome::Incomplete => "incomplete",
        }
    }
}

/// A broken invariant, with its simplest execution.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Which.
    pub invariant: Invariant,
    /// What was seen, in one line.
    pub message: String,
    /// Whether it is that no worker can go on.
    pub deadlock: bool,
    /// How many executions break it.
    pub failing: u64,
    /// The number of the first execution that does, and of how many: those of the
    /// one exploration that is shown.
    pub first: u64,
    /// See [`Finding::first`].
    pub of: u64,
    /// Steps of the execution that is shown.
    pub steps: usize,
    /// Its preemptions: the fewest of the executions that were run, one of each
    /// class. Another order of the same class may have fewer.
    pub preemptions: usize,
    /// What happened in it.
    pub trace: Vec<TraceRow>,
    /// The variables that are meant; of a real home all that play the same part.
    pub keys: Vec<String>,
}

/// One line of a report: a scenario, a strategy, a reader.
#[derive(Debug, Clone)]
pub struct Row {
    /// The scenario's id.
    pub scenario: String,
    /// The strategy's name.
    pub strategy: String,
    /// Whose reads it is about; `None`: no reader's (restore, progress, ...).
    pub reader: Option<Reader>,
    /// Whether all of it was seen.
    pub exhaustive: bool,
    /// Executions that were run.
    pub executions: u64,
    /// Classes of executions that were told apart.
    pub classes: u64,
    /// Executions that repeated a class.
    pub pruned: u64,
    /// The verdict.
    pub outcome: Outcome,
    /// Whether that is what is known and declared.
    pub expected: bool,
    /// Whether the findings are a declared limit of the strategy.
    pub limit: bool,
    /// What else a reader of the report should know.
    pub note: Option<String>,
    /// How long it took.
    pub elapsed_ms: f64,
    /// What breaks.
    pub findings: Vec<Finding>,
}

/// Explores scenarios with the `lanes` engine.
///
/// # Errors
///
/// An unknown strategy, or an engine that could not control a run.
pub fn explore(scenarios: &[Scenario], options: &Options) -> Result<Vec<Row>, Error> {
    trust_engine()?;
    let asked = options.asked()?;
    let mut rows = Vec::new();
    for scenario in scenarios {
        let scenario = Arc::new(scenario.clone());
        let chosen = Which::ALL
            .into_iter()
            .filter(|which| match asked.is_empty() {
                true => !which.is_history() || scenario.expect.contains_key(which.name()),
                false => asked.contains(which),
            });
        for which in chosen {
            let explored = Explored::run(&scenario, which, options.budget)?;
            rows.extend(explored.rows(&scenario, which)?);
        }
    }
    Ok(rows)
}

/// The simplest execution that breaks one invariant for one reader.
#[derive(Debug, Clone)]
pub(super) struct Worst {
    pub(super) violation: Violation,
    /// How many executions break it, the first of them and the latest.
    pub(super) failing: u64,
    pub(super) first: u64,
    latest: u64,
    pub(super) steps: usize,
    pub(super) preemptions: usize,
    pub(super) schedule: Vec<LaneId>,
}

/// What exploring one scenario under one strategy gave.
pub(super) struct Explored {
    pub(super) checks: Vec<Vec<Option<Check>>>,
    pub(super) summary: lanes::Summary,
    pub(super) worst: BTreeMap<(Option<Reader>, Invariant), Worst>,
    unreached: Vec<String>,
    pub(super) elapsed_ms: f64,
}

impl Explored {
    pub(super) fn run(
        scenario: &Arc<Scenario>,
        which: Which,
        budget: u64,
    ) -> Result<Self, Error> {
        let started = Instant::now();
        let checks = reference::checks(scenario);
        let log = Arc::new(Log::default());
        let mut worst = BTreeMap::new();
        let mut reached = Reached::new(scenario);
        let config = lanes::Config {
            max_executions: budget,
            ..lanes::Config::default()
        };
        let visit = |execution: &Execution<'_>| {
            log.edit(|entries| {
                reached.look(execution, entries);
                for violation in verify::verify(scenario, &checks, execution, entries) {
                    note(&mut worst, violation, execution);
                }
            });
            Control::Continue
        };
        let summary = lanes::explore(&config, body(scenario, which, &log), visit).map_err(
            |error| Error::new(Kind::Engine, format!("{}: {error}", scenario.id)),
        )?;
        let elapsed_ms = started.elapsed().as_secs_f64() * 1e3;
        let unreached = reached.missing();
        Ok(Self {
            checks,
            summary,
            worst,
            unreached,
            elapsed_ms,
        })
    }

    fn rows(&self, scenario: &Arc<Scenario>, which: Which) -> Result<Vec<Row>, Error> {
        let mut readers: BTreeSet<Option<Reader>> = BTreeSet::from([None]);
        readers.extend(
            self.checks
                .iter()
                .flatten()
                .flatten()
                .map(|check| check.reader),
        );
        readers
            .into_iter()
            .map(|reader| self.row(scenario, which, reader))
            .collect()
    }

    fn row(
        &self,
        scenario: &Arc<Scenario>,
        which: Which,
        reader: Option<Reader>,
    ) -> Result<Row, Error> {
        let mut findings = Vec::new();
        let of_reader = self.worst.iter().filter(|((of, _), _)| *of == reader);
        for ((_, invariant), worst) in of_reader.clone() {
            findings.push(Finding {
                invariant: *invariant,
                message: verify::message(scenario, &self.checks, &worst.violation),
                deadlock: worst.violation.is_deadlock(),
                failing: worst.failing,
                first: worst.first,
                of: self.summary.classes,
                steps: worst.steps,
                preemptions: worst.preemptions,
                trace: record(scenario, which, &worst.schedule)?,
                keys: verify::keys_of(scenario, &worst.violation.what)
                    .iter()
                    .map(ToString::to_string)
                    .collect(),
            });
        }
        let exhaustive = self.summary.coverage == Coverage::Exhaustive;
        let outcome = Outcome::of(&findings, exhaustive);
        let (expected, note) = self.judge(scenario, which, reader, &findings, outcome);
        Ok(Row {
            scenario: scenario.id.clone(),
            strategy: which.name().to_owned(),
            reader,
            exhaustive,
            executions: self.summary.classes + self.summary.pruned,
            classes: self.summary.classes,
            pruned: self.summary.pruned,
            outcome,
            expected,
            limit: !findings.is_empty()
                && findings
                    .iter()
                    .all(|found| is_limit(scenario, which, reader, found.invariant)),
            note,
            elapsed_ms: self.elapsed_ms,
            findings,
        })
    }

    /// Whether a row is as the scenario and the declared limits say.
    fn judge(
        &self,
        scenario: &Scenario,
        which: Which,
        reader: Option<Reader>,
        findings: &[Finding],
        outcome: Outcome,
    ) -> (bool, Option<String>) {
        let listed = scenario.expect.get(which.name());
        let known = |invariant: Invariant| {
            which.is_limit(reader)
                || match listed {
                    Some(listed) => listed.all().any(|known| known == invariant),
                    // A scheme of history that nobody said anything about here.
                    None => which.is_history(),
                }
        };
        let mut expected = outcome != Outcome::Incomplete
            && findings.iter().all(|finding| known(finding.invariant));
        let mut notes = Vec::new();
        if reader.is_none() {
            let found: BTreeSet<Invariant> =
                self.worst.keys().map(|(_, found)| *found).collect();
            let listed = listed.into_iter().flat_map(Expect::all);
            let missing = listed.filter(|known| !found.contains(known));
            for invariant in missing {
                notes.push(format!("expected to break {invariant}, but it holds"));
            }
            notes.extend(
                self.unreached
                    .iter()
                    .map(|text| format!("never reached: {text}")),
            );
            expected &= notes.is_empty();
        }
        (expected, (!notes.is_empty()).then(|| notes.join("; ")))
    }
}

fn body(scenario: &Arc<Scenario>, which: Which, log: &Arc<Log>) -> impl Fn() + 'static {
    let (scenario, log) = (Arc::clone(scenario), Arc::clone(log));
    move || which.run::<Lanes>(&scenario, &log)
}

/// Whether breaking this is a limit that DESIGN.md declares.
fn is_limit(
    scenario: &Scenario,
    which: Which,
    reader: Option<Reader>,
    invariant: Invariant,
) -> bool {
    let listed = scenario.expect.get(which.name());
    which.is_limit(reader)
        || listed.is_some_and(|listed| listed.limits.contains(&invariant))
}

/// Keeps the execution with the fewest preemptions, then steps.
fn note(
    worst: &mut BTreeMap<(Option<Reader>, Invariant), Worst>,
    violation: Violation,
    execution: &Execution<'_>,
) {
    let key = (violation.reader, violation.invariant);
    let (steps, preemptions) = (execution.steps().len(), execution.preemptions());
    let fresh = || Worst {
        violation: violation.clone(),
        failing: 1,
        first: execution.index(),
        latest: execution.index(),
        steps,
        preemptions,
        schedule: execution.schedule().to_vec(),
    };
    match worst.get_mut(&key) {
        None => {
            worst.insert(key, fresh());
        }
        Some(known) => {
            let again = u64::from(known.latest != execution.index());
            let (failing, first) = (known.failing + again, known.first);
            if (preemptions, steps) < (known.preemptions, known.steps) {
                *known = fresh();
            }
            (known.failing, known.first, known.latest) =
                (failing, first, execution.index());
        }
    }
}

/// Runs one schedule again and keeps what happened.
pub(super) fn record(
    scenario: &Arc<Scenario>,
    which: Which,
    schedule: &[LaneId],
) -> Result<Vec<TraceRow>, Error> {
    let log = Arc::new(Log::default());
    let recording = Recording::start();
    let config = lanes::Config::default();
    let visit = |_: &Execution<'_>| Control::Stop;
    lanes::replay(&config, schedule, body(scenario, which, &log), visit)
        .map_err(|error| Error::new(Kind::Engine, format!("{}: {error}", scenario.id)))?;
    Ok(trace::rows(scenario, &recording.take()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(deadlock: bool) -> Finding {
        Finding {
            invariant: Invariant::Progress,
            message: String::new(),
            deadlock,
            failing: 1,
            first: 1,
            of: 1,
            steps: 0,
            preemptions: 0,
            trace: Vec::new(),
            keys: Vec::new(),
        }
    }

    #[test]
    fn a_deadlock_is_called_one_and_a_panic_is_not() {
        assert_eq!(Outcome::of(&[finding(true)], true), Outcome::Deadlock);
        assert_eq!(Outcome::of(&[finding(false)], true), Outcome::Violates);
        assert_eq!(Outcome::of(&[finding(false)], false), Outcome::Violates);
        assert_eq!(Outcome::of(&[], true), Outcome::Holds);
        assert_eq!(Outcome::of(&[], false), Outcome::Incomplete);
    }
}
