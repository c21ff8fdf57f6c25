//! What chooses the next lane: the interface of all searches.

use super::runtime::Runtime;

/// What to do at a point of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// Run the lane with this index.
    Lane(u32),
    /// Every continuation repeats one that was seen.
    Redundant,
    /// The lane that should run can not, for this reason.
    Impossible(&'static str),
}

/// Chooses the schedules of an exploration, one execution after the other.
///
/// Searches know lanes by their stable numbers: indices may differ between
/// executions.
pub(super) trait Search {
    /// Chooses the next step; some lane is enabled.
    fn choose(&mut self, run: &Runtime) -> Choice;

    /// An execution is over (`blocked` lanes may remain). Rewinds the run to the
    /// point from which the next execution differs; false when none is left.
    fn next(&mut self, run: &mut Runtime) -> bool;
}
