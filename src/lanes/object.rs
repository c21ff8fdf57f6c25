//! The identity that every shared object has.
#![expect(
    clippy::disallowed_types,
    reason = "outside objects are numbered in a static"
)]

use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::op::{Op, OpKind};
use super::runtime::{self, NONE};

/// Marks the numbers of objects that were made outside every execution.
const OUTSIDE: u64 = 1 << 63;

static OUTSIDERS: AtomicU64 = AtomicU64::new(0);

/// The number of an object that is made outside every execution.
pub(super) fn outside() -> u64 {
    // Relaxed: only uniqueness matters.
    OUTSIDE | OUTSIDERS.fetch_add(1, Relaxed)
}

/// Name and number of an object, and the execution in which it was made.
#[derive(Debug)]
pub(super) struct Identity {
    name: &'static str,
    id: u64,
    born: u64,
}

impl Identity {
    pub(super) fn new(name: &'static str) -> Self {
        let (id, born) = runtime::new_object();
        Self { name, id, born }
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    /// Waits until the running lane may do this; false outside an execution,
    /// where the caller does it at once.
    ///
    /// # Panics
    ///
    /// When the object was made in an earlier execution, or when a closure that
    /// has to be one step takes a step of its own.
    pub(super) fn step(
        &self,
        kind: OpKind,
        key: u64,
        slot: u32,
        at: &'static Location<'static>,
    ) -> bool {
        let Some(_) = runtime::active() else {
            return false;
        };
        let (serial, sealed) = runtime::with(|rt| (rt.serial, rt.sealed));
        let name = self.name;
        assert!(
            self.born == 0 || self.born == serial,
            "{name:?} was made in an earlier execution; make it in the body, or before exploring"
        );
        assert!(
            !sealed,
            "an access to a keyed store must not use {name:?}: it is one step"
        );
        runtime::visible(Op {
            object: self.id,
            key,
            name,
            at,
            slot,
            kind,
        });
        true
    }
}

/// The operation that touches nothing.
#[track_caller]
pub(super) fn nothing() -> Op {
    let at = Location::caller();
    Op {
        object: u64::MAX,
        key: 0,
        name: "",
        at,
        slot: NONE,
        kind: OpKind::Yield,
    }
}

/// A step that touches nothing.
#[track_caller]
pub(super) fn idle_step() {
    if runtime::active().is_some() {
        runtime::visible(nothing());
    }
}
