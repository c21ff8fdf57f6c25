//! Holding one execution against the invariants.

use std::collections::{BTreeMap, BTreeSet};

use super::invariant::{Invariant, Reader};
use super::reference::Check;
use super::run::{Entries, StepId};
use super::scenario::{Answer, Op, Scenario};
use crate::lanes::{End, Execution};
use crate::value::{Key, State, Value};

/// One broken invariant of one execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Violation {
    pub(super) invariant: Invariant,
    pub(super) reader: Option<Reader>,
    pub(super) what: What,
}

/// What was seen, without any text: texts are made for the few that are shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    /// A step gave what it may not give.
    Answer(StepId, Answer),
    /// Variables that were left wrong: found and wanted.
    Left(Vec<(Key, Option<Value>, Option<Value>)>),
    /// No lane can go on.
    Deadlock(String),
    /// A panic that nobody asked for.
    Panic(String),
}

impl Violation {
    pub(super) fn is_deadlock(&self) -> bool {
        matches!(self.what, What::Deadlock(_))
    }
}

/// The violations of an execution.
pub(super) fn verify(
    scenario: &Scenario,
    checks: &[Vec<Option<Check>>],
    execution: &Execution<'_>,
    entries: &Entries,
) -> Vec<Violation> {
    let mut found: Vec<Violation> = Vec::new();
    for (id, answer) in &entries.answers {
        found.extend(verify_answer(checks, *id, answer));
    }
    if let Some(left) = &entries.left {
        found.extend(verify_left(scenario, entries, left));
    }
    let progress = |what: What| Violation {
        invariant: Invariant::Progress,
        reader: None,
        what,
    };
    // An execution that was cut off at the step limit is no finding: the engine
    // says that the search is not exhaustive, and the verdict is `incomplete`.
    if let End::Deadlock(deadlock) = execution.end() {
        found.push(progress(What::Deadlock(deadlock.to_string())));
    }
    let panics = entries.panics.iter().cloned();
    found.extend(panics.map(|text| progress(What::Panic(text))));
    found
}

fn verify_answer(
    checks: &[Vec<Option<Check>>],
    id: StepId,
    answer: &Answer,
) -> Option<Violation> {
    let what = || What::Answer(id, answer.clone());
    match &checks[id.worker][id.step] {
        Some(check) if check.allowed.contains(answer) => None,
        Some(check) => {
            let (invariant, reader) = (check.invariant, check.reader);
            Some(Violation {
                invariant,
                reader,
                what: what(),
            })
        }
        // A step that should give nothing gave an error.
        None => Some(Violation {
            invariant: Invariant::Progress,
            reader: None,
            what: what(),
        }),
    }
}

fn verify_left(
    scenario: &Scenario,
    entries: &Entries,
    left: &BTreeMap<Key, Value>,
) -> Option<Violation> {
    if entries.outside.is_empty() && *left == scenario.env {
        return None;
    }
    let mut wanted = scenario.env.clone();
    for (key, value) in &entries.outside {
        match value {
            Some(value) => wanted.insert(key.clone(), value.clone()),
            None => wanted.remove(key),
        };
    }
    let keys: BTreeSet<&Key> = left.keys().chain(wanted.keys()).collect();
    let wrong: Vec<_> = keys
        .into_iter()
        .filter(|key| left.get(*key) != wanted.get(*key))
        .map(|key| {
            (
                key.clone(),
                left.get(key).cloned(),
                wanted.get(key).cloned(),
            )
        })
        .collect();
    let (invariant, reader) = (Invariant::Restore, None);
    (!wrong.is_empty()).then_some(Violation {
        invariant,
        reader,
        what: What::Left(wrong),
    })
}

/// One line that says what is wrong.
pub(super) fn message(
    scenario: &Scenario,
    checks: &[Vec<Option<Check>>],
    violation: &Violation,
) -> String {
    match &violation.what {
        What::Deadlock(text) | What::Panic(text) => text.clone(),
        What::Left(wrong) => {
            let parts = wrong.iter().map(|(key, found, wanted)| {
                format!(
                    "{key} left {}, expected {}",
                    as_left(found),
                    as_left(wanted)
                )
            });
            parts.collect::<Vec<_>>().join("; ")
        }
        What::Answer(id, answer) => {
            let worker = scenario.all_workers().nth(id.worker);
            let (name, step) = worker.map_or(("?", "?"), |worker| {
                (worker.name.as_str(), worker.steps[id.step].text.as_str())
            });
            let step = step.split(" == ").next().unwrap_or(step);
            let allowed = checks[id.worker][id.step].as_ref();
            let allowed: Vec<String> = allowed
                .map(|check| check.allowed.iter().map(Answer::to_string).collect())
                .unwrap_or_default();
            let allowed = if allowed.is_empty() {
                "success".into()
            } else {
                allowed.join(" or ")
            };
            format!("{name}: {step} gave {answer}, expected {allowed}")
        }
    }
}

fn as_left(value: &Option<Value>) -> String {
    match value {
        None => "absent".to_owned(),
        Some(value) => Answer::State(State::Set(value.clone())).to_string(),
    }
}

/// The keys that a violation is about.
pub(super) fn keys_of(scenario: &Scenario, what: &What) -> BTreeSet<Key> {
    match what {
        What::Left(wrong) => wrong.iter().map(|(key, _, _)| key.clone()).collect(),
        What::Deadlock(_) | What::Panic(_) => scenario.env.keys().cloned().collect(),
        What::Answer(id, _) => {
            let worker = scenario.all_workers().nth(id.worker);
            match worker.map(|worker| &worker.steps[id.step].op) {
                Some(Op::Get(key) | Op::Os(key)) => BTreeSet::from([key.clone()]),
                _ => BTreeSet::new(),
            }
        }
    }
}
