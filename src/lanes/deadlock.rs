//! Finds out who waits for whom.

use super::op::OpKind;
use super::report::{Deadlock, Wait};
use super::run::{NONE, Run, State};

/// Describes the waiting lanes: a cycle where there is one, else all of them.
pub(super) fn describe(run: &Run) -> Deadlock {
    let members = cycle(run).unwrap_or_else(|| {
        (0..run.lanes().len() as u32)
            .filter(|lane| is_blocked(run, *lane))
            .collect()
    });
    Deadlock {
        waits: members.iter().filter_map(|lane| wait(run, *lane)).collect(),
    }
}

/// The first cycle of lanes, from its lowest number on.
pub(super) fn cycle(run: &Run) -> Option<Vec<u32>> {
    let count = run.lanes().len() as u32;
    (0..count).find_map(|first| {
        let mut members = vec![first];
        let mut lane = first;
        for _ in 0..count {
            lane = waits_for(run, lane)?;
            if lane == first {
                return Some(members);
            }
            members.push(lane);
        }
        None
    })
}

fn is_blocked(run: &Run, index: u32) -> bool {
    let lane = run.lane(index);
    match lane.state {
        State::Joining(_) => true,
        State::Pending => !run.enabled(lane),
        State::Running | State::Ended => false,
    }
}

/// The lane without which this one can not go on.
fn waits_for(run: &Run, index: u32) -> Option<u32> {
    let lane = run.lane(index);
    match lane.state {
        State::Joining(target) => Some(target),
        State::Pending if lane.op.core.kind == OpKind::Lock => {
            let holder = run.holders.get(lane.op.slot as usize)?.lane;
            (holder != NONE).then_some(holder)
        }
        _ => None,
    }
}

fn wait(run: &Run, index: u32) -> Option<Wait> {
    let lane = run.lane(index);
    let other = waits_for(run, index).map(|other| run.lane(other).name.clone());
    let (wants, at) = match lane.state {
        State::Joining(target) => (
            format!("the end of {}", run.lane(target).name),
            lane.join_at?,
        ),
        _ => (lane.op.name.to_owned(), lane.op.at),
    };
    Some(Wait {
        lane: lane.name.clone(),
        wants,
        at,
        holds: run
            .holders
            .iter()
            .filter(|holder| holder.lane == index)
            .map(|holder| (holder.name.to_owned(), holder.at))
            .collect(),
        held_by: other,
    })
}
