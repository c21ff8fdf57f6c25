//! Runs executions, one after the other.
#![expect(
    clippy::disallowed_types,
    reason = "executions are numbered in a static"
)]

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::op::LaneId;
use super::report::{Config, Control, Coverage, End, Execution, Nondeterminism, Summary};
use super::run::Run;
use super::schedule::{Advance, Follow};
use super::search::Search;
use super::search_optimal::OptimalSearch;
use super::search_sleep::SleepSearch;
use super::{hook, lane, runtime};

static EXECUTIONS: AtomicU64 = AtomicU64::new(1);

/// How one execution went.
enum Outcome {
    Ended(End),
    Redundant,
}

/// Runs `body` under every schedule, up to the order of steps that commute, and
/// shows each execution to `visit`.
///
/// The main lane runs `body`; an execution is over when all lanes have ended.
///
/// # Errors
///
/// When the body does not repeat what it did although the choices were the same.
///
/// # Panics
///
/// Inside a lane, and where `visit` panics.
pub fn explore<F, V>(config: &Config, body: F, visit: V) -> Result<Summary, Nondeterminism>
where
    F: Fn() + 'static,
    V: FnMut(&Execution<'_>) -> Control,
{
    explore_by(Box::<OptimalSearch>::default(), config, body, visit)
}

/// As [`explore`], by depth-first search with sleep sets only: the same classes
/// and a simpler algorithm, to check the other one.
///
/// # Errors
///
/// As [`explore`].
///
/// # Panics
///
/// As [`explore`].
pub fn explore_by_sleep_sets<F, V>(
    config: &Config,
    body: F,
    visit: V,
) -> Result<Summary, Nondeterminism>
where
    F: Fn() + 'static,
    V: FnMut(&Execution<'_>) -> Control,
{
    explore_by(Box::<SleepSearch>::default(), config, body, visit)
}

fn explore_by<F, V>(
    search: Box<dyn Search>,
    config: &Config,
    body: F,
    mut visit: V,
) -> Result<Summary, Nondeterminism>
where
    F: Fn() + 'static,
    V: FnMut(&Execution<'_>) -> Control,
{
    let body = Rc::new(body);
    let mut run = enter(search, config, false);
    let mut summary = Summary {
        classes: 0,
        pruned: 0,
        steps: 0,
        coverage: Coverage::Exhaustive,
    };
    let (mut executions, mut shown, mut cut) = (0, 0, false);
    loop {
        if executions >= config.max_executions {
            summary.coverage = Coverage::Budget(executions);
            return Ok(summary);
        }
        executions += 1;
        let outcome;
        (run, outcome) = run_one(run, &body);
        summary.steps += run.depth as u64;
        match outcome? {
            Outcome::Redundant => summary.pruned += 1,
            Outcome::Ended(end) => {
                shown += 1;
                summary.classes += u64::from(!run.cut);
                cut |= run.cut;
                let execution = Execution {
                    index: shown,
                    run: &run,
                    end: &end,
                };
                if visit(&execution) == Control::Stop {
                    summary.coverage = Coverage::Stopped;
                    return Ok(summary);
                }
            }
        }
        if !next(&mut run) {
            if cut {
                summary.coverage = Coverage::Budget(executions);
            }
            return Ok(summary);
        }
    }
}

/// Runs one execution that follows `schedule` and then always takes the lane
/// with the lowest number that can go on.
///
/// # Errors
///
/// When the schedule names a lane that can not go on at that step, or is longer
/// than the execution.
///
/// # Panics
///
/// As [`explore`].
pub fn replay<F, V>(
    config: &Config,
    schedule: &[LaneId],
    body: F,
    mut visit: V,
) -> Result<(), Nondeterminism>
where
    F: Fn() + 'static,
    V: FnMut(&Execution<'_>) -> Control,
{
    let run = enter(Box::new(Follow(schedule.to_vec())), config, true);
    let (run, outcome) = run_one(run, &Rc::new(body));
    if let Outcome::Ended(end) = outcome? {
        if let Some(lane) = schedule.get(run.depth) {
            let (expected, got) = (format!("a step of lane {lane}"), "the end".to_owned());
            return Err(Nondeterminism {
                step: run.depth,
                expected,
                got,
            });
        }
        visit(&Execution {
            index: 1,
            run: &run,
            end: &end,
        });
    }
    Ok(())
}

fn enter(search: Box<dyn Search>, config: &Config, replaying: bool) -> Box<Run> {
    assert!(
        !lane::in_execution(),
        "an exploration can not start inside a lane"
    );
    hook::install();
    let mut run = Box::<Run>::default();
    run.replaying = replaying;
    run.max_steps = config.max_steps;
    run.search = Some(search);
    run
}

/// Prepares the next execution; false when there is none left.
fn next(run: &mut Run) -> bool {
    let Some(mut search) = run.search.take() else {
        return false;
    };
    let more = search.next(run);
    run.search = Some(search);
    more
}

/// Runs the body once; the run is in force only meanwhile.
fn run_one<F: Fn() + 'static>(
    mut run: Box<Run>,
    body: &Rc<F>,
) -> (Box<Run>, Result<Outcome, Nondeterminism>) {
    // Relaxed: only uniqueness matters.
    run.begin(EXECUTIONS.fetch_add(1, Relaxed));
    let outer = runtime::install(Some(run));
    let body = Rc::clone(body);
    runtime::start(
        "main".to_owned(),
        lane::wrap(move || body(), Arc::default()),
    );
    let outcome = drive();
    (runtime::install(outer).unwrap_or_default(), outcome)
}

/// Lets lanes take steps until the execution is over.
fn drive() -> Result<Outcome, Nondeterminism> {
    let mut next = runtime::with(Run::next);
    loop {
        match next {
            Advance::Resume(lane) => next = runtime::resume(lane),
            Advance::RunOut => {
                next = runtime::with(|run| {
                    run.recording = false;
                    run.next()
                });
            }
            Advance::End(end) => {
                if end != End::Done {
                    runtime::abandon();
                }
                let recording = runtime::with(|run| run.recording);
                return Ok(if recording {
                    Outcome::Ended(end)
                } else {
                    Outcome::Redundant
                });
            }
            Advance::Fail(mismatch) => {
                runtime::abandon();
                return Err(*mismatch);
            }
        }
    }
}
