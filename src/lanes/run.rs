//! One execution: its lanes and what they do.
//!
//! Rules:
//!
//! 1. A lane that is not running has said what it waits for: an operation, the
//!    end of another lane, or nothing (it has ended).
//! 2. Everything that lanes do is noted in the trail. While the known part of
//!    the trail is played again, each note must equal the one that is there.
//! 3. Inside the engine lanes and objects go by *stable* numbers: the n-th child
//!    (object) of a given lane has the same number whatever the others do.

use std::any::{Any, TypeId};
use std::fmt;
use std::panic::Location;
use std::rc::Rc;

use super::coroutine::Coroutine;
use super::op::{Core, LaneId, Op, OpKind, Step};
use super::report::Nondeterminism;
use super::schedule::Advance;
use super::search::Search;
use super::trail::{Note, Trail, What};

/// No lane, no slot, no step.
pub(super) const NONE: u32 = u32::MAX;

/// What a lane waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It runs, or it is about to because the lane that it joins has ended.
    Running,
    /// It is about to do its operation.
    Pending,
    /// It waits for the end of the lane with this index.
    Joining(u32),
    /// It has ended.
    Ended,
}

/// A lane of the running execution.
pub(super) struct Lane {
    pub(super) name: String,
    pub(super) stable: u32,
    pub(super) state: State,
    /// The operation that it is about to do, or did last.
    pub(super) op: Op,
    /// Where it waits for another lane.
    pub(super) join_at: Option<&'static Location<'static>>,
    pub(super) unwinding: bool,
    pub(super) joined_by: u32,
    children: u32,
    pub(super) objects: u32,
    pub(super) coroutine: Option<Coroutine>,
    pub(super) locals: Vec<(TypeId, Rc<dyn Any>)>,
}

/// Who holds a mutex.
#[derive(Debug, Clone, Copy)]
pub(super) struct Holder {
    /// Index of the lane, or `NONE`.
    pub(super) lane: u32,
    pub(super) name: &'static str,
    /// The line that took it.
    pub(super) at: &'static Location<'static>,
}

/// All of one exploration that outlives an execution, and the execution itself.
#[derive(Default)]
pub(super) struct Run {
    /// Number of this execution, unique in the process and never 0.
    pub(super) serial: u64,
    pub(super) replaying: bool,
    pub(super) max_steps: usize,
    pub(super) search: Option<Box<dyn Search>>,
    lanes: Vec<Lane>,
    active: usize,
    /// Holder of each mutex, by slot.
    pub(super) holders: Vec<Holder>,
    /// Stable number to index in `lanes`.
    index_of: Vec<u32>,
    /// Stable numbers of the children of each stable number.
    kin: Vec<Vec<u32>>,
    /// The lane whose join can go on.
    pub(super) ready: Option<u32>,
    /// How many new lanes are on their way to their first operation.
    pub(super) starting: u32,
    /// What is to be done when all lanes are at rest.
    pub(super) decided: Option<Advance>,
    /// How many lanes have not ended.
    pub(super) live: usize,
    pub(super) depth: usize,
    pub(super) last: u32,
    pub(super) trail: Trail,
    /// The execution was cut off at `max_steps`.
    pub(super) cut: bool,
    /// False while an execution is only being run out.
    pub(super) recording: bool,
    pub(super) steps: Vec<Step>,
    pub(super) schedule: Vec<LaneId>,
    /// Preemptions up to and with each step.
    pub(super) preemptions: Vec<u32>,
    pub(super) panics: Vec<(LaneId, String, String)>,
    pub(super) mismatch: Option<Box<Nondeterminism>>,
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("serial", &self.serial)
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}

impl Run {
    /// Forgets the last execution; the trail and the steps stay, to be repeated.
    pub(super) fn begin(&mut self, serial: u64) {
        self.serial = serial;
        self.active = 0;
        self.holders.clear();
        self.index_of.fill(NONE);
        self.ready = None;
        self.starting = 0;
        self.decided = None;
        self.live = 0;
        self.depth = 0;
        self.last = NONE;
        self.trail.restart();
        self.recording = true;
        self.cut = false;
        self.panics.clear();
        self.mismatch = None;
    }

    /// Cuts what is known back to a point that the next execution shares.
    pub(super) fn rewind(&mut self, depth: usize, trail: usize) {
        self.trail.notes.truncate(trail);
        self.steps.truncate(depth);
        self.schedule.truncate(depth);
        self.preemptions.truncate(depth);
    }

    pub(super) fn lanes(&self) -> &[Lane] {
        &self.lanes[..self.active]
    }

    pub(super) fn lane(&self, index: u32) -> &Lane {
        &self.lanes[index as usize]
    }

    pub(super) fn lane_mut(&mut self, index: u32) -> &mut Lane {
        &mut self.lanes[index as usize]
    }

    /// The index of the lane with this stable number, if it has been spawned.
    pub(super) fn index_of(&self, stable: u32) -> Option<u32> {
        self.index_of
            .get(stable as usize)
            .copied()
            .filter(|index| *index != NONE)
    }

    /// Whether the lane could do its operation now.
    pub(super) fn enabled(&self, lane: &Lane) -> bool {
        lane.state == State::Pending
            && (lane.op.core.kind != OpKind::Lock
                || self.holders[lane.op.slot as usize].lane == NONE)
    }

    /// The lane is about to do an operation; true when it may do it at once.
    #[inline]
    pub(super) fn step(&mut self, index: u32, op: &Op) -> bool {
        if self.repeats(index, &op.core) {
            return true;
        }
        self.announce(index, op);
        self.goes_on(index)
    }

    /// Books the step if it is the one that is known to come next.
    #[inline]
    fn repeats(&mut self, index: u32, op: &Core) -> bool {
        let planned = self
            .schedule
            .get(self.depth)
            .is_some_and(|lane| lane.0 == index);
        if !planned || self.starting > 0 || !self.recording {
            return false;
        }
        let stable = self.lanes[index as usize].stable;
        if !self.trail.repeats(stable, op) {
            return false;
        }
        self.depth += 1;
        self.last = index;
        true
    }

    fn announce(&mut self, index: u32, op: &Op) {
        let lane = &mut self.lanes[index as usize];
        // Field by field: a copy as one block stalls on the stores just done.
        lane.op.core.object = op.core.object;
        lane.op.core.key = op.core.key;
        lane.op.core.kind = op.core.kind;
        lane.op.name = op.name;
        lane.op.at = op.at;
        lane.op.slot = op.slot;
        lane.state = State::Pending;
        let stable = lane.stable;
        if self.recording && !self.trail.add(What::Announce, stable, NONE, op) {
            self.differs(What::Announce, stable, NONE, op);
        }
    }

    /// Books a step of this lane, which is about to do it.
    #[inline]
    pub(super) fn book(&mut self, index: u32) {
        if self.recording {
            if self.depth < self.steps.len() {
                self.trail.skip();
            } else {
                self.book_new(index);
            }
        }
        self.depth += 1;
        self.last = index;
        self.lanes[index as usize].state = State::Running;
    }

    fn book_new(&mut self, index: u32) {
        let last = self.last;
        let switched = last != NONE && last != index && self.enabled(self.lane(last));
        let before = self.preemptions.last().copied().unwrap_or(0);
        self.preemptions.push(before + u32::from(switched));
        self.schedule.push(LaneId(index));
        let lane = &self.lanes[index as usize];
        self.steps.push(Step {
            lane: LaneId(index),
            op: lane.op,
        });
        self.trail.add(What::Step, lane.stable, NONE, &lane.op);
    }

    pub(super) fn end_lane(&mut self, index: u32) {
        let lane = self.lane_mut(index);
        lane.state = State::Ended;
        let (stable, joiner) = (lane.stable, lane.joined_by);
        self.live -= 1;
        self.note(What::End, stable, NONE);
        if joiner != NONE {
            self.lane_mut(joiner).state = State::Running;
            self.ready = Some(joiner);
        }
    }

    /// The lane saw that `target` has ended.
    pub(super) fn joined(&mut self, index: u32, target: u32) {
        let (me, target) = (self.lane(index).stable, self.lane(target).stable);
        self.note(What::Join, me, target);
    }

    /// Makes a lane, as a child of `parent` (`NONE` for the main lane).
    pub(super) fn add_lane(&mut self, name: String, parent: u32) -> u32 {
        let stable = self.stable_child(parent);
        let index = self.active as u32;
        if self.index_of.len() <= stable as usize {
            self.index_of.resize(stable as usize + 1, NONE);
        }
        self.index_of[stable as usize] = index;
        if self.active == self.lanes.len() {
            self.lanes.push(Lane::new());
        }
        self.lanes[self.active].reset(name, stable);
        self.active += 1;
        self.live += 1;
        if parent != NONE {
            let parent = self.lane(parent).stable;
            self.note(What::Spawn, parent, stable);
        }
        index
    }

    fn stable_child(&mut self, parent: u32) -> u32 {
        let next = self.kin.len() as u32;
        if parent == NONE {
            if self.kin.is_empty() {
                self.kin.push(Vec::new());
            }
            return 0;
        }
        let parent = self.lane_mut(parent);
        let nth = parent.children as usize;
        parent.children += 1;
        let stable = parent.stable as usize;
        if let Some(known) = self.kin[stable].get(nth) {
            return *known;
        }
        self.kin[stable].push(next);
        self.kin.push(Vec::new());
        next
    }

    /// Remembers that a lane panicked.
    pub(super) fn record_panic(&mut self, index: u32, payload: &(dyn Any + Send)) {
        let message = if let Some(text) = payload.downcast_ref::<&'static str>() {
            (*text).to_owned()
        } else if let Some(text) = payload.downcast_ref::<String>() {
            text.clone()
        } else {
            "a panic whose payload is not text".to_owned()
        };
        let lane = self.lane_mut(index);
        lane.unwinding = false;
        let name = lane.name.clone();
        self.panics.push((LaneId(index), name, message));
    }

    fn note(&mut self, what: What, lane: u32, other: u32) {
        let op = Op::nothing();
        if self.recording && !self.trail.add(what, lane, other, &op) {
            self.differs(what, lane, other, &op);
        }
    }

    /// This note is not the one that is known.
    #[cold]
    fn differs(&mut self, what: What, lane: u32, other: u32, op: &Op) {
        if self.mismatch.is_some() {
            return;
        }
        let got = self.describe(&Note {
            what,
            lane,
            other,
            core: op.core,
            name: op.name,
        });
        let expected = self
            .trail
            .last()
            .map_or_else(String::new, |note| self.describe(note));
        self.mismatch = Some(Box::new(Nondeterminism {
            step: self.depth,
            expected,
            got,
        }));
    }

    #[cold]
    fn describe(&self, note: &Note) -> String {
        let name = |stable: u32| match self.index_of(stable) {
            Some(index) => format!("lane {index} ({:?})", self.lane(index).name),
            None => "another lane".to_owned(),
        };
        let lane = name(note.lane);
        match note.what {
            What::Announce | What::Step => {
                format!("{lane}: {}", note.core.describe(note.name))
            }
            What::Spawn => format!("{lane} spawns a lane"),
            What::Join => format!("{lane} joins {}", name(note.other)),
            What::End => format!("{lane} ends"),
        }
    }
}

impl Lane {
    fn new() -> Self {
        Self {
            name: String::new(),
            stable: 0,
            state: State::Running,
            op: Op::nothing(),
            join_at: None,
            unwinding: false,
            joined_by: NONE,
            children: 0,
            objects: 0,
            coroutine: None,
            locals: Vec::new(),
        }
    }

    fn reset(&mut self, name: String, stable: u32) {
        self.name = name;
        self.stable = stable;
        self.state = State::Running;
        self.op = Op::nothing();
        self.join_at = None;
        self.unwinding = false;
        self.joined_by = NONE;
        self.children = 0;
        self.objects = 0;
    }
}
