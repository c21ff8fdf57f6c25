//! The state of the execution that is running, and the operations of lanes on it.
//!
//! Rules:
//!
//! 1. `RT` holds a run exactly while lanes of it may execute; outside, objects
//!    work directly and without steps.
//! 2. A lane that is not running has said what it waits for: an operation, the
//!    end of another lane, or nothing (it has ended).
//! 3. Everything that lanes do is noted in the trail. While the known part of
//!    the trail is played again, each note must equal the one that is there.
//! 4. Inside the engine lanes and objects go by *stable* numbers: the n-th child
//!    (object) of a given lane has the same number whatever the others do.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::Location;
use std::rc::Rc;

use super::coroutine::{Coroutine, Pool, suspend};
use super::op::{LaneId, Op, OpKind, Step};
use super::report::Nondeterminism;

/// No lane, no slot.
pub(super) const NONE: u32 = u32::MAX;

thread_local! {
    static RT: RefCell<Option<Box<Runtime>>> = const { RefCell::new(None) };
    static ACTIVE: Cell<u32> = const { Cell::new(NONE) };
    static POOL: RefCell<Pool> = const { RefCell::new(Pool::new()) };
}

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
    pub(super) op: Option<Op>,
    /// Where it waits for another lane.
    pub(super) join_at: Option<&'static Location<'static>>,
    /// What it holds: mutexes by slot, with the line that took each.
    pub(super) held: Vec<Held>,
    pub(super) unwinding: bool,
    joined_by: u32,
    children: u32,
    objects: u32,
    coroutine: Option<Coroutine>,
    locals: Vec<(TypeId, Rc<dyn Any>)>,
}

/// A mutex that a lane holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    pub(super) slot: u32,
    pub(super) name: &'static str,
    pub(super) at: &'static Location<'static>,
}

/// What happened, as far as another run of the same schedule must repeat it.
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
    pub(super) op: Option<Op>,
}

impl Note {
    fn same_as(&self, other: &Self) -> bool {
        self.what == other.what
            && self.lane == other.lane
            && self.other == other.other
            && match (&self.op, &other.op) {
                (Some(a), Some(b)) => a.same_as(b),
                (None, None) => true,
                _ => false,
            }
    }
}

/// All of one exploration that outlives an execution, and the execution itself.
#[derive(Default)]
pub(super) struct Runtime {
    /// Number of this execution, unique in the process and never 0.
    pub(super) serial: u64,
    pub(super) replaying: bool,
    lanes: Vec<Lane>,
    active: usize,
    /// Holder of each mutex, by slot.
    pub(super) holders: Vec<u32>,
    /// Stable number to index in `lanes`.
    index_of: Vec<u32>,
    /// Stable numbers of the children of each stable number.
    kin: Vec<Vec<u32>>,
    /// Lanes whose join can go on.
    pub(super) ready: Vec<u32>,
    pub(super) live: usize,
    pub(super) depth: usize,
    pub(super) last: u32,
    pub(super) trail: Vec<Note>,
    cursor: usize,
    recording: bool,
    pub(super) steps: Vec<Step>,
    pub(super) schedule: Vec<LaneId>,
    /// Preemptions up to and with each step.
    pub(super) preemptions: Vec<u32>,
    pub(super) panics: Vec<(LaneId, String, String)>,
    pub(super) mismatch: Option<Nondeterminism>,
    /// A closure that must be one step is running.
    pub(super) sealed: bool,
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime")
            .field("serial", &self.serial)
            .field("depth", &self.depth)
            .finish_non_exhaustive()
    }
}

impl Runtime {
    /// Forgets the last execution; the trail and the steps stay, to be repeated.
    pub(super) fn begin(&mut self, serial: u64) {
        self.serial = serial;
        self.active = 0;
        self.holders.clear();
        self.index_of.fill(NONE);
        self.ready.clear();
        self.live = 0;
        self.depth = 0;
        self.last = NONE;
        self.cursor = 0;
        self.recording = true;
        self.panics.clear();
        self.mismatch = None;
        self.sealed = false;
    }

    /// Cuts what is known back to a point that the next execution shares.
    pub(super) fn rewind(&mut self, depth: usize, trail: usize) {
        self.trail.truncate(trail);
        self.steps.truncate(depth);
        self.schedule.truncate(depth);
        self.preemptions.truncate(depth);
    }

    /// Stops taking notes: what follows is run only to end the lanes.
    pub(super) fn stop_recording(&mut self) {
        self.recording = false;
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
            && lane.op.is_some_and(|op| {
                op.kind != OpKind::Lock || self.holders[op.slot as usize] == NONE
            })
    }

    fn note(&mut self, what: What, lane: u32, other: u32, op: Option<Op>) {
        if !self.recording {
            return;
        }
        let note = Note {
            what,
            lane,
            other,
            op,
        };
        match self.trail.get(self.cursor) {
            Some(known) if !known.same_as(&note) => {
                if self.mismatch.is_none() {
                    let known = *known;
                    self.mismatch = Some(Nondeterminism {
                        step: self.depth,
                        expected: self.describe(&known),
                        got: self.describe(&note),
                    });
                }
            }
            Some(_) => {}
            None => self.trail.push(note),
        }
        self.cursor += 1;
    }

    fn describe(&self, note: &Note) -> String {
        let name = |stable: u32| match self.index_of(stable) {
            Some(index) => format!("lane {index} ({:?})", self.lane(index).name),
            None => "another lane".to_owned(),
        };
        let lane = name(note.lane);
        match (note.what, note.op) {
            (What::Announce | What::Step, Some(op)) => format!("{lane}: {op}"),
            (What::Announce | What::Step, None) => lane,
            (What::Spawn, _) => format!("{lane} spawns a lane"),
            (What::Join, _) => format!("{lane} joins {}", name(note.other)),
            (What::End, _) => format!("{lane} ends"),
        }
    }

    /// Makes a lane, as a child of `parent` (`NONE` for the main lane).
    fn add_lane(&mut self, name: String, parent: u32) -> u32 {
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
            self.note(What::Spawn, parent, stable, None);
        }
        index
    }

    fn stable_child(&mut self, parent: u32) -> u32 {
        if parent == NONE {
            if self.kin.is_empty() {
                self.kin.push(Vec::new());
            }
            return 0;
        }
        let next = self.kin.len() as u32;
        let parent = self.lane_mut(parent);
        let nth = parent.children as usize;
        parent.children += 1;
        let stable = parent.stable as usize;
        let kin = &mut self.kin[stable];
        if let Some(known) = kin.get(nth) {
            return *known;
        }
        kin.push(next);
        self.kin.push(Vec::new());
        next
    }

    /// Books a step of this lane, which is about to be resumed.
    pub(super) fn book(&mut self, index: u32) {
        let lane = &self.lanes[index as usize];
        let (stable, op) = (lane.stable, lane.op);
        if self.recording && self.steps.len() == self.depth {
            let last = self.last;
            let switched = last != NONE && last != index && self.enabled(self.lane(last));
            let before = self.preemptions.last().copied().unwrap_or(0);
            self.preemptions.push(before + u32::from(switched));
            self.schedule.push(LaneId(index));
            if let Some(op) = op {
                self.steps.push(Step {
                    lane: LaneId(index),
                    op,
                });
            }
        }
        self.note(What::Step, stable, NONE, op);
        self.depth += 1;
        self.last = index;
        self.lane_mut(index).state = State::Running;
    }

    fn end_lane(&mut self, index: u32) {
        let lane = self.lane_mut(index);
        lane.state = State::Ended;
        let (stable, joiner) = (lane.stable, lane.joined_by);
        self.live -= 1;
        self.note(What::End, stable, NONE, None);
        if joiner != NONE {
            self.lane_mut(joiner).state = State::Running;
            self.ready.push(joiner);
        }
    }

    /// Remembers that a lane panicked.
    fn record_panic(&mut self, index: u32, payload: &(dyn Any + Send)) {
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
}

impl Lane {
    fn new() -> Self {
        Self {
            name: String::new(),
            stable: 0,
            state: State::Running,
            op: None,
            join_at: None,
            held: Vec::new(),
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
        self.op = None;
        self.join_at = None;
        self.held.clear();
        self.unwinding = false;
        self.joined_by = NONE;
        self.children = 0;
        self.objects = 0;
    }
}

/// The lane that is running, or `None` outside an execution.
pub(super) fn active() -> Option<u32> {
    let index = ACTIVE.get();
    (index != NONE).then_some(index)
}

/// Works on the run that is going on.
///
/// # Panics
///
/// When there is none; callers ask `active` first.
pub(super) fn with<R>(f: impl FnOnce(&mut Runtime) -> R) -> R {
    RT.with_borrow_mut(|rt| f(rt.as_mut().expect("no execution is running")))
}

/// As `with`, but `None` where the run can not be reached.
pub(super) fn try_with<R>(f: impl FnOnce(&mut Runtime) -> R) -> Option<R> {
    RT.try_with(|rt| rt.try_borrow_mut().ok()?.as_mut().map(|rt| f(rt)))
        .ok()?
}

/// Puts a run in force (or takes it away) and gives back the one before.
pub(super) fn install(run: Option<Box<Runtime>>) -> Option<Box<Runtime>> {
    RT.replace(run)
}

/// Takes the lane to its next operation; only for the driver and `start`.
pub(super) fn resume(index: u32) {
    let Some(mut coroutine) = with(|rt| rt.lane_mut(index).coroutine.take()) else {
        return;
    };
    let outer = ACTIVE.replace(index);
    let ended = coroutine.resume();
    ACTIVE.set(outer);
    if ended {
        POOL.with_borrow_mut(|pool| pool.give(coroutine.into_stack()));
    } else {
        with(|rt| rt.lane_mut(index).coroutine = Some(coroutine));
    }
}

/// Makes a lane and runs it up to its first operation.
pub(super) fn start(name: String, body: impl FnOnce() + 'static) -> u32 {
    let parent = ACTIVE.get();
    let index = with(|rt| rt.add_lane(name, parent));
    let stack = POOL.with_borrow_mut(Pool::take);
    let coroutine = Coroutine::new(stack, move || {
        body();
        with(|rt| rt.end_lane(index));
    });
    with(|rt| rt.lane_mut(index).coroutine = Some(coroutine));
    resume(index);
    index
}

/// Gives up every lane that has not ended.
pub(super) fn abandon() {
    let count = with(|rt| rt.active);
    for index in 0..count as u32 {
        let (coroutine, locals) = with(|rt| {
            let lane = rt.lane_mut(index);
            (lane.coroutine.take(), std::mem::take(&mut lane.locals))
        });
        if let Some(coroutine) = coroutine {
            std::mem::forget(locals);
            POOL.with_borrow_mut(|pool| pool.give(coroutine.abandon()));
        }
    }
}

/// Waits until the scheduler lets the running lane do `op`.
pub(super) fn visible(op: Op) {
    with(|rt| {
        let index = ACTIVE.get();
        let lane = rt.lane_mut(index);
        lane.op = Some(op);
        lane.state = State::Pending;
        if lane.unwinding && !std::thread::panicking() {
            lane.unwinding = false;
        }
        let stable = lane.stable;
        rt.note(What::Announce, stable, NONE, Some(op));
    });
    suspend();
}

/// Waits until the lane with index `target` has ended.
pub(super) fn wait_for(target: u32, at: &'static Location<'static>) {
    let me = ACTIVE.get();
    let waits = with(|rt| {
        let waits = rt.lane(target).state != State::Ended;
        if waits {
            let lane = rt.lane_mut(me);
            lane.state = State::Joining(target);
            lane.join_at = Some(at);
            rt.lane_mut(target).joined_by = me;
        }
        waits
    });
    if waits {
        suspend();
    }
    with(|rt| {
        let (me, target) = (rt.lane(me).stable, rt.lane(target).stable);
        rt.note(What::Join, me, target, None);
    });
}

/// The stable number of an object that is made now.
pub(super) fn new_object() -> (u64, u64) {
    match active() {
        None => (super::object::outside(), 0),
        Some(me) => with(|rt| {
            let serial = rt.serial;
            let lane = rt.lane_mut(me);
            lane.objects += 1;
            (
                u64::from(lane.stable) << 32 | u64::from(lane.objects),
                serial,
            )
        }),
    }
}

/// Remembers the panic of the running lane.
pub(super) fn record_panic(payload: &(dyn Any + Send)) {
    let me = ACTIVE.get();
    with(|rt| rt.record_panic(me, payload));
}

/// The value of type `T` that belongs to the running lane.
pub(super) fn local<T: Default + 'static>(me: u32) -> Rc<dyn Any> {
    let id = TypeId::of::<T>();
    let known = with(|rt| {
        let locals = &rt.lane(me).locals;
        locals
            .iter()
            .find(|(key, _)| *key == id)
            .map(|(_, value)| Rc::clone(value))
    });
    known.unwrap_or_else(|| {
        let value: Rc<dyn Any> = Rc::new(T::default());
        with(|rt| rt.lane_mut(me).locals.push((id, Rc::clone(&value))));
        value
    })
}

/// Takes the youngest lane-local value of the running lane away.
pub(super) fn pop_local() -> Option<Rc<dyn Any>> {
    let me = ACTIVE.get();
    with(|rt| rt.lane_mut(me).locals.pop()).map(|(_, value)| value)
}

/// Whether the running lane is unwinding.
///
/// The standard library counts panics per OS thread, and another lane may be
/// suspended in the middle of unwinding; so its answer is only a hint.
pub(super) fn unwinding(me: u32) -> bool {
    if !std::thread::panicking() {
        return false;
    }
    with(|rt| {
        let other = rt
            .lanes()
            .iter()
            .any(|lane| lane.unwinding && lane.state != State::Ended);
        let lane = rt.lane_mut(me);
        if !other {
            lane.unwinding = true;
        }
        lane.unwinding
    })
}
