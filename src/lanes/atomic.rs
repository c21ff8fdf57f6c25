//! Sequentially consistent atomics whose every operation is a step.
#![expect(
    clippy::disallowed_types,
    reason = "the value lives in one of std's atomics"
)]

use std::panic::Location;
use std::sync::atomic::{self, Ordering::SeqCst};

use super::object::Identity;
use super::op::OpKind;

/// A shared flag.
#[derive(Debug)]
pub struct AtomicBool {
    identity: Identity,
    value: atomic::AtomicBool,
}

impl AtomicBool {
    /// Makes a flag; reports call it `name`.
    pub fn new(name: &'static str, value: bool) -> Self {
        Self {
            identity: Identity::new(name),
            value: atomic::AtomicBool::new(value),
        }
    }

    /// Reads it; one step.
    #[track_caller]
    pub fn load(&self) -> bool {
        self.identity.step(OpKind::Load, 0, 0, Location::caller());
        self.value.load(SeqCst)
    }

    /// Writes it; one step.
    #[track_caller]
    pub fn store(&self, value: bool) {
        self.identity.step(OpKind::Store, 0, 0, Location::caller());
        self.value.store(value, SeqCst);
    }

    /// Writes it and gives the value from before; one step.
    #[track_caller]
    pub fn swap(&self, value: bool) -> bool {
        self.identity.step(OpKind::Update, 0, 0, Location::caller());
        self.value.swap(value, SeqCst)
    }
}

/// A shared number.
#[derive(Debug)]
pub struct AtomicU64 {
    identity: Identity,
    value: atomic::AtomicU64,
}

impl AtomicU64 {
    /// Makes a number; reports call it `name`.
    pub fn new(name: &'static str, value: u64) -> Self {
        Self {
            identity: Identity::new(name),
            value: atomic::AtomicU64::new(value),
        }
    }

    /// Reads it; one step.
    #[track_caller]
    pub fn load(&self) -> u64 {
        self.identity.step(OpKind::Load, 0, 0, Location::caller());
        self.value.load(SeqCst)
    }

    /// Writes it; one step.
    #[track_caller]
    pub fn store(&self, value: u64) {
        self.identity.step(OpKind::Store, 0, 0, Location::caller());
        self.value.store(value, SeqCst);
    }

    /// Adds, wrapping around, and gives the value from before; one step.
    #[track_caller]
    pub fn fetch_add(&self, value: u64) -> u64 {
        self.identity.step(OpKind::Update, 0, 0, Location::caller());
        self.value.fetch_add(value, SeqCst)
    }

    /// Writes `new` where the value is `current`; one step.
    ///
    /// # Errors
    ///
    /// The value that was there, when it was another.
    #[track_caller]
    pub fn compare_exchange(&self, current: u64, new: u64) -> Result<u64, u64> {
        self.identity.step(OpKind::Update, 0, 0, Location::caller());
        self.value.compare_exchange(current, new, SeqCst, SeqCst)
    }
}
