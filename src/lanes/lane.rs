//! What a body may do besides touching objects: lanes and their locals.
#![expect(
    clippy::disallowed_types,
    reason = "results cross lanes in a mutex of std's"
)]

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use super::object;
use super::op::LaneId;
use super::runtime;

/// Where a lane leaves its result.
type Slot<T> = Arc<Mutex<Option<std::thread::Result<T>>>>;

/// The right to wait for a lane.
pub struct JoinHandle<T> {
    slot: Slot<T>,
    lane: u32,
    serial: u64,
}

/// Starts a lane; it runs at once up to its first step.
///
/// That is no choice point: starting a lane commutes with everything.
///
/// # Panics
///
/// Outside an execution.
pub fn spawn<T: Send + 'static>(
    name: impl Into<String>,
    f: impl FnOnce() -> T + Send + 'static,
) -> JoinHandle<T> {
    assert!(
        in_execution(),
        "lanes::spawn outside an execution; call it in a body"
    );
    assert!(
        !runtime::is_sealed(),
        "an access to a keyed store must not spawn: it is one step"
    );
    let serial = runtime::serial();
    let slot: Slot<T> = Arc::default();
    let lane = runtime::start(name.into(), wrap(f, Arc::clone(&slot)));
    JoinHandle { slot, lane, serial }
}

/// What the coroutine of a lane runs; it never unwinds.
pub(super) fn wrap<T: 'static>(
    f: impl FnOnce() -> T + 'static,
    slot: Slot<T>,
) -> impl FnOnce() + 'static {
    move || {
        let result = catch_unwind(AssertUnwindSafe(f));
        if let Err(payload) = &result {
            runtime::record_panic(payload.as_ref());
        }
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        guarded(move || drop(slot));
        while let Some(value) = runtime::pop_local() {
            guarded(move || drop(value));
        }
    }
}

/// Runs drop code; a panic in it is remembered as one of the lane.
fn guarded(f: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(f)) {
        runtime::record_panic(payload.as_ref());
        // The payload itself may panic when it is dropped.
        std::mem::forget(payload);
    }
}

impl<T> JoinHandle<T> {
    /// Waits for the end of the lane; no step, and no choice point.
    ///
    /// # Errors
    ///
    /// The payload of the panic that ended the lane. A lane of an execution
    /// that was given up has no result; then the payload says so.
    #[track_caller]
    pub fn join(self) -> std::thread::Result<T> {
        let here = in_execution() && runtime::serial() == self.serial;
        if here {
            runtime::wait_for(self.lane, Location::caller());
        }
        // The lane has let go of the slot when it ended.
        let result = Arc::into_inner(self.slot)
            .and_then(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner));
        result.unwrap_or_else(|| Err(Box::new("the execution of this lane was given up")))
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle")
            .field("lane", &self.lane)
            .finish_non_exhaustive()
    }
}

/// A step that depends on nothing; outside an execution it does nothing.
#[track_caller]
pub fn yield_now() {
    object::idle_step();
}

/// The lane that is running; `None` outside an execution.
pub fn current() -> Option<LaneId> {
    runtime::active().map(LaneId)
}

/// The name of the lane that is running; `None` outside an execution.
pub fn current_name() -> Option<String> {
    let me = runtime::active()? as usize;
    runtime::with(|rt| rt.lanes().get(me).map(|lane| lane.name.clone()))
}

/// Whether this code runs in a lane.
pub fn in_execution() -> bool {
    runtime::active().is_some()
}

/// How many steps this execution has scheduled so far, which is the number
/// (from 1) of the step that is being executed; `None` outside an execution.
pub fn step_index() -> Option<usize> {
    runtime::active().map(|_| runtime::with(|rt| rt.depth))
}

/// Whether this execution is one that [`replay`](super::replay) runs.
pub fn is_replaying() -> bool {
    in_execution() && runtime::with(|rt| rt.replaying)
}

/// Whether the running lane is unwinding from a panic.
///
/// `std::thread::panicking` can not tell: while one lane is suspended in the
/// middle of unwinding, it says yes to every lane.
pub fn panicking() -> bool {
    runtime::active().map_or_else(std::thread::panicking, runtime::unwinding)
}

thread_local! {
    static OUTSIDE: RefCell<Vec<(TypeId, Rc<dyn Any>)>> = const { RefCell::new(Vec::new()) };
}

/// Works on the value of type `T` that belongs to the running lane.
///
/// Values are made on first use and dropped when the lane ends, the youngest
/// first; that drop code runs in the lane and may take steps. Outside an
/// execution the value belongs to the OS thread.
pub fn with_local<T: Default + 'static, R>(f: impl FnOnce(&T) -> R) -> R {
    let value = match runtime::active() {
        Some(me) => runtime::local::<T>(me),
        None => outside_local::<T>(),
    };
    f(value
        .downcast_ref::<T>()
        .expect("lane-local values are kept by type"))
}

fn outside_local<T: Default + 'static>() -> Rc<dyn Any> {
    let id = TypeId::of::<T>();
    let known = OUTSIDE.with_borrow(|locals| {
        locals
            .iter()
            .find(|(key, _)| *key == id)
            .map(|(_, value)| Rc::clone(value))
    });
    known.unwrap_or_else(|| {
        let value: Rc<dyn Any> = Rc::new(T::default());
        OUTSIDE.with_borrow_mut(|locals| locals.push((id, Rc::clone(&value))));
        value
    })
}
