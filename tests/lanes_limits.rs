//! Limits, replays, misuse: what the engine says when it can not go on.
#![expect(
    clippy::disallowed_types,
    reason = "observers use std's types, which are no steps"
)]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use common::{Cell, run};
use isolane::lanes::{
    Access, AtomicBool, AtomicU64, Config, Control, Coverage, Execution, Keyed, LaneId,
    Mutex, OpKind, current, explore, in_execution, is_replaying, replay, spawn, step_index,
    yield_now,
};

#[path = "lanes_common.rs"]
mod common;

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
    let body = isolane::lanes::calibration::lock(1, 1);
    let schedule = [LaneId(1), LaneId(1), LaneId(1)];
    let error =
        replay(&Config::default(), &schedule, body, |_| Control::Continue).unwrap_err();
    assert_eq!((error.step, error.got.as_str()), (2, "the end"));
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

/// The message of the one panic of a body.
fn complaint(body: impl Fn() + 'static) -> String {
    let mut messages = Vec::new();
    run(body, |execution| {
        messages.extend(execution.panics().iter().map(|panic| panic.2.clone()))
    });
    messages.pop().expect("the misuse panics")
}

#[test]
fn misuse_has_a_clear_message() {
    let nested = complaint(|| {
        let _ = explore(&Config::default(), || (), |_| Control::Continue);
    });
    assert_eq!(nested, "an exploration can not start inside a lane");
    let step_in_step = complaint(|| {
        let (store, flag) = (Keyed::new("store", ()), AtomicBool::new("flag", false));
        store.access(Access::ReadAll, |()| flag.load());
    });
    assert_eq!(
        step_in_step,
        "an access to a keyed store must not use \"flag\": it is one step"
    );
    let kept: Cell<Option<Arc<AtomicBool>>> = Cell::default();
    let mut messages = Vec::new();
    let stale = move || {
        let mut kept = kept.lock().unwrap();
        kept.get_or_insert_with(|| Arc::new(AtomicBool::new("kept", false)));
        let flag = Arc::clone(kept.as_ref().unwrap());
        drop(kept);
        let lane = spawn("worker", move || flag.load());
        let _ = spawn("other", || AtomicBool::new("own", false)).join();
        drop(lane.join());
    };
    for _ in 0..2 {
        replay(&Config::default(), &[], stale.clone(), |execution| {
            messages.extend(execution.panics().iter().map(|panic| panic.2.clone()));
            Control::Continue
        })
        .unwrap();
    }
    assert_eq!(
        messages,
        ["\"kept\" was made in an earlier execution; make it in the body, or before"]
    );
    let outside = std::panic::catch_unwind(|| spawn("lane", || ())).unwrap_err();
    let outside = outside.downcast_ref::<&str>().copied();
    assert_eq!(
        outside,
        Some("lanes::spawn outside an execution; call it in a body")
    );
}

#[test]
fn objects_work_without_steps_outside_an_execution() {
    let mutex = Arc::new(Mutex::new("m", 1));
    *mutex.lock() += 1;
    let held = mutex.lock();
    assert!(mutex.try_lock().is_none());
    drop(held);
    let store = Keyed::new("store", 5);
    assert_eq!(store.access(Access::Read(b"k"), |value| *value), 5);
    yield_now();
    // The same mutex, used by the lanes of every execution.
    let shared = Arc::clone(&mutex);
    let body = move || {
        let other = Arc::clone(&shared);
        spawn("worker", move || *other.lock() += 1);
        *shared.lock() += 1;
    };
    assert_eq!(run(body, |_| ()).classes, 2);
    assert_eq!(*mutex.lock(), 6);
}

#[test]
fn a_visitor_may_replay_what_it_sees() {
    let mut replayed = 0;
    run(isolane::lanes::calibration::lock(2, 2), |execution| {
        let body = isolane::lanes::calibration::lock(2, 2);
        replay(&Config::default(), execution.schedule(), body, |again| {
            assert_eq!(again.schedule(), execution.schedule());
            replayed += 1;
            Control::Continue
        })
        .unwrap();
    });
    assert_eq!(replayed, 6);
}

#[test]
fn there_is_no_fixed_number_of_lanes() {
    let body = || {
        let lanes: Vec<_> = (0_u64..300)
            .map(|nth| {
                spawn("lane", move || {
                    yield_now();
                    nth
                })
            })
            .collect();
        let sum: u64 = lanes.into_iter().map(|lane| lane.join().unwrap()).sum();
        assert_eq!(sum, 44_850);
    };
    let summary = run(body, |execution| assert_eq!(execution.lane_count(), 301));
    assert_eq!((summary.classes, summary.steps), (1, 300));
}

#[test]
fn shared_types_cross_threads() {
    fn assert_shared<T: Send + Sync>() {}
    assert_shared::<Mutex<u32>>();
    assert_shared::<AtomicBool>();
    assert_shared::<AtomicU64>();
    assert_shared::<Keyed<u32>>();
    assert_shared::<isolane::lanes::JoinHandle<u32>>();
}
