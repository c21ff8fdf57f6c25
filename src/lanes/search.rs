//! What chooses the next lane: the interface of all searches.

use super::op::Core;
use super::run::Run;

/// What to do at a point of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Choice {
    /// Run the lane with this index.
    Lane(u32),
    /// No lane can go on, or every continuation repeats one that was seen.
    Nothing,
    /// The lane that should run can not do what it should.
    Impossible { expected: String, got: String },
}

/// Chooses the schedules of an exploration, one execution after the other.
///
/// Searches know lanes by their stable numbers: indices may differ between
/// executions.
pub(super) trait Search: std::fmt::Debug {
    /// Chooses the next step.
    fn choose(&mut self, run: &Run) -> Choice;

    /// An execution is over (`blocked` lanes may remain). Rewinds the run to the
    /// point from which the next execution differs; false when none is left.
    fn next(&mut self, run: &mut Run) -> bool;
}

/// Takes the lane with this stable number, which is to do `op`.
pub(super) fn choice(run: &Run, stable: u32, op: Option<&Core>) -> Choice {
    let Some(index) = run.index_of(stable) else {
        return impossible(op, "a lane that has not been spawned".to_owned());
    };
    let lane = run.lane(index);
    if !run.enabled(lane) {
        return impossible(op, format!("lane {index} ({:?}) can not go on", lane.name));
    }
    match op {
        Some(known) if !(lane.op.core == *known) => {
            impossible(op, format!("lane {index} ({:?}): {}", lane.name, lane.op))
        }
        _ => Choice::Lane(index),
    }
}

#[cold]
fn impossible(op: Option<&Core>, got: String) -> Choice {
    let expected = op.map_or_else(
        || "a step".to_owned(),
        |op| format!("{:?} of object {:x}", op.kind, op.object),
    );
    Choice::Impossible { expected, got }
}
