//! Depth-first search with sleep sets (Godefroid, 1996).
//!
//! Every enabled lane of every node is tried, except those whose step was tried
//! before in an order that commutes with this one. Completed executions are the
//! classes, each exactly once; some executions find out late that they repeat a
//! class. The engine keeps this search to check the optimal one.

use super::op::Core;
use super::run::Run;
use super::search::{Choice, Search, choice};

#[derive(Debug, Default)]
struct Node {
    /// Length of the trail before the step.
    trail: usize,
    chosen: u32,
    /// Enabled lanes that are still to be tried.
    todo: Vec<(u32, Core)>,
    /// Lanes that are asleep, with their operations.
    sleep: Vec<(u32, Core)>,
    op: Option<Core>,
}

/// The state of the search: the nodes of the current path.
#[derive(Debug, Default)]
pub(super) struct SleepSearch {
    nodes: Vec<Node>,
    depth: usize,
}

impl Search for SleepSearch {
    fn choose(&mut self, run: &Run) -> Choice {
        let at = run.depth;
        if at < self.depth {
            let node = &self.nodes[at];
            return choice(run, node.chosen, node.op.as_ref());
        }
        if self.nodes.len() == at {
            self.nodes.push(Node::default());
        }
        let (before, rest) = self.nodes.split_at_mut(at);
        let node = &mut rest[0];
        node.trail = run.trail.notes.len();
        node.todo.clear();
        node.sleep.clear();
        if let Some(Node {
            sleep,
            op: Some(done),
            ..
        }) = before.last()
        {
            node.sleep
                .extend(sleep.iter().filter(|(_, op)| !op.depends_on(done)));
        }
        for lane in run.lanes().iter().rev().filter(|lane| run.enabled(lane)) {
            if node.is_awake(lane.stable) {
                node.todo.push((lane.stable, lane.op.core));
            }
        }
        let Some((chosen, op)) = node.todo.pop() else {
            return Choice::Nothing;
        };
        node.chosen = chosen;
        node.op = Some(op);
        self.depth = at + 1;
        choice(run, chosen, None)
    }

    fn next(&mut self, run: &mut Run) -> bool {
        while self.depth > 0 {
            let node = &mut self.nodes[self.depth - 1];
            if let Some(op) = node.op {
                node.sleep.push((node.chosen, op));
            }
            if let Some((chosen, op)) = node.todo.pop() {
                node.chosen = chosen;
                node.op = Some(op);
                run.rewind(self.depth - 1, node.trail);
                return true;
            }
            self.depth -= 1;
        }
        false
    }
}

impl Node {
    fn is_awake(&self, lane: u32) -> bool {
        self.sleep.iter().all(|(asleep, _)| *asleep != lane)
    }
}
