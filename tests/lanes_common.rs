//! What the tests of the engine share.
#![expect(
    clippy::disallowed_types,
    reason = "observers use std's types, which are no steps"
)]
#![allow(dead_code, reason = "each test uses its part")]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex as Observed};

use isolane::lanes::{Config, Control, Coverage, Execution, Summary, explore};

/// What the executions of a body leave in a cell that the body sets.
pub(crate) type Cell<T> = Arc<Observed<T>>;

pub(crate) fn set<T>(cell: &Cell<T>, value: T) {
    *cell.lock().expect("no observer panics") = value;
}

pub(crate) fn run(body: impl Fn() + 'static, visit: impl FnMut(&Execution<'_>)) -> Summary {
    let mut visit = visit;
    explore(&Config::default(), body, |execution| {
        visit(execution);
        Control::Continue
    })
    .expect("the body is deterministic")
}

/// The values that `cell` has at the ends of all executions.
pub(crate) fn outcomes<T: Clone + Ord + 'static>(
    cell: &Cell<T>,
    body: impl Fn() + 'static,
) -> BTreeSet<T> {
    let mut seen = BTreeSet::new();
    let summary = run(body, |_| {
        seen.insert(cell.lock().expect("no observer panics").clone());
    });
    assert_eq!(summary.coverage, Coverage::Exhaustive);
    assert_eq!(summary.pruned, 0);
    seen
}
