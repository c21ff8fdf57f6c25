//! The traits of the seam.

use std::fmt::Debug;
use std::ops::DerefMut;

use super::Slot;
use crate::value::{Event, Key};

/// A family of concurrency primitives that the core is written against.
///
/// Implemented by [`super::Std`] for production, `Lanes` for our own engine and
/// `Loom` for loom. The core owns all of its synchronisation, so an engine that
/// implements this trait controls every interleaving of it.
pub trait Backend: Debug + Copy + Default + Send + Sync + 'static {
    /// Whether [`Backend::emit`] does anything; a constant, so that production
    /// code carries neither the branch nor the event.
    const TRACE: bool;

    /// A mutex.
    type Mutex<T: Send + 'static>: Lock<T>;
    /// An atomic flag.
    type Flag: Flag;
    /// A shared value whose every access is one step on a key.
    type Keyed<T: Send + 'static>: Keyed<T>;
    /// The handle of a worker that was spawned.
    type Join<T: Send + 'static>: Join<T>;

    /// Starts a worker. Nothing of the caller's context is carried over.
    fn spawn<T: Send + 'static>(
        name: &str,
        body: impl FnOnce() -> T + Send + 'static,
    ) -> Self::Join<T>;

    /// Lets others run.
    fn yield_now();

    /// Gives access to the slot of the current thread.
    ///
    /// While a thread is being torn down, after its slot is gone, `f` gets an
    /// empty slot: a reader in a late destructor sees "no scope" and no panic.
    fn with_slot<R>(f: impl FnOnce(&Slot) -> R) -> R;

    /// The engine's number of this lane and of the step that is being executed,
    /// for reports; 0 where nobody counts.
    #[inline]
    fn position() -> (u32, usize) {
        (0, 0)
    }

    /// Tells a domain event to whoever prints traces.
    #[inline]
    fn emit(event: impl FnOnce() -> Event) {
        let _ = event;
    }
}

/// A mutual exclusion lock.
///
/// A panic of the holder does not poison it: the core keeps what it protects
/// valid at every step, and a scope's end must work while unwinding.
pub trait Lock<T>: Send + Sync {
    /// What a holder has.
    type Guard<'a>: DerefMut<Target = T>
    where
        Self: 'a;

    /// A free lock; `name` is what reports call it.
    fn new(name: &'static str, value: T) -> Self;

    /// Waits until the lock is free and takes it.
    #[track_caller]
    fn lock(&self) -> Self::Guard<'_>;
}

/// A flag that is set once and read often.
pub trait Flag: Send + Sync {
    /// A flag that is down.
    fn new(name: &'static str) -> Self;

    /// Whether the flag is up (acquire).
    fn is_up(&self) -> bool;

    /// Puts the flag up (release).
    fn raise(&self);
}

/// What an access of a [`Keyed`] cell touches.
#[derive(Debug, Clone, Copy)]
pub enum Access<'a> {
    /// Reads one key.
    Read(&'a Key),
    /// Writes one key.
    Write(&'a Key),
    /// Reads all keys at one moment.
    ReadAll,
}

/// A shared value with keys, each access of which is atomic and one step.
pub trait Keyed<T>: Send + Sync {
    /// A cell with this content.
    fn new(name: &'static str, value: T) -> Self;

    /// Runs `f` as one step that touches what `access` says and nothing else.
    fn access<R>(&self, access: Access<'_>, f: impl FnOnce(&mut T) -> R) -> R;
}

/// The handle of a worker.
pub trait Join<T> {
    /// Waits for the worker's end; its panic comes as an error.
    ///
    /// # Errors
    ///
    /// The payload of the worker's panic.
    fn join(self) -> std::thread::Result<T>;
}
