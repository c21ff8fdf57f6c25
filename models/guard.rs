//! loom models of the profile guard: what a mirror shows and leaves behind.
//!
//! Each model runs the production code over loom's primitives; its sabotaged
//! twin must fail, and a floor on the executions keeps it from passing by
//! exploring nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use isolane::sync::{Backend, Join, Lanes, Lock, Loom};
use isolane::{
    Host, Isolation, Key, ProcessEnv, Profile, ProfileName, SimEnv, State, Strategy, Value,
};

mod support;
use support::explore_loom;

fn key(name: &str) -> Key {
    Key::new(name).unwrap()
}

fn base() -> BTreeMap<Key, Value> {
    BTreeMap::from([(key("K"), Value::new("base"))])
}

fn profile(name: &str, values: &[(&str, &str)]) -> Arc<Profile> {
    let values = values
        .iter()
        .map(|(name, value)| (key(name), Value::new(value)));
    let name = ProfileName::new(name).unwrap();
    Profile::with_values(
        name,
        PathBuf::from("/p"),
        values.collect(),
        Isolation::Isolated,
    )
}

/// What a worker's scoped reader gave, and what was left at the end.
type Outcome = (State<Value>, State<Value>, BTreeMap<Key, Value>);

fn two_scopes(strategy: Strategy) -> Outcome {
    let env = SimEnv::<Loom>::new(base());
    let host = Host::builder(env).strategy(strategy).build().unwrap();
    let other = host.clone();
    let worker = Loom::spawn("B", move || {
        let _scope = other.enter(&profile("p2", &[("K", "2")])).unwrap();
        other.get(&key("K")).unwrap()
    });
    // Main is a worker itself: that saves loom most of its executions.
    let mine = {
        let _scope = host
            .enter(&profile("p1", &[("K", "1"), ("ONLY1", "x")]))
            .unwrap();
        host.get(&key("K")).unwrap()
    };
    let theirs = worker.join().unwrap();
    (mine, theirs, host.env().snapshot())
}

#[test]
fn mirrored_scopes_read_their_own_and_leave_nothing_behind() {
    let (executions, outcomes) = explore_loom(|| two_scopes(Strategy::Mirrored));
    let own = State::Set(Value::new("1"));
    let theirs = State::Set(Value::new("2"));
    assert_eq!(outcomes, BTreeSet::from([(own, theirs, base())]));
    assert!(executions >= 15, "only {executions} executions");
}

/// The twin: what is written back is what was seen at entry.
fn write_back_what_was_seen() -> BTreeMap<Key, Value> {
    fn scope(lock: &loom::sync::Mutex<()>, env: &SimEnv<Loom>, value: &str) {
        let held = lock.lock().unwrap();
        let seen = env.get(&key("K"));
        env.write(&key("K"), Some(&Value::new(value))).unwrap();
        drop(held);
        let _held = lock.lock().unwrap();
        env.write(&key("K"), seen.as_ref()).unwrap();
    }
    let lock = Arc::new(loom::sync::Mutex::new(()));
    let env = Arc::new(SimEnv::<Loom>::new(base()));
    let (other_lock, other_env) = (Arc::clone(&lock), Arc::clone(&env));
    let worker = Loom::spawn("B", move || scope(&other_lock, &other_env, "2"));
    scope(&lock, &env, "1");
    worker.join().unwrap();
    env.snapshot()
}

#[test]
fn the_twin_that_writes_back_what_it_saw_leaves_a_value_behind() {
    let (executions, outcomes) = explore_loom(write_back_what_was_seen);
    let left: BTreeSet<_> = outcomes
        .iter()
        .filter_map(|env| env.get(&key("K")))
        .collect();
    assert!(
        left.contains(&Value::new("1")) && left.contains(&Value::new("2")),
        "{left:?}"
    );
    assert!(executions >= 15, "only {executions} executions");
}

/// What two workers of the overlapping guard saw, and what was left.
type Race = (Vec<Vec<Option<Value>>>, BTreeMap<Key, Value>);

/// The overlapping guard with two workers and two keys, on any engine: lock, read,
/// set, unlock, read, lock, write back, unlock.
fn guard_race<B: Backend>() -> Race {
    fn worker<B: Backend>(
        lock: &B::Mutex<()>,
        env: &SimEnv<B>,
        own: &str,
    ) -> Vec<Option<Value>> {
        let keys = [key("K1"), key("K2")];
        let mut seen = Vec::new();
        let held = lock.lock();
        let before: Vec<_> = keys.iter().map(|key| env.get(key)).collect();
        for key in &keys {
            env.write(key, Some(&Value::new(own))).unwrap();
        }
        drop(held);
        seen.extend(keys.iter().map(|key| env.get(key)));
        let held = lock.lock();
        for (key, value) in keys.iter().zip(&before) {
            env.write(key, value.as_ref()).unwrap();
        }
        drop(held);
        seen
    }
    let start = BTreeMap::from([(key("K1"), Value::new("base"))]);
    let lock = Arc::new(B::Mutex::<()>::new("lock", ()));
    let env = Arc::new(SimEnv::<B>::new(start));
    let start = |own: &'static str| {
        let (lock, env) = (Arc::clone(&lock), Arc::clone(&env));
        B::spawn(own, move || worker::<B>(&lock, &env, own))
    };
    let workers = [start("1"), start("2")];
    let seen = workers
        .into_iter()
        .map(|worker| worker.join().unwrap())
        .collect();
    (seen, env.snapshot())
}

#[test]
fn loom_and_lanes_reach_the_same_outcomes_of_the_guard_race() {
    let (executions, by_loom) = explore_loom(guard_race::<Loom>);
    let (classes, by_lanes) = support::explore_lanes(guard_race::<Lanes>);
    assert_eq!(by_loom, by_lanes);
    assert!(
        by_lanes.len() > 4,
        "{} outcomes are too few to compare",
        by_lanes.len()
    );
    assert_eq!(classes, 50);
    println!(
        "loom {executions} executions, lanes {classes}, {} outcomes",
        by_lanes.len()
    );
}
