//! The seam over loom: a thin adapter.
//!
//! loom gives a second opinion on small models and is the only engine here that
//! knows memory orderings. It is used without `--cfg loom`: its types work in an
//! ordinary build, they only have to live inside `loom::model`.

use std::cell::Cell;

use loom::sync::atomic::{AtomicBool, Ordering};
use loom::sync::{Mutex, MutexGuard};
use loom::thread;

use super::{Access, Backend, Flag, Join, Keyed, Lock, Slot, record};
use crate::value::Event;

/// loom's primitives; only inside `loom::model`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Loom;

loom::thread_local! {
    static SLOT: Slot = Slot::default();
    static LANE: Cell<Option<&'static str>> = Cell::new(None);
}

impl Backend for Loom {
    const TRACE: bool = true;

    type Mutex<T: Send + 'static> = Mutex<T>;
    type Flag = AtomicBool;
    type Keyed<T: Send + 'static> = Mutex<T>;
    type Join<T: Send + 'static> = thread::JoinHandle<T>;

    fn spawn<T: Send + 'static>(
        name: &str,
        body: impl FnOnce() -> T + Send + 'static,
    ) -> Self::Join<T> {
        let name = name.to_owned();
        thread::spawn(move || {
            if record::is_on() {
                // One small leak for each lane of an execution that is printed.
                LANE.with(|lane| lane.set(Some(String::leak(name))));
            }
            body()
        })
    }

    fn yield_now() {
        thread::yield_now();
    }

    fn with_slot<R>(f: impl FnOnce(&Slot) -> R) -> R {
        SLOT.with(f)
    }

    fn emit(event: impl FnOnce() -> Event) {
        record::push(
            || LANE.with(Cell::get).unwrap_or("main").to_owned(),
            0,
            event,
        );
    }
}

impl<T: Send> Lock<T> for Mutex<T> {
    type Guard<'a>
        = MutexGuard<'a, T>
    where
        Self: 'a;

    fn new(_name: &'static str, value: T) -> Self {
        Mutex::new(value)
    }

    #[track_caller]
    fn lock(&self) -> Self::Guard<'_> {
        Mutex::lock(self).unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Flag for AtomicBool {
    fn new(_name: &'static str) -> Self {
        AtomicBool::new(false)
    }

    fn is_up(&self) -> bool {
        self.load(Ordering::Acquire)
    }

    fn raise(&self) {
        self.store(true, Ordering::Release);
    }
}

impl<T: Send> Keyed<T> for Mutex<T> {
    fn new(_name: &'static str, value: T) -> Self {
        Mutex::new(value)
    }

    fn access<R>(&self, _access: Access<'_>, f: impl FnOnce(&mut T) -> R) -> R {
        f(&mut Mutex::lock(self).unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl<T> Join<T> for thread::JoinHandle<T> {
    fn join(self) -> std::thread::Result<T> {
        thread::JoinHandle::join(self)
    }
}
