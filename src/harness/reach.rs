//! Which orders some execution allows.
//!
//! An engine that explores each class of executions once shows one order of the
//! steps that commute. "A before B" is reachable when some execution has it, or
//! when in some execution nothing orders B before A: then A may come first in
//! another order of the same class (Mazurkiewicz 1977).

use super::run::{Ended, Entries, StepId};
use super::scenario::{Op, Scenario, Worker};
use crate::lanes::{Execution, Step};

/// What is still to be reached.
pub(super) struct Reached<'a> {
    open: Vec<(String, StepId, StepId)>,
    workers: Vec<&'a Worker>,
}

impl<'a> Reached<'a> {
    pub(super) fn new(scenario: &'a Scenario) -> Self {
        let workers: Vec<&Worker> = scenario.all_workers().collect();
        let id = |(worker, step): &(String, usize)| StepId {
            worker: workers
                .iter()
                .position(|known| known.name == *worker)
                .unwrap_or(0),
            step: *step,
        };
        let open = scenario
            .reachable
            .iter()
            .map(|reach| (reach.text.clone(), id(&reach.first), id(&reach.second)))
            .collect();
        Self { open, workers }
    }

    pub(super) fn look(&mut self, execution: &Execution<'_>, entries: &Entries) {
        if self.open.is_empty() {
            return;
        }
        let ended = &entries.ended;
        let order = Order {
            workers: &self.workers,
            steps: execution.steps(),
            ended,
        };
        self.open.retain(|(_, first, second)| {
            let place = |id: &StepId| ended.iter().position(|ended| ended.id == *id);
            let (Some(first), Some(second)) = (place(first), place(second)) else {
                return true;
            };
            // Not ordered the other way round is enough.
            second < first && order.orders(second, first)
        });
    }

    pub(super) fn missing(self) -> Vec<String> {
        self.open.into_iter().map(|(text, _, _)| text).collect()
    }
}

/// The order that one execution forces on the steps of the scenario.
struct Order<'a> {
    workers: &'a [&'a Worker],
    steps: &'a [Step],
    ended: &'a [Ended],
}

impl Order<'_> {
    /// Whether `from` comes before `to` in every order of this class.
    fn orders(&self, from: usize, to: usize) -> bool {
        let mut after = vec![false; to + 1];
        after[from] = true;
        for late in from + 1..=to {
            after[late] =
                (from..late).any(|early| after[early] && self.directly(early, late));
        }
        after[to]
    }

    fn directly(&self, early: usize, late: usize) -> bool {
        let (a, b) = (self.ended[early].id, self.ended[late].id);
        a.worker == b.worker
            || matches!(self.op(a), Op::Spawn(_, name) if *name == self.workers[b.worker].name)
            || matches!(self.op(b), Op::Join(name) if *name == self.workers[a.worker].name)
            || self
                .visible(early)
                .any(|x| self.visible(late).any(|y| x.op.depends_on(&y.op)))
    }

    fn op(&self, id: StepId) -> &Op {
        &self.workers[id.worker].steps[id.step].op
    }

    /// The engine's steps that a step of the scenario took.
    fn visible(&self, nth: usize) -> impl Iterator<Item = &Step> {
        let Ended { lane, at, .. } = self.ended[nth];
        let before = self.ended[..nth]
            .iter()
            .rev()
            .find(|ended| ended.lane == lane);
        let from = before.map_or(0, |ended| ended.at).min(at);
        self.steps[from..at.min(self.steps.len())]
            .iter()
            .filter(move |step| step.lane.0 == lane)
    }
}
