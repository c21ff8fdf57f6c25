//! The run that is in force on this OS thread, and how lanes act on it.
//!
//! Rules:
//!
//! 1. `RUN` holds a run exactly while lanes of it may execute; outside, objects
//!    work directly and without steps.
//! 2. `ACTIVE` is the index of the lane that is running right now.
//! 3. `RUN` is never borrowed while a lane is resumed or suspended.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::panic::Location;
use std::rc::Rc;

use super::coroutine::{Coroutine, Pool, Stack, suspend};
use super::run::{Lane, NONE, Run, State};
use super::schedule::Advance;

thread_local! {
    static RUN: RefCell<Option<Box<Run>>> = const { RefCell::new(None) };
    static ACTIVE: Cell<u32> = const { Cell::new(NONE) };
    static SERIAL: Cell<u64> = const { Cell::new(0) };
    /// How many lanes were given up in the middle of unwinding.
    static LEAKED: Cell<u32> = const { Cell::new(0) };
    static SEALED: Cell<bool> = const { Cell::new(false) };
    static POOL: RefCell<Pool> = const { RefCell::new(Pool::new()) };
}

/// The lane that is running, or `None` outside an execution.
#[inline]
pub(super) fn active() -> Option<u32> {
    let index = ACTIVE.get();
    (index != NONE).then_some(index)
}

/// The number of the execution that is running; 0 outside.
#[inline]
pub(super) fn serial() -> u64 {
    if ACTIVE.get() == NONE {
        0
    } else {
        SERIAL.get()
    }
}

/// Says that a closure that must be one step starts or ends.
pub(super) fn seal(sealed: bool) {
    SEALED.set(sealed);
}

/// Whether a closure that must be one step is running.
#[inline]
pub(super) fn is_sealed() -> bool {
    SEALED.get()
}

/// Works on the run in force.
///
/// # Panics
///
/// When there is none; callers ask `active` first.
#[inline]
pub(super) fn with<R>(f: impl FnOnce(&mut Run) -> R) -> R {
    RUN.with_borrow_mut(|run| f(run.as_mut().expect("no execution is running")))
}

/// As `with`, but `None` where the run can not be reached.
pub(super) fn try_with<R>(f: impl FnOnce(&mut Run) -> R) -> Option<R> {
    RUN.try_with(|run| run.try_borrow_mut().ok()?.as_mut().map(|run| f(run)))
        .ok()?
}

/// Puts a run in force (or takes it away) and gives back the one before.
pub(super) fn install(run: Option<Box<Run>>) -> Option<Box<Run>> {
    SERIAL.set(run.as_ref().map_or(0, |run| run.serial));
    RUN.replace(run)
}

fn recycle(stack: Option<Stack>) {
    if let Some(stack) = stack {
        POOL.with_borrow_mut(|pool| pool.give(stack));
    }
}

/// Lets the lane run until it suspends or ends, and says what is to be done then.
pub(super) fn resume(index: u32) -> Advance {
    let Some(mut coroutine) = with(|run| run.lane_mut(index).coroutine.take()) else {
        return with(Run::next);
    };
    ACTIVE.set(index);
    let ended = coroutine.resume();
    ACTIVE.set(NONE);
    let rest = if ended {
        recycle(coroutine.into_stack());
        None
    } else {
        Some(coroutine)
    };
    with(|run| {
        run.lane_mut(index).coroutine = rest;
        run.next()
    })
}

/// Makes a lane and runs it up to its first operation.
pub(super) fn start(name: String, body: impl FnOnce() + 'static) -> u32 {
    let parent = ACTIVE.get();
    let index = with(|run| {
        run.starting += 1;
        run.add_lane(name, parent)
    });
    let stack = POOL.with_borrow_mut(Pool::take);
    let mut coroutine = Coroutine::new(stack, move || {
        body();
        with(|run| run.end_lane(index));
    });
    ACTIVE.set(index);
    let ended = coroutine.resume();
    ACTIVE.set(parent);
    let rest = if ended {
        recycle(coroutine.into_stack());
        None
    } else {
        Some(coroutine)
    };
    with(|run| {
        run.starting -= 1;
        run.lane_mut(index).coroutine = rest;
    });
    index
}

/// Gives up every lane that has not ended.
pub(super) fn abandon() {
    let count = with(|run| run.lanes().len());
    for index in 0..count as u32 {
        let (coroutine, locals, unwinding) = with(|run| {
            let lane = run.lane_mut(index);
            (
                lane.coroutine.take(),
                std::mem::take(&mut lane.locals),
                lane.unwinding,
            )
        });
        if let Some(coroutine) = coroutine {
            std::mem::forget(locals);
            LEAKED.set(LEAKED.get() + u32::from(unwinding));
            recycle(coroutine.abandon());
        }
    }
}

/// Waits until the lane that has announced an operation may do it.
pub(super) fn pause() {
    suspend();
}

/// Waits until the lane with index `target` has ended.
pub(super) fn wait_for(target: u32, at: &'static Location<'static>) {
    let me = ACTIVE.get();
    let waits = with(|run| {
        let waits = run.lane(target).state != State::Ended;
        if waits {
            let lane = run.lane_mut(me);
            lane.state = State::Joining(target);
            lane.join_at = Some(at);
            run.lane_mut(target).joined_by = me;
        }
        waits
    });
    if waits {
        suspend();
    }
    with(|run| run.joined(me, target));
}

/// The stable number of an object that is made now, and the execution it is of.
pub(super) fn new_object() -> Option<(u64, u64)> {
    let me = active()?;
    with(|run| {
        let serial = run.serial;
        let lane = run.lane_mut(me);
        lane.objects += 1;
        Some((
            u64::from(lane.stable) << 32 | u64::from(lane.objects),
            serial,
        ))
    })
}

/// Remembers the panic of the running lane.
pub(super) fn record_panic(payload: &(dyn Any + Send)) {
    let me = ACTIVE.get();
    with(|run| run.record_panic(me, payload));
}

/// The value of type `T` that belongs to the running lane.
pub(super) fn local<T: Default + 'static>(me: u32) -> Rc<dyn Any> {
    let id = TypeId::of::<T>();
    let known = with(|run| {
        let locals = &run.lane(me).locals;
        locals
            .iter()
            .find(|(key, _)| *key == id)
            .map(|(_, value)| Rc::clone(value))
    });
    known.unwrap_or_else(|| {
        let value: Rc<dyn Any> = Rc::new(T::default());
        with(|run| run.lane_mut(me).locals.push((id, Rc::clone(&value))));
        value
    })
}

/// Takes the youngest lane-local value of the running lane away.
pub(super) fn pop_local() -> Option<Rc<dyn Any>> {
    let me = ACTIVE.get();
    with(|run| run.lane_mut(me).locals.pop()).map(|(_, value)| value)
}

/// Whether the running lane is unwinding.
///
/// The standard library counts panics per OS thread, and another lane may be
/// suspended in the middle of unwinding, or have been given up there; so its
/// answer is only a hint, and what the panic hook saw decides.
pub(super) fn unwinding(me: u32) -> bool {
    if !std::thread::panicking() {
        return false;
    }
    let leaked = LEAKED.get() > 0;
    with(|run| {
        let suspended = |lane: &Lane| lane.unwinding && lane.state != State::Ended;
        let unsure = leaked || run.lanes().iter().any(suspended);
        let lane = run.lane_mut(me);
        lane.unwinding |= !unsure;
        lane.unwinding
    })
}
