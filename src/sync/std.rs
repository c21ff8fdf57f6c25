//! The seam over std: what production runs on.
#![expect(
    clippy::disallowed_types,
    reason = "this is the one home of std's primitives"
)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use super::{Access, Backend, Flag, Join, Keyed, Lock, Slot};

/// Plain std primitives.
#[derive(Debug, Clone, Copy, Default)]
pub struct Std;

thread_local! {
    static SLOT: Slot = Slot::default();
}

impl Backend for Std {
    const TRACE: bool = false;

    type Mutex<T: Send + 'static> = Mutex<T>;
    type Flag = AtomicBool;
    type Keyed<T: Send + 'static> = Mutex<T>;
    type Join<T: Send + 'static> = thread::JoinHandle<T>;

    fn spawn<T: Send + 'static>(
        name: &str,
        body: impl FnOnce() -> T + Send + 'static,
    ) -> Self::Join<T> {
        let builder = thread::Builder::new();
        // A name with NUL would make the builder panic; it is only a label.
        let builder = if name.contains('\0') {
            builder
        } else {
            builder.name(name.to_owned())
        };
        builder
            .spawn(body)
            .expect("the platform can start a thread")
    }

    fn yield_now() {
        thread::yield_now();
    }

    #[inline]
    fn with_slot<R>(f: impl FnOnce(&Slot) -> R) -> R {
        // `try_with` takes the closure away when it fails, hence the cell.
        let mut f = Some(f);
        let done = SLOT.try_with(|slot| f.take().map(|f| f(slot)));
        match (done, f) {
            (Ok(Some(result)), _) => result,
            (_, Some(f)) => f(&Slot::default()),
            _ => unreachable!("the closure is either called or still here"),
        }
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

    #[inline]
    fn lock(&self) -> Self::Guard<'_> {
        Mutex::lock(self).unwrap_or_else(PoisonError::into_inner)
    }
}

impl Flag for AtomicBool {
    fn new(_name: &'static str) -> Self {
        AtomicBool::new(false)
    }

    #[inline]
    fn is_up(&self) -> bool {
        self.load(Ordering::Acquire)
    }

    #[inline]
    fn raise(&self) {
        self.store(true, Ordering::Release);
    }
}

impl<T: Send> Keyed<T> for Mutex<T> {
    fn new(_name: &'static str, value: T) -> Self {
        Mutex::new(value)
    }

    fn access<R>(&self, _access: Access<'_>, f: impl FnOnce(&mut T) -> R) -> R {
        f(&mut Mutex::lock(self).unwrap_or_else(PoisonError::into_inner))
    }
}

impl<T> Join<T> for thread::JoinHandle<T> {
    fn join(self) -> thread::Result<T> {
        thread::JoinHandle::join(self)
    }
}
