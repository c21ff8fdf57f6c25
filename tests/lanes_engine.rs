//! What the engine promises, one test per promise.
#![expect(
    clippy::disallowed_types,
    reason = "observers use std's types, which are no steps"
)]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex as Observed};

use isolane::lanes::{
    Access, AtomicBool, AtomicU64, Config, Control, Coverage, End, Execution, Keyed,
    LaneId, Mutex, OpKind, Summary, current, explore, explore_by_sleep_sets, in_execution,
    is_replaying, panicking, replay, spawn, step_index, with_local, yield_now,
};

/// What the executions of a body leave in a cell that the body sets.
type Cell<T> = Arc<Observed<T>>;

fn set<T>(cell: &Cell<T>, value: T) {
    *cell.lock().unwrap() = value;
}

fn run(body: impl Fn() + 'static, visit: impl FnMut(&Execution<'_>)) -> Summary {
    let mut visit = visit;
    explore(&Config::default(), body, |execution| {
        visit(execution);
        Control::Continue
    })
    .expect("the body is deterministic")
}

/// The values that `cell` has at the ends of all executions.
fn outcomes<T: Clone + Ord + 'static>(
    cell: &Cell<T>,
    body: impl Fn() + 'static,
) -> BTreeSet<T> {
    let mut seen = BTreeSet::new();
    let summary = run(body, |_| {
        seen.insert(cell.lock().unwrap().clone());
    });
    assert_eq!(summary.coverage, Coverage::Exhaustive);
    assert_eq!(summary.pruned, 0);
    seen
}

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

#[test]
fn readers_alone_are_one_class() {
    let body = || {
        let store = Arc::new(Keyed::new("store", 0));
        for _ in 0..3 {
            let store = Arc::clone(&store);
            spawn("reader", move || {
                (0..3).for_each(|_| drop(store.access(Access::Read(b"k"), |value| *value)));
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
fn a_body_that_does_not_repeat_itself_is_an_error() {
    let body = || {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let odd = RUNS.fetch_add(1, SeqCst) % 2 == 1;
        let (a, b) = (
            Arc::new(AtomicU64::new("a", 0)),
            Arc::new(AtomicU64::new("b", 0)),
        );
        let other = Arc::clone(&a);
        spawn("other", move || other.store(1));
        a.store(2);
        if odd { b.store(3) } else { a.store(3) }
    };
    let error = explore(&Config::default(), body, |_| Control::Continue).unwrap_err();
    assert_eq!(error.expected, "lane 0 (\"main\"): store \"a\"");
    assert_eq!(error.got, "lane 0 (\"main\"): store \"b\"");
    assert_eq!(error.step, 1);
    assert!(
        error
            .to_string()
            .starts_with("the body is not deterministic: after step 1, ")
    );
}

#[test]
fn a_limit_is_never_called_exhaustive() {
    let counted = |config: &Config, limit: u64| {
        let control = |execution: &Execution<'_>| match execution.index() {
            index if index == limit => Control::Stop,
            _ => Control::Continue,
        };
        explore(config, isolane::lanes::calibration::lock(2, 2), control).unwrap()
    };
    let few = Config {
        max_executions: 5,
        ..Config::default()
    };
    assert_eq!(counted(&few, 0).coverage, Coverage::Budget(5));
    let exact = Config {
        max_executions: 6,
        ..Config::default()
    };
    assert_eq!(counted(&exact, 0).coverage, Coverage::Exhaustive);
    assert_eq!(counted(&exact, 3).coverage, Coverage::Stopped);
    let short = Config {
        max_steps: 7,
        ..Config::default()
    };
    assert_eq!(counted(&short, 0).coverage, Coverage::Budget(6));
    assert_eq!(counted(&short, 0).classes, 0);
}

#[test]
fn a_lane_that_spins_meets_the_step_limit() {
    let body = || {
        let flag = Arc::new(AtomicBool::new("f", false));
        let other = Arc::clone(&flag);
        spawn("setter", move || other.store(true));
        while !flag.load() {}
    };
    let config = Config {
        max_steps: 20,
        ..Config::default()
    };
    let mut ends = BTreeSet::new();
    let summary = explore(&config, body, |execution| {
        ends.insert(format!("{:?}", execution.end()));
        Control::Continue
    });
    assert!(matches!(summary.unwrap().coverage, Coverage::Budget(_)));
    assert_eq!(
        ends,
        BTreeSet::from(["Done".to_owned(), "StepLimit".to_owned()])
    );
}

#[test]
fn a_replay_takes_the_same_steps() {
    let mut runs = Vec::new();
    run(isolane::lanes::calibration::guard(2, 1), |execution| {
        let steps: Vec<String> =
            execution.steps().iter().map(ToString::to_string).collect();
        runs.push((
            execution.schedule().to_vec(),
            steps,
            execution.preemptions(),
        ));
    });
    assert_eq!(runs.len(), 16);
    assert_eq!(
        runs[0].2, 0,
        "the first execution switches only where it must"
    );
    for (schedule, steps, preemptions) in runs {
        let body = isolane::lanes::calibration::guard(2, 1);
        replay(&Config::default(), &schedule, body, |execution| {
            let again: Vec<String> =
                execution.steps().iter().map(ToString::to_string).collect();
            assert_eq!((&again, execution.preemptions()), (&steps, preemptions));
            assert_eq!(execution.schedule(), schedule);
            Control::Continue
        })
        .unwrap();
    }
}

#[test]
fn a_replay_says_where_its_schedule_does_not_fit() {
    let schedule = [LaneId(1), LaneId(1), LaneId(7)];
    let body = isolane::lanes::calibration::lock(2, 2);
    let error =
        replay(&Config::default(), &schedule, body, |_| Control::Continue).unwrap_err();
    assert_eq!(
        (error.step, error.expected.as_str()),
        (2, "a step of lane 7")
    );
}

#[test]
fn a_body_knows_where_it_is() {
    assert!(!in_execution() && current().is_none() && step_index().is_none());
    let body = || {
        assert_eq!((current(), step_index()), (Some(LaneId(0)), Some(0)));
        let replaying = is_replaying();
        let lane = spawn("worker", move || {
            assert_eq!((current(), step_index()), (Some(LaneId(1)), Some(0)));
            yield_now();
            assert_eq!((step_index(), is_replaying()), (Some(1), replaying));
        });
        assert_eq!(current(), Some(LaneId(0)));
        lane.join().unwrap();
        assert!(in_execution());
    };
    run(body, |execution| {
        assert!(execution.panics().is_empty() && !in_execution());
        assert_eq!(execution.steps()[0].op.kind(), OpKind::Yield);
    });
    replay(&Config::default(), &[LaneId(1)], body, |execution| {
        assert!(execution.panics().is_empty());
        Control::Continue
    })
    .unwrap();
}
