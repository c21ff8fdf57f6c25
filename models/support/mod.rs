//! Running a model and gathering its outcomes.
#![expect(
    clippy::disallowed_types,
    reason = "outcomes are gathered outside the engine's sight"
)]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use isolane::lanes::{self, Config, Control, Coverage};

/// Runs a body under loom; gives how many executions there were, counted here,
/// and the set of what they gave.
pub(crate) fn explore_loom<T: Ord + Send + 'static>(
    body: impl Fn() -> T + Send + Sync + 'static,
) -> (u64, BTreeSet<T>) {
    let seen = Arc::new(Mutex::new((0, BTreeSet::new())));
    let log = Arc::clone(&seen);
    // Far above what any model here needs: loom must end by itself.
    let mut builder = loom::model::Builder::new();
    builder.max_branches = 100_000;
    builder.check(move || {
        let outcome = body();
        let mut log = log.lock().unwrap();
        log.0 += 1;
        log.1.insert(outcome);
    });
    let mut seen = seen.lock().unwrap();
    (seen.0, std::mem::take(&mut seen.1))
}

/// The same under `lanes`.
#[allow(dead_code, reason = "not every model compares the engines")]
pub(crate) fn explore_lanes<T: Ord + Send + 'static>(
    body: impl Fn() -> T + 'static,
) -> (u64, BTreeSet<T>) {
    let seen = Arc::new(Mutex::new(BTreeSet::new()));
    let log = Arc::clone(&seen);
    let body = move || {
        let outcome = body();
        log.lock().unwrap().insert(outcome);
    };
    let summary = lanes::explore(&Config::default(), body, |_| Control::Continue).unwrap();
    assert_eq!(summary.coverage, Coverage::Exhaustive);
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    (summary.classes, seen)
}
