//! Where the engines' adapters keep the events of one recorded execution.
//!
//! Both engines run all lanes of an execution on one OS thread, so the record
//! is a thread-local of std that is switched on around the execution to print.

use std::cell::RefCell;

use crate::value::Event;

/// One event of a recorded execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The worker's name; `main` for the one that starts the others.
    pub lane: String,
    /// The number of the engine's step it belongs to, where the engine counts
    /// them; 0 elsewhere.
    pub step: usize,
    /// What happened.
    pub event: Event,
}

thread_local! {
    static RECORD: RefCell<Option<Vec<Recorded>>> = const { RefCell::new(None) };
}

/// Records the events that are emitted on this OS thread while it is alive.
#[derive(Debug)]
pub struct Recording(());

impl Recording {
    /// Starts afresh; what an earlier recording held is dropped.
    pub fn start() -> Self {
        RECORD.set(Some(Vec::new()));
        Self(())
    }

    /// Forgets what was recorded so far, at the start of another execution.
    pub fn clear(&self) {
        RECORD.set(Some(Vec::new()));
    }

    /// What was recorded so far.
    pub fn take(&self) -> Vec<Recorded> {
        RECORD
            .with_borrow_mut(|record| record.replace(Vec::new()))
            .unwrap_or_default()
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        RECORD.set(None);
    }
}

pub(super) fn is_on() -> bool {
    RECORD.with_borrow(Option::is_some)
}

pub(super) fn push(
    lane: impl FnOnce() -> String,
    step: usize,
    event: impl FnOnce() -> Event,
) {
    if is_on() {
        let recorded = Recorded {
            lane: lane(),
            step,
            event: event(),
        };
        RECORD
            .with_borrow_mut(|record| record.as_mut().map(|record| record.push(recorded)));
    }
}
