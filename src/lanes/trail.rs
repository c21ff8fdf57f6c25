//! What happened in an execution, as far as another run must repeat it.

use super::op::Op;

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
    pub(super) op: Op,
}

impl Note {
    fn same_as(&self, other: &Self) -> bool {
        self.what == other.what
            && self.lane == other.lane
            && self.other == other.other
            && self.op.same_as(&other.op)
    }
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

    /// Adds a note, or compares it with the one that is known; gives back the
    /// known one where they differ.
    pub(super) fn add(&mut self, note: &Note) -> Option<Note> {
        let known = self.notes.get(self.cursor);
        self.cursor += 1;
        match known {
            None => {
                self.notes.push(*note);
                None
            }
            Some(known) => (!known.same_as(note)).then_some(*known),
        }
    }
}
