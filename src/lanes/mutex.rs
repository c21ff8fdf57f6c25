//! A mutex whose every operation is a step.
#![expect(
    clippy::disallowed_types,
    reason = "the data of a mutex lives in one of std's"
)]

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{self, PoisonError, TryLockError};

use super::object::Identity;
use super::op::OpKind;
use super::run::{Holder, NONE};
use super::runtime;

/// A mutex of the program under test.
///
/// `lock` waits while any lane, the caller included, holds it: a lane that locks
/// twice is a deadlock. A holder that panics leaves the mutex poisoned, which is
/// remembered and never an error.
///
/// Outside an execution it is a plain mutex without steps.
pub struct Mutex<T: ?Sized> {
    identity: Identity,
    /// Slot in the table of holders, above the serial number of the execution
    /// for which it holds (both 32 bits).
    slot: AtomicU64,
    poisoned: AtomicBool,
    data: sync::Mutex<T>,
}

impl<T> Mutex<T> {
    /// Makes a mutex; reports call it `name`.
    pub fn new(name: &'static str, value: T) -> Self {
        Self {
            identity: Identity::new(name),
            slot: AtomicU64::new(0),
            poisoned: AtomicBool::new(false),
            data: sync::Mutex::new(value),
        }
    }

    /// Takes the value out of a mutex that nobody shares any more.
    pub fn into_inner(self) -> T {
        self.data
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Takes the mutex; one step, which waits until it is free.
    #[track_caller]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        let at = Location::caller();
        let slot = self.slot();
        if !self.identity.step(OpKind::Lock, 0, slot, at) {
            let data = self.data.lock().unwrap_or_else(PoisonError::into_inner);
            return MutexGuard {
                mutex: self,
                data: Some(data),
                slot: NONE,
                panicking: false,
            };
        }
        self.take(slot, at)
    }

    /// Takes the mutex if it is free; one step.
    #[track_caller]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        let at = Location::caller();
        let slot = self.slot();
        if !self.identity.step(OpKind::TryLock, 0, slot, at) {
            let data = match self.data.try_lock() {
                Ok(data) => data,
                Err(TryLockError::Poisoned(error)) => error.into_inner(),
                Err(TryLockError::WouldBlock) => return None,
            };
            return Some(MutexGuard {
                mutex: self,
                data: Some(data),
                slot: NONE,
                panicking: false,
            });
        }
        let free = runtime::with(|run| run.holders[slot as usize].lane == NONE);
        free.then(|| self.take(slot, at))
    }

    /// Whether a holder has panicked since the mark was last cleared.
    pub fn is_poisoned(&self) -> bool {
        self.poisoned.load(Relaxed)
    }

    /// Takes the mark of a panicked holder away.
    pub fn clear_poison(&self) {
        self.poisoned.store(false, Relaxed);
    }

    /// The slot of this mutex in the running execution.
    fn slot(&self) -> u32 {
        let serial = runtime::serial();
        if serial == 0 {
            return NONE;
        }
        let known = self.slot.load(Relaxed);
        if known as u32 == serial as u32 {
            return (known >> 32) as u32;
        }
        let at = Location::caller();
        let holder = Holder {
            lane: NONE,
            name: self.identity.name(),
            at,
        };
        let slot = runtime::with(|run| {
            run.holders.push(holder);
            run.holders.len() as u32 - 1
        });
        self.slot
            .store(u64::from(slot) << 32 | u64::from(serial as u32), Relaxed);
        slot
    }

    fn take(&self, slot: u32, at: &'static Location<'static>) -> MutexGuard<'_, T> {
        let data = match self.data.try_lock() {
            Ok(data) => data,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => self.stuck(),
        };
        let me = runtime::active().unwrap_or(NONE);
        runtime::with(|run| {
            let holder = &mut run.holders[slot as usize];
            holder.lane = me;
            holder.at = at;
        });
        let panicking = runtime::unwinding(me);
        MutexGuard {
            mutex: self,
            data: Some(data),
            slot,
            panicking,
        }
    }

    #[cold]
    fn stuck(&self) -> ! {
        let name = self.identity.name();
        panic!(
            "mutex {name:?} is still held from outside this execution; make it in the body"
        )
    }
}

impl<T: ?Sized> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mutex")
            .field("name", &self.identity.name())
            .field("poisoned", &self.is_poisoned())
            .finish_non_exhaustive()
    }
}

/// Gives the mutex back when it is dropped; that is a step too.
#[must_use = "the mutex is given back when the guard is dropped"]
pub struct MutexGuard<'a, T: ?Sized> {
    mutex: &'a Mutex<T>,
    /// `None` only while the guard is being dropped.
    data: Option<sync::MutexGuard<'a, T>>,
    slot: u32,
    /// The lane was unwinding when it took the mutex.
    panicking: bool,
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.data
            .as_ref()
            .expect("a guard has its data until it is dropped")
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.data
            .as_mut()
            .expect("a guard has its data until it is dropped")
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    #[track_caller]
    fn drop(&mut self) {
        let me = runtime::active();
        let lane = me.filter(|_| self.slot != NONE);
        let Some(me) = lane else {
            if std::thread::panicking() {
                self.mutex.poisoned.store(true, Relaxed);
            }
            return;
        };
        if !self.panicking && runtime::unwinding(me) {
            self.mutex.poisoned.store(true, Relaxed);
        }
        // A guard that is dropped inside a sealed closure has no step of its own.
        if !runtime::is_sealed() {
            self.mutex
                .identity
                .step(OpKind::Unlock, 0, self.slot, Location::caller());
        }
        self.data = None;
        runtime::with(|run| run.holders[self.slot as usize].lane = NONE);
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
