//! Optimal partial-order reduction: each class of schedules runs exactly once.
//!
//! The algorithm is Optimal-DPOR of Abdulla, Aronis, Jonsson and Sagonas, "Source
//! sets: a foundation for optimal dynamic partial order reduction" (J. ACM 64(4),
//! 2017), with sleep sets and wakeup trees. At the end of each execution every
//! race of it is reversed: before the first of the two steps, the search is to
//! try what does not depend on that step, followed by the second one; unless a
//! lane that is asleep there could lead such a continuation, because then it has
//! been explored.
//!
//! Locks block, which the basic algorithm does not know. Two additions:
//!
//! 1. A `lock` races with the step that took the mutex the last time, not with
//!    the `unlock` in between, and only what the lane knew *before* its `lock`
//!    orders the two. See `history`.
//! 2. A lane that is still blocked when an execution ends (a deadlock) has not
//!    done its `lock`, which therefore took part in no race. It is reversed with
//!    the step that took the mutex as though it had been the last step. Where an
//!    execution is cut off, so are all steps that were about to be taken.

use super::history::{History, Race};
use super::op::{Core, OpKind};
use super::run::{NONE, Run, State};
use super::search::{Choice, Search, choice};
use super::wakeup::{Forest, Turn, may_lead};

#[derive(Debug)]
struct Node {
    /// Length of the trail before the step.
    trail: usize,
    chosen: Turn,
    /// Lanes that are asleep: led by them, everything has been explored.
    sleep: Vec<Turn>,
    /// Continuations that are to be explored after this one.
    tree: u32,
}

/// The state of the search: the nodes of the current path.
#[derive(Debug, Default)]
pub(super) struct OptimalSearch {
    nodes: Vec<Node>,
    depth: usize,
    /// The tree that the next new node starts with.
    carry: Option<u32>,
    forest: Forest,
    history: History,
    rest: Vec<Turn>,
    pending: Vec<u32>,
    /// The first step that the path does not share with the execution before.
    fresh: u32,
}

impl Search for OptimalSearch {
    fn choose(&mut self, run: &Run) -> Choice {
        let at = run.depth;
        if at < self.depth {
            let (lane, op) = &self.nodes[at].chosen;
            return choice(run, *lane, Some(op));
        }
        let tree = self.carry.take().unwrap_or(NONE);
        self.settle(at, run.trail.notes.len());
        let (turn, below, tree, index) = match self.forest.take(tree) {
            Some((turn, below, tree)) => (turn, below, tree, None),
            None => match first_awake(run, &self.nodes[at].sleep) {
                Some((index, turn)) => (turn, NONE, NONE, Some(index)),
                None => return Choice::Nothing,
            },
        };
        self.carry = Some(below);
        let node = &mut self.nodes[at];
        node.chosen = turn;
        node.tree = tree;
        self.depth = at + 1;
        index.map_or_else(|| choice(run, turn.0, Some(&turn.1)), Choice::Lane)
    }

    fn next(&mut self, run: &mut Run) -> bool {
        self.carry = None;
        self.history.follow(&run.trail.notes);
        self.reverse_races();
        self.reverse_pending(run);
        while self.depth > 0 {
            let node = &mut self.nodes[self.depth - 1];
            node.sleep.push(node.chosen);
            if let Some((turn, below, tree)) = self.forest.take(node.tree) {
                node.chosen = turn;
                node.tree = tree;
                self.carry = Some(below);
                self.fresh = self.depth as u32 - 1;
                run.rewind(self.depth - 1, node.trail);
                self.history.rewind(node.trail);
                return true;
            }
            self.depth -= 1;
        }
        false
    }
}

impl OptimalSearch {
    /// Makes the node for the step `at`, with the lanes that stay asleep.
    fn settle(&mut self, at: usize, trail: usize) {
        if self.nodes.len() == at {
            let chosen = (NONE, Core::NOTHING);
            self.nodes.push(Node {
                trail,
                chosen,
                sleep: Vec::new(),
                tree: NONE,
            });
        }
        let (before, rest) = self.nodes.split_at_mut(at);
        let node = &mut rest[0];
        node.trail = trail;
        node.sleep.clear();
        if let Some(parent) = before.last() {
            let done = &parent.chosen.1;
            node.sleep
                .extend(parent.sleep.iter().filter(|(_, op)| !op.depends_on(done)));
        }
    }

    /// Has the other order of every race of the execution explored.
    ///
    /// A race that the execution before had too is looked at again only when new
    /// steps stand apart from it. Otherwise all that is to be tried for it now is
    /// the beginning of what was to be tried for it then.
    fn reverse_races(&mut self) {
        for nth in 0..self.history.races.len() {
            let Race { first, second } = self.history.races[nth];
            if second < self.fresh && self.history.apart(first, self.fresh).next().is_none()
            {
                continue;
            }
            let second = &self.history.events[second as usize];
            let turn = (second.lane, second.op);
            self.reverse(first, turn);
        }
    }

    /// The same for what lanes were about to do when the execution ended.
    fn reverse_pending(&mut self, run: &Run) {
        for lane in run
            .lanes()
            .iter()
            .filter(|lane| lane.state == State::Pending)
        {
            let turn = (lane.stable, lane.op.core);
            self.pending.clear();
            self.pending
                .extend_from_slice(self.history.pending_races(turn.0, &turn.1));
            for nth in 0..self.pending.len() {
                self.reverse(self.pending[nth], turn);
            }
        }
    }

    /// Has `second` explored before the step `first`, after all that stands apart
    /// from `first`.
    fn reverse(&mut self, first: u32, second: Turn) {
        self.rest.clear();
        self.rest.extend(
            self.history
                .apart(first, first)
                .map(|event| (event.lane, event.op)),
        );
        self.rest.push(second);
        let node = &mut self.nodes[first as usize];
        if !node.sleep.iter().any(|asleep| may_lead(asleep, &self.rest)) {
            self.forest.insert(&mut node.tree, &mut self.rest);
        }
    }
}

/// A lane that can go on and is not asleep, by index; the one that went on last,
/// if it can and does not yield.
fn first_awake(run: &Run, sleep: &[Turn]) -> Option<(u32, Turn)> {
    let turn = |index: u32| {
        let lane = run.lanes().get(index as usize)?;
        let awake = || sleep.iter().all(|(asleep, _)| *asleep != lane.stable);
        (run.enabled(lane) && awake()).then_some((index, (lane.stable, lane.op.core)))
    };
    let keen = |(_, turn): &(u32, Turn)| turn.1.kind != OpKind::Yield;
    let all = 0..run.lanes().len() as u32;
    turn(run.last)
        .filter(keen)
        .or_else(|| all.clone().filter_map(turn).find(keen))
        .or_else(|| all.clone().find_map(turn))
}
