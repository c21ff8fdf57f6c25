//! Panics, drop code that takes steps, and lane-local values.
#![expect(
    clippy::disallowed_types,
    reason = "observers use std's types, which are no steps"
)]

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex as Observed};

use common::{Cell, outcomes, run, set};
use isolane::lanes::{
    Access, AtomicBool, Config, Control, End, Execution, Keyed, LaneId, Mutex, explore,
    explore_by_sleep_sets, panicking, spawn, with_local, yield_now,
};

#[path = "lanes_common.rs"]
mod common;

#[test]
fn a_panic_reaches_the_join_and_the_report() {
    let body = || {
        let lane = spawn("worker", || {
            yield_now();
            panic!("no {}", std::hint::black_box(7))
        });
        let payload = lane.join().expect_err("the lane panicked");
        assert_eq!(
            payload.downcast_ref::<String>().map(String::as_str),
            Some("no 7")
        );
        assert!(!panicking());
    };
    let mut shown = 0;
    run(body, |execution| {
        shown += 1;
        let expected = (LaneId(1), "worker".to_owned(), "no 7".to_owned());
        assert_eq!(execution.panics(), [expected]);
        assert_eq!(execution.lane_name(LaneId(1)), "worker");
    });
    assert_eq!(shown, 1);
}

#[test]
fn a_panic_of_the_main_lane_is_reported() {
    let mut messages = Vec::new();
    run(
        || panic!("main"),
        |execution| {
            assert_eq!(*execution.end(), End::Done);
            messages.push(execution.panics()[0].2.clone());
        },
    );
    assert_eq!(messages, ["main"]);
}

#[test]
fn a_holder_that_panics_gives_the_mutex_back_and_poisons_it() {
    let cell = Cell::default();
    let shared = Arc::clone(&cell);
    let seen = outcomes(&cell, move || {
        let mutex = Arc::new(Mutex::new("m", 0));
        let other = Arc::clone(&mutex);
        let lane = spawn("worker", move || {
            let mut held = other.lock();
            *held = 1;
            panic!("while holding")
        });
        let early = *mutex.lock();
        assert!(lane.join().is_err());
        assert!(mutex.is_poisoned());
        mutex.clear_poison();
        assert!(!mutex.is_poisoned());
        set(&shared, (early, *mutex.lock()));
    });
    assert_eq!(seen, BTreeSet::from([(0, 1), (1, 1)]));
}

/// Takes steps when it is dropped.
struct OnDrop(Arc<Mutex<Vec<u32>>>, Arc<Keyed<u32>>, u32);

impl Drop for OnDrop {
    fn drop(&mut self) {
        let mut list = self.0.lock();
        let seen = self.1.access(Access::Read(b"k"), |value| *value);
        list.push(self.2 * 10 + seen);
        drop(list);
        self.1.access(Access::Write(b"k"), |value| *value += 1);
    }
}

/// Drop code takes steps while two lanes unwind at once, beside `calm` lanes.
fn unwinding_twice(cell: &Cell<(Vec<u32>, bool)>, calm: u32) -> impl Fn() + 'static {
    let shared = Arc::clone(cell);
    move || {
        let list = Arc::new(Mutex::new("list", Vec::new()));
        let store = Arc::new(Keyed::new("store", 0));
        let lanes: Vec<_> = (1..=2 + calm)
            .map(|nth| {
                let on_drop = OnDrop(Arc::clone(&list), Arc::clone(&store), nth);
                spawn(format!("lane-{nth}"), move || {
                    let _on_drop = on_drop;
                    assert!(nth > 2, "lane {nth} fails");
                })
            })
            .collect();
        let failed = lanes
            .into_iter()
            .filter(|_| true)
            .map(|lane| lane.join().is_err());
        assert_eq!(failed.filter(|failed| *failed).count(), 2);
        let poisoned = list.is_poisoned();
        let mut seen = list.lock().clone();
        seen.sort_unstable();
        set(&shared, (seen, poisoned));
    }
}

#[test]
fn drop_code_takes_steps_while_two_lanes_unwind_at_once() {
    let cell = Cell::default();
    let seen = outcomes(&cell, unwinding_twice(&cell, 0));
    // Drop code that locks while it unwinds does not poison.
    let all = [vec![10, 20], vec![10, 21], vec![11, 20]];
    assert_eq!(seen, all.map(|list| (list, false)).into());
}

#[test]
fn unwinding_lanes_do_not_disturb_one_that_is_calm() {
    let cell = Cell::default();
    let seen = outcomes(&cell, unwinding_twice(&cell, 1));
    assert!(
        seen.iter()
            .all(|(list, poisoned)| list.len() == 3 && !poisoned)
    );
    // The order 1, 2, 3 with every read before, between and after the writes.
    assert!(seen.contains(&(vec![10, 20, 30], false)));
    assert!(seen.contains(&(vec![10, 21, 32], false)));
    assert!(!std::thread::panicking());
}

#[test]
fn a_lane_that_unwinds_does_not_poison_the_mutex_of_another() {
    let body = || {
        let (mutex, flag) = (
            Arc::new(Mutex::new("m", ())),
            Arc::new(AtomicBool::new("f", false)),
        );
        let (mutex2, flag2) = (Arc::clone(&mutex), Arc::clone(&flag));
        struct Touch(Arc<AtomicBool>);
        impl Drop for Touch {
            fn drop(&mut self) {
                assert!(panicking());
                self.0.store(true);
            }
        }
        let unwinding = spawn("unwinding", move || {
            let _touch = Touch(flag2);
            panic!("unwinds")
        });
        let calm = spawn("calm", move || {
            let held = mutex2.lock();
            flag.load();
            assert!(!panicking());
            drop(held);
        });
        calm.join().unwrap();
        drop(unwinding.join());
        assert!(!mutex.is_poisoned());
    };
    let mut panics = 0;
    let summary = run(body, |execution| panics += execution.panics().len());
    assert_eq!((summary.classes, panics), (2, 2));
}

/// Lane-local values that say, in a step, when they are dropped.
#[derive(Default)]
struct First;
#[derive(Default)]
struct Second;

fn order() -> Arc<Mutex<Vec<&'static str>>> {
    type Shared = Observed<Option<Arc<Mutex<Vec<&'static str>>>>>;
    static ORDER: Shared = Observed::new(None);
    let mut order = ORDER.lock().expect("no observer panics");
    Arc::clone(order.get_or_insert_with(|| Arc::new(Mutex::new("order", Vec::new()))))
}

impl Drop for First {
    fn drop(&mut self) {
        order().lock().push("first");
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        with_local(|_: &First| order().lock().push("second"));
    }
}

#[test]
fn lane_local_values_are_dropped_in_the_lane_the_youngest_first() {
    // The list is made outside of every execution: it outlives them.
    order().lock().clear();
    let body = || {
        let lane = spawn("worker", || {
            with_local(|_: &First| ());
            with_local(|_: &Second| yield_now());
        });
        lane.join().unwrap();
    };
    let summary = run(body, |execution| {
        assert!(execution.panics().is_empty());
        assert_eq!(std::mem::take(&mut *order().lock()), ["second", "first"]);
        assert_eq!(execution.steps().len(), 5);
    });
    assert_eq!(summary.classes, 1);
}

#[test]
fn lanes_have_their_own_locals() {
    #[derive(Default)]
    struct Count(std::cell::Cell<u32>);
    let bump = || with_local(|count: &Count| count.0.replace(count.0.get() + 1));
    let cell = Cell::default();
    let shared = Arc::clone(&cell);
    bump();
    let body = move || {
        bump();
        let lanes: Vec<_> = (0..2)
            .map(|_| {
                spawn("worker", move || {
                    bump();
                    yield_now();
                    bump()
                })
            })
            .collect();
        let seen: Vec<u32> = lanes.into_iter().map(|lane| lane.join().unwrap()).collect();
        set(&shared, (seen, bump()));
    };
    assert_eq!(outcomes(&cell, body), BTreeSet::from([(vec![1, 1], 1)]));
    assert_eq!(bump(), 1);
}

#[test]
fn a_lane_may_deadlock_in_the_middle_of_unwinding() {
    struct Locks(Arc<Mutex<()>>);
    impl Drop for Locks {
        fn drop(&mut self) {
            drop(self.0.lock());
        }
    }
    let body = || {
        let (a, b) = (Arc::new(Mutex::new("a", ())), Arc::new(Mutex::new("b", ())));
        let (a2, b2) = (Arc::clone(&a), Arc::clone(&b));
        spawn("unwinding", move || {
            let _locks = Locks(b2);
            let _held = a2.lock();
            let _locks_first = Locks(Arc::clone(&_locks.0));
            panic!("unwinds")
        });
        let _held = b.lock();
        drop(a.lock());
    };
    let mut ends = Vec::new();
    run(body, |execution| {
        ends.push(matches!(execution.end(), End::Deadlock(_)))
    });
    assert!(ends.contains(&true) && ends.contains(&false));
    // A panic in a later execution still poisons, and a calm lane does not.
    let cell = Cell::default();
    let shared = Arc::clone(&cell);
    let after = outcomes(&cell, move || {
        let (good, bad) = (
            Arc::new(Mutex::new("good", ())),
            Arc::new(Mutex::new("bad", ())),
        );
        let (good2, bad2) = (Arc::clone(&good), Arc::clone(&bad));
        let lane = spawn("bad", move || {
            let _held = bad2.lock();
            panic!("while holding")
        });
        drop(good2.lock());
        assert!(lane.join().is_err());
        set(&shared, (good.is_poisoned(), bad.is_poisoned()));
    });
    assert_eq!(after, BTreeSet::from([(false, true)]));
}

#[test]
fn both_searches_find_the_same_classes() {
    let cell = Cell::default();
    let counts: Vec<u64> = [true, false]
        .into_iter()
        .map(|optimal| {
            let (config, body) = (Config::default(), unwinding_twice(&cell, 1));
            let visit = |_: &Execution<'_>| Control::Continue;
            let summary = if optimal {
                explore(&config, body, visit)
            } else {
                explore_by_sleep_sets(&config, body, visit)
            };
            summary.unwrap().classes
        })
        .collect();
    assert_eq!(counts[0], counts[1]);
}
