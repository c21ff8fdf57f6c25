//! The identity that every shared object has.
#![expect(
    clippy::disallowed_types,
    reason = "outside objects are numbered in a static"
)]

use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::op::{Core, Op, OpKind};
use super::runtime;

/// Marks the numbers of objects that were made outside every execution.
const OUTSIDE: u64 = 1 << 63;

static OUTSIDERS: AtomicU64 = AtomicU64::new(0);

/// Name and number of an object, and the execution in which it was made.
#[derive(Debug)]
pub(super) struct Identity {
    name: &'static str,
    id: u64,
    /// 0 for an object that was made outside every execution.
    born: u64,
}

/// Why a step can not be taken.
enum Misuse {
    Stale,
    Sealed,
}

impl Identity {
    pub(super) fn new(name: &'static str) -> Self {
        // Relaxed: only uniqueness matters.
        let (id, born) = runtime::new_object()
            .unwrap_or_else(|| (OUTSIDE | OUTSIDERS.fetch_add(1, Relaxed), 0));
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
    #[inline]
    pub(super) fn step(
        &self,
        kind: OpKind,
        key: u64,
        slot: u32,
        at: &'static Location<'static>,
    ) -> bool {
        let Some(me) = runtime::active() else {
            return false;
        };
        if runtime::is_sealed() {
            self.refuse(&Misuse::Sealed);
        }
        let goes_on = runtime::with(|run| {
            if self.born != 0 && self.born != run.serial {
                return Err(Misuse::Stale);
            }
            let core = Core {
                object: self.id,
                key,
                kind,
            };
            Ok(run.step(
                me,
                &Op {
                    core,
                    name: self.name,
                    at,
                    slot,
                },
            ))
        });
        match goes_on {
            Ok(true) => {}
            Ok(false) => runtime::pause(),
            Err(misuse) => self.refuse(&misuse),
        }
        true
    }

    #[cold]
    fn refuse(&self, misuse: &Misuse) -> ! {
        let name = self.name;
        match misuse {
            Misuse::Stale => panic!(
                "{name:?} was made in an earlier execution; make it in the body, or before"
            ),
            Misuse::Sealed => {
                panic!("an access to a keyed store must not use {name:?}: it is one step")
            }
        }
    }
}

/// A step that touches nothing.
#[track_caller]
pub(super) fn idle_step() {
    let op = Op {
        at: Location::caller(),
        ..Op::nothing()
    };
    let Some(me) = runtime::active() else { return };
    assert!(
        !runtime::is_sealed(),
        "an access to a keyed store must not yield: it is one step"
    );
    if !runtime::with(|run| run.step(me, &op)) {
        runtime::pause();
    }
}
