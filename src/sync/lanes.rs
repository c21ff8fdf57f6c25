//! The seam over our own engine: a thin adapter.

use super::{Access, Backend, Flag, Join, Keyed, Lock, Slot, record};
use crate::lanes;
use crate::value::Event;

/// The primitives of the `lanes` engine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Lanes;

impl Backend for Lanes {
    const TRACE: bool = true;

    type Mutex<T: Send + 'static> = lanes::Mutex<T>;
    type Flag = lanes::AtomicBool;
    type Keyed<T: Send + 'static> = lanes::Keyed<T>;
    type Join<T: Send + 'static> = lanes::JoinHandle<T>;

    fn spawn<T: Send + 'static>(
        name: &str,
        body: impl FnOnce() -> T + Send + 'static,
    ) -> Self::Join<T> {
        lanes::spawn(name, body)
    }

    fn yield_now() {
        lanes::yield_now();
    }

    fn with_slot<R>(f: impl FnOnce(&Slot) -> R) -> R {
        lanes::with_local(f)
    }

    fn position() -> (u32, usize) {
        let lane = lanes::current().map_or(0, |lane| lane.0);
        (lane, lanes::step_index().unwrap_or(0))
    }

    fn emit(event: impl FnOnce() -> Event) {
        record::push(
            || lanes::current_name().unwrap_or_else(|| "main".to_owned()),
            Self::position().1,
            event,
        );
    }
}

impl<T: Send> Lock<T> for lanes::Mutex<T> {
    type Guard<'a>
        = lanes::MutexGuard<'a, T>
    where
        Self: 'a;

    fn new(name: &'static str, value: T) -> Self {
        lanes::Mutex::new(name, value)
    }

    #[track_caller]
    fn lock(&self) -> Self::Guard<'_> {
        lanes::Mutex::lock(self)
    }
}

impl Flag for lanes::AtomicBool {
    fn new(name: &'static str) -> Self {
        lanes::AtomicBool::new(name, false)
    }

    fn is_up(&self) -> bool {
        self.load()
    }

    fn raise(&self) {
        self.store(true);
    }
}

impl<T: Send> Keyed<T> for lanes::Keyed<T> {
    fn new(name: &'static str, value: T) -> Self {
        lanes::Keyed::new(name, value)
    }

    fn access<R>(&self, access: Access<'_>, f: impl FnOnce(&mut T) -> R) -> R {
        let access = match access {
            Access::Read(key) => lanes::Access::Read(key.as_os_str().as_encoded_bytes()),
            Access::Write(key) => lanes::Access::Write(key.as_os_str().as_encoded_bytes()),
            Access::ReadAll => lanes::Access::ReadAll,
        };
        lanes::Keyed::access(self, access, f)
    }
}

impl<T: Send + 'static> Join<T> for lanes::JoinHandle<T> {
    fn join(self) -> std::thread::Result<T> {
        lanes::JoinHandle::join(self)
    }
}
