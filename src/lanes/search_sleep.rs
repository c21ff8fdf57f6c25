//! Depth-first search with sleep sets (Godefroid, 1996).
//!
//! Every enabled lane of every node is tried, except those whose step was tried
//! before in an order that commutes with this one. Completed executions are the
//! classes, each exactly once; some executions find out late that they repeat a
//! class. The engine keeps this search to check the optimal one.

use super::op::Op;
use super::runtime::Runtime;
use super::search::{Choice, Search};

#[derive(Debug, Default)]
struct Node {
    /// Length of the trail before the step.
    trail: usize,
    chosen: u32,
    /// Enabled lanes that are still to be tried.
    todo: Vec<(u32, Op)>,
    /// Lanes that are asleep, with their operations.
    sleep: Vec<(u32, Op)>,
    op: Option<Op>,
}

/// The state of the search: the nodes of the current path.
#[derive(Debug, Default)]
pub(super) struct SleepSearch {
    nodes: Vec<Node>,
    depth: usize,
}

impl Search for SleepSearch {
    fn choose(&mut self, run: &Runtime) -> Choice {
        let at = run.depth;
        if at < self.depth {
            return lane(run, self.nodes[at].chosen);
        }
        if self.nodes.len() == at {
            self.nodes.push(Node::default());
        }
        let (before, rest) = self.nodes.split_at_mut(at);
        let node = &mut rest[0];
        node.trail = run.trail.len();
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
            if let Some(op) = lane.op.filter(|_| node.is_awake(lane.stable)) {
                node.todo.push((lane.stable, op));
            }
        }
        let Some((chosen, op)) = node.todo.pop() else {
            return Choice::Redundant;
        };
        node.chosen = chosen;
        node.op = Some(op);
        self.depth = at + 1;
        lane(run, chosen)
    }

    fn next(&mut self, run: &mut Runtime) -> bool {
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

fn lane(run: &Runtime, stable: u32) -> Choice {
    run.index_of(stable)
        .map_or(Choice::Impossible("it has not been spawned"), Choice::Lane)
}
