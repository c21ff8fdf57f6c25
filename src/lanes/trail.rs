//! What happened in an execution, as far as another run must repeat it.

use super::op::{Core, Op};

/// What a note tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// The lane is about to do the operation.
    Announce,
    /// The lane did the operation.
    Step,
    /// The lane spawned `other`.
    Spawn,
    /// The lane saw that `other` has ended.
    Join,
    /// The lane ended.
    End,
}

/// One entry of the trail; lanes are stable numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Note {
    pub(super) what: What,
    pub(super) lane: u32,
    pub(super) other: u32,
    pub(super) core: Core,
    /// The name of the object.
    pub(super) name: &'static str,
}

/// The notes that are known, and how far this execution has repeated them.
#[derive(Debug, Default)]
pub(super) struct Trail {
    pub(super) notes: Vec<Note>,
    cursor: usize,
}

impl Trail {
    /// Starts to repeat the known notes.
    pub(super) fn restart(&mut self) {
        self.cursor = 0;
    }

    /// Adds a note, or compares it with the one that is known; false where they
    /// differ.
    #[inline]
    pub(super) fn add(&mut self, what: What, lane: u32, other: u32, op: &Op) -> bool {
        let known = self.notes.get(self.cursor);
        self.cursor += 1;
        match known {
            Some(known) => {
                known.what == what
                    && known.lane == lane
                    && known.other == other
                    && known.core == op.core
            }
            None => {
                self.notes.push(Note {
                    what,
                    lane,
                    other,
                    core: op.core,
                    name: op.name,
                });
                true
            }
        }
    }

    /// Whether the next two notes are that the lane announces `op` and does it;
    /// then it passes over both.
    #[inline]
    pub(super) fn repeats(&mut self, lane: u32, op: &Core) -> bool {
        let Some(known) = self.notes.get(self.cursor) else {
            return false;
        };
        let same = known.what == What::Announce && known.lane == lane && known.core == *op;
        let at_once = self
            .notes
            .get(self.cursor + 1)
            .is_some_and(|note| note.what == What::Step);
        if same && at_once {
            self.cursor += 2;
        }
        same && at_once
    }

    /// Passes over a note that need not be compared.
    #[inline]
    pub(super) fn skip(&mut self) {
        self.cursor += 1;
    }

    /// The note that the last one was compared with.
    pub(super) fn last(&self) -> Option<&Note> {
        self.notes.get(self.cursor.checked_sub(1)?)
    }
}
