//! loom models of the slot: a worker sees its own session or none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use isolane::sync::{Backend, Loom};
use isolane::{Catalog, Fallback, Host, Key, Session, SimEnv, State, Value};

mod support;
use support::explore_loom;

fn host() -> Host<SimEnv<Loom>> {
    let stale = (Key::new("ID").unwrap(), Value::new("stale"));
    Host::builder(SimEnv::<Loom>::new(BTreeMap::from([stale])))
        .catalog(Catalog::of(["ID"]))
        .fallback(Fallback::UntilEngaged)
        .build()
        .unwrap()
}

/// Two workers bind, a third never does; what each reads.
fn three_workers() -> [State<Value>; 3] {
    let host = host();
    let bound = |host: Host<SimEnv<Loom>>, id: &'static str| {
        move || {
            let _scope = host.bind(Session::new().set("ID", id));
            host.session_var("ID")
        }
    };
    let a = Loom::spawn("A", bound(host.clone(), "a"));
    let unbound = host.clone();
    let c = Loom::spawn("C", move || unbound.session_var("ID"));
    let b = bound(host.clone(), "b")();
    [a.join().unwrap(), b, c.join().unwrap()]
}

#[test]
fn a_worker_reads_its_own_session_or_none() {
    let (executions, outcomes) = explore_loom(three_workers);
    let own = |id: &str| State::Set(Value::new(id));
    // The one that never bound falls back until the host is engaged, and both of
    // that must be reachable.
    let expected = BTreeSet::from([
        [own("a"), own("b"), own("stale")],
        [own("a"), own("b"), State::Unset],
    ]);
    assert_eq!(outcomes, expected);
    assert!(executions >= 10, "only {executions} executions");
}

/// The twin: one slot for all threads.
fn one_slot_for_all() -> Option<&'static str> {
    let slot = Arc::new(loom::sync::Mutex::new(None));
    let other = Arc::clone(&slot);
    let worker = Loom::spawn("A", move || *other.lock().unwrap() = Some("a"));
    *slot.lock().unwrap() = Some("b");
    let seen = *slot.lock().unwrap();
    worker.join().unwrap();
    seen
}

#[test]
fn the_twin_with_one_slot_for_all_reads_another_session() {
    let (executions, outcomes) = explore_loom(one_slot_for_all);
    assert!(outcomes.contains(&Some("a")), "{outcomes:?}");
    assert!(executions >= 3, "only {executions} executions");
}

/// A worker takes its context where it is spawned, whenever it runs.
fn spawned_in_a_session() -> [State<Value>; 2] {
    let host = host();
    let scope = host.bind(Session::new().set("ID", "a"));
    let reads = || {
        let host = host.clone();
        move || host.session_var("ID")
    };
    let carried = host.spawn("carried", reads());
    let fresh = host.spawn_fresh("fresh", reads());
    drop(scope);
    [carried.join().unwrap(), fresh.join().unwrap()]
}

#[test]
fn a_worker_takes_its_context_when_it_is_spawned() {
    let (executions, outcomes) = explore_loom(spawned_in_a_session);
    assert_eq!(
        outcomes,
        BTreeSet::from([[State::Set(Value::new("a")), State::Unset]])
    );
    assert!(executions >= 2, "only {executions} executions");
}

/// The twin: the context is looked up when the worker first runs.
fn looked_up_when_it_runs() -> Option<&'static str> {
    let current = Arc::new(loom::sync::Mutex::new(Some("a")));
    let other = Arc::clone(&current);
    let worker = Loom::spawn("late", move || *other.lock().unwrap());
    *current.lock().unwrap() = None;
    worker.join().unwrap()
}

#[test]
fn the_twin_that_looks_its_context_up_late_loses_it() {
    let (executions, outcomes) = explore_loom(looked_up_when_it_runs);
    assert_eq!(outcomes, BTreeSet::from([None, Some("a")]));
    assert!(executions >= 2, "only {executions} executions");
}
