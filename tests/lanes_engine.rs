//! What the engine finds, one test per promise.

use std::collections::BTreeSet;
use std::sync::Arc;

use common::{Cell, outcomes, run, set};
use isolane::lanes::{
    Access, AtomicBool, AtomicU64, Config, Control, Coverage, End, Keyed, Mutex, explore,
    spawn, yield_now,
};

#[path = "lanes_common.rs"]
mod common;

#[test]
fn a_try_lock_that_races_a_holder_both_fails_and_succeeds() {
    let cell = Cell::default();
    let shared = Arc::clone(&cell);
    let seen = outcomes(&cell, move || {
        let mutex = Arc::new(Mutex::new("m", ()));
        let other = Arc::clone(&mutex);
        let holder = spawn("holder", move || drop(other.lock()));
        set(&shared, mutex.try_lock().is_some());
        holder.join().unwrap();
    });
    assert_eq!(seen, BTreeSet::from([false, true]));
}

#[test]
fn a_lost_update_is_found() {
    let cell = Cell::default();
    let shared = Arc::clone(&cell);
    let seen = outcomes(&cell, move || {
        let number = Arc::new(AtomicU64::new("n", 0));
        let lanes: Vec<_> = (0..2)
            .map(|_| {
                let number = Arc::clone(&number);
                spawn("worker", move || number.store(number.load() + 1))
            })
            .collect();
        lanes.into_iter().for_each(|lane| lane.join().unwrap());
        set(&shared, number.load());
    });
    assert_eq!(seen, BTreeSet::from([1, 2]));
}

#[test]
fn atomic_updates_lose_nothing() {
    let cell = Cell::default();
    let shared = Arc::clone(&cell);
    let seen = outcomes(&cell, move || {
        let number = Arc::new(AtomicU64::new("n", 0));
        let flag = Arc::new(AtomicBool::new("first", true));
        let lanes: Vec<_> = (0..2)
            .map(|_| {
                let (number, flag) = (Arc::clone(&number), Arc::clone(&flag));
                spawn("worker", move || {
                    number.fetch_add(1);
                    if flag.swap(false) {
                        while let Err(now) = number.compare_exchange(2, 10) {
                            if now == 1 {
                                break;
                            }
                        }
                    }
                })
            })
            .collect();
        lanes.into_iter().for_each(|lane| lane.join().unwrap());
        set(&shared, number.load());
    });
    assert_eq!(seen, BTreeSet::from([2, 10]));
}

/// Two lanes that take two mutexes in opposite orders.
fn abba() -> impl Fn() + 'static {
    || {
        let (a, b) = (Arc::new(Mutex::new("a", ())), Arc::new(Mutex::new("b", ())));
        let (a2, b2) = (Arc::clone(&a), Arc::clone(&b));
        let one = spawn("one", move || {
            let _first = a.lock();
            let _second = b.lock();
        });
        let two = spawn("two", move || {
            let _first = b2.lock();
            let _second = a2.lock();
        });
        drop((one.join(), two.join()));
    }
}

#[test]
fn a_deadlock_is_a_cycle_in_one_sentence() {
    let mut sentences = BTreeSet::new();
    let summary = run(abba(), |execution| {
        if let End::Deadlock(deadlock) = execution.end() {
            assert_eq!(deadlock.waits.len(), 2);
            assert_eq!(deadlock.waits[0].held_by.as_deref(), Some("two"));
            assert_eq!(deadlock.waits[0].holds[0].0, "a");
            sentences.insert(deadlock.to_string());
        }
    });
    assert_eq!((summary.classes, summary.pruned), (3, 0));
    let sentence = sentences.first().expect("the deadlock is found");
    let lines: String = sentence.chars().filter(|c| !c.is_ascii_digit()).collect();
    let file = "tests/lanes_engine.rs:";
    assert_eq!(
        lines,
        format!(
            "deadlock: one holds a (taken at {file}) and wants b (at {file}), which two holds; \
             two holds b (taken at {file}) and wants a (at {file}), which one holds"
        )
    );
    assert_eq!(sentences.len(), 1);
}

#[test]
fn a_lane_that_locks_twice_deadlocks_with_itself() {
    let mut ends = Vec::new();
    let body = || {
        let mutex = Mutex::new("m", ());
        let _held = mutex.lock();
        assert!(mutex.try_lock().is_none());
        drop(mutex.lock());
    };
    run(body, |execution| ends.push(execution.end().clone()));
    let [End::Deadlock(deadlock)] = ends.as_slice() else {
        panic!("{ends:?}")
    };
    assert!(
        deadlock.to_string().ends_with(", which it holds itself"),
        "{deadlock}"
    );
}

#[test]
fn a_mutex_that_nobody_gives_back_blocks() {
    let body = || {
        let mutex = Arc::new(Mutex::new("m", ()));
        let other = Arc::clone(&mutex);
        let lane = spawn("forgetful", move || std::mem::forget(other.lock()));
        lane.join().unwrap();
        drop(mutex.lock());
    };
    let mut sentence = String::new();
    run(body, |execution| match execution.end() {
        End::Deadlock(deadlock) => sentence = deadlock.to_string(),
        end => panic!("{end:?}"),
    });
    assert!(sentence.contains("main wants m"), "{sentence}");
    assert!(sentence.contains("which forgetful holds"), "{sentence}");
}

#[test]
fn readers_alone_are_one_class() {
    let body = || {
        let store = Arc::new(Keyed::new("store", 0));
        for _ in 0..3 {
            let store = Arc::clone(&store);
            spawn("reader", move || {
                (0..3).for_each(|_| store.access(Access::Read(b"k"), |_| ()));
                store.access(Access::ReadAll, |_| ());
            });
        }
    };
    assert_eq!(run(body, |_| ()).classes, 1);
}

#[test]
fn independent_locks_and_keys_are_one_class() {
    let body = || {
        let store = Arc::new(Keyed::new("store", ()));
        for (name, key) in [("a", b"a"), ("b", b"b"), ("c", b"c")] {
            let store = Arc::clone(&store);
            let mutex = Mutex::new(name, ());
            spawn(name, move || {
                let _held = mutex.lock();
                store.access(Access::Write(key), |()| ());
                yield_now();
            });
        }
    };
    assert_eq!(run(body, |_| ()).classes, 1);
}

#[test]
fn a_deadlock_is_found_while_another_lane_spins() {
    let body = || {
        abba()();
        unreachable!("the main lane waits for the others");
    };
    let spinning = move || {
        spawn("spinner", || {
            loop {
                yield_now();
            }
        });
        body();
    };
    let config = Config {
        max_steps: 40,
        ..Config::default()
    };
    let mut deadlocks = 0;
    let summary = explore(&config, spinning, |execution| {
        deadlocks += usize::from(matches!(execution.end(), End::Deadlock(_)));
        Control::Continue
    })
    .unwrap();
    assert!(deadlocks > 0);
    assert!(matches!(summary.coverage, Coverage::Budget(_)));
}
