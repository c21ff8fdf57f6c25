//! A store whose accesses name the key that they touch.
#![expect(
    clippy::disallowed_types,
    reason = "the data of a store lives in a mutex of std's"
)]

use std::fmt;
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

use super::object::Identity;
use super::op::Access;
use super::runtime;

/// Shared data with keys, such as a map: each access is one atomic step, and two
/// accesses to different keys commute.
///
/// An access must touch no more than it declares; keys are told apart by a hash
/// of 64 bits.
pub struct Keyed<T> {
    identity: Identity,
    data: Mutex<T>,
}

/// Ends the sealed section even when the closure panics.
struct Seal;

impl Drop for Seal {
    fn drop(&mut self) {
        runtime::seal(false);
    }
}

impl<T> Keyed<T> {
    /// Makes a store; reports call it `name`.
    pub fn new(name: &'static str, value: T) -> Self {
        Self {
            identity: Identity::new(name),
            data: Mutex::new(value),
        }
    }

    /// Works on the data in one step; `access` says what `f` touches.
    ///
    /// # Panics
    ///
    /// Inside an execution, when `f` takes a step of its own.
    #[track_caller]
    pub fn access<R>(&self, access: Access<'_>, f: impl FnOnce(&mut T) -> R) -> R {
        let (kind, key) = access.parts();
        let stepped = self.identity.step(kind, key, 0, Location::caller());
        let seal = stepped.then(|| {
            runtime::seal(true);
            Seal
        });
        let mut data = self.data.lock().unwrap_or_else(PoisonError::into_inner);
        let result = f(&mut data);
        drop(data);
        drop(seal);
        result
    }
}

impl<T> fmt::Debug for Keyed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keyed")
            .field("name", &self.identity.name())
            .finish_non_exhaustive()
    }
}
