//! Wakeup trees: the continuations of a node that are still to be explored.
//!
//! The children of a tree node are tried in their order; a leaf stands for
//! everything that can follow it. Nodes live in an arena and are reused.

use super::op::Core;
use super::run::NONE;

/// A step of a continuation: the lane, by stable number, and what it does.
pub(super) type Turn = (u32, Core);

#[derive(Debug, Clone, Copy)]
struct Branch {
    turn: Turn,
    child: u32,
    next: u32,
}

/// All trees of a search.
#[derive(Debug, Default)]
pub(super) struct Forest {
    branches: Vec<Branch>,
    spare: Vec<u32>,
}

/// Whether the lane of `turn` may go first in the continuation `rest`, or is
/// independent of all of it: whether `rest` can be run after `turn` without
/// running anything new (the *weak initials* of the paper).
pub(super) fn may_lead(turn: &Turn, rest: &[Turn]) -> bool {
    for (lane, op) in rest {
        if *lane == turn.0 {
            return true;
        }
        if op.depends_on(&turn.1) {
            return false;
        }
    }
    true
}

impl Forest {
    /// Takes the first branch of the tree at `head`: its turn, the tree below it,
    /// and the tree that remains.
    pub(super) fn take(&mut self, head: u32) -> Option<(Turn, u32, u32)> {
        let branch = *self.branches.get(head as usize)?;
        self.spare.push(head);
        Some((branch.turn, branch.child, branch.next))
    }

    /// Adds a continuation to the tree at `head` unless a branch covers it.
    /// `rest` is used up.
    pub(super) fn insert(&mut self, head: &mut u32, rest: &mut Vec<Turn>) {
        let mut parent = NONE;
        let mut list = *head;
        loop {
            let mut last = NONE;
            let mut found = NONE;
            let mut at = list;
            while at != NONE {
                let branch = &self.branches[at as usize];
                if may_lead(&branch.turn, rest) {
                    found = at;
                    break;
                }
                last = at;
                at = branch.next;
            }
            if found == NONE {
                let chain = self.chain(rest);
                match (last, parent) {
                    (NONE, NONE) => *head = chain,
                    (NONE, parent) => self.branches[parent as usize].child = chain,
                    (last, _) => self.branches[last as usize].next = chain,
                }
                return;
            }
            let Branch { turn, child, .. } = self.branches[found as usize];
            if let Some(nth) = rest.iter().position(|(lane, _)| *lane == turn.0) {
                rest.remove(nth);
            }
            if child == NONE || rest.is_empty() {
                return;
            }
            parent = found;
            list = child;
        }
    }

    /// One branch after the other, each the only child of the one before.
    fn chain(&mut self, rest: &[Turn]) -> u32 {
        let mut child = NONE;
        for turn in rest.iter().rev() {
            let branch = Branch {
                turn: *turn,
                child,
                next: NONE,
            };
            child = match self.spare.pop() {
                Some(index) => {
                    self.branches[index as usize] = branch;
                    index
                }
                None => {
                    self.branches.push(branch);
                    self.branches.len() as u32 - 1
                }
            };
        }
        child
    }
}
