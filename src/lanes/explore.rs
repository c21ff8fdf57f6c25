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
use super::runtime::{self, Runtime, State};
use super::search::{Choice, Search};
use super::search_optimal::OptimalSearch;
use super::search_sleep::SleepSearch;
use super::{deadlock, hook, lane};

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
    explore_by(OptimalSearch::default(), config, body, visit)
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
    explore_by(SleepSearch::default(), config, body, visit)
}

fn explore_by<S, F, V>(
    mut search: S,
    config: &Config,
    body: F,
    mut visit: V,
) -> Result<Summary, Nondeterminism>
where
    S: Search,
    F: Fn() + 'static,
    V: FnMut(&Execution<'_>) -> Control,
{
    let body = Rc::new(body);
    let mut run = Some(enter(false));
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
        let outcome = run_one(&mut run, &mut search, config.max_steps, &body);
        let Some(rt) = run.as_mut() else {
            return Ok(summary);
        };
        summary.steps += rt.depth as u64;
        match outcome? {
            Outcome::Redundant => summary.pruned += 1,
            Outcome::Ended(end) => {
                shown += 1;
                let complete = end != End::StepLimit;
                summary.classes += u64::from(complete);
                cut |= !complete;
                let execution = Execution {
                    index: shown,
                    run: rt,
                    end: &end,
                };
                if visit(&execution) == Control::Stop {
                    summary.coverage = Coverage::Stopped;
                    return Ok(summary);
                }
            }
        }
        if !search.next(rt) {
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
/// When the schedule names a lane that can not go on at that step.
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
    let mut run = Some(enter(true));
    let mut search = Follow(schedule);
    let outcome = run_one(&mut run, &mut search, config.max_steps, &Rc::new(body))?;
    if let (Outcome::Ended(end), Some(rt)) = (outcome, &run) {
        visit(&Execution {
            index: 1,
            run: rt,
            end: &end,
        });
    }
    Ok(())
}

/// The search of [`replay`].
struct Follow<'a>(&'a [LaneId]);

impl Search for Follow<'_> {
    fn choose(&mut self, run: &Runtime) -> Choice {
        let Some(lane) = self.0.get(run.depth) else {
            let lowest = run.lanes().iter().position(|lane| run.enabled(lane));
            return lowest.map_or(Choice::Redundant, |index| Choice::Lane(index as u32));
        };
        match run.lanes().get(lane.0 as usize) {
            None => Choice::Impossible("it has not been spawned"),
            Some(found) if run.enabled(found) => Choice::Lane(lane.0),
            Some(found) if found.state == State::Ended => {
                Choice::Impossible("it has ended")
            }
            Some(_) => Choice::Impossible("it waits"),
        }
    }

    fn next(&mut self, _: &mut Runtime) -> bool {
        false
    }
}

fn enter(replaying: bool) -> Box<Runtime> {
    assert!(
        !lane::in_execution(),
        "an exploration can not start inside a lane"
    );
    hook::install();
    let mut run = Box::<Runtime>::default();
    run.replaying = replaying;
    run
}

/// Runs the body once; the run is in force only meanwhile.
fn run_one<F: Fn() + 'static>(
    run: &mut Option<Box<Runtime>>,
    search: &mut impl Search,
    max_steps: usize,
    body: &Rc<F>,
) -> Result<Outcome, Nondeterminism> {
    let outer = runtime::install(run.take());
    // Relaxed: only uniqueness matters.
    runtime::with(|rt| rt.begin(EXECUTIONS.fetch_add(1, Relaxed)));
    let body = Rc::clone(body);
    let main = move || body();
    runtime::start("main".to_owned(), lane::wrap(main, Arc::default()));
    let outcome = schedule(search, max_steps);
    *run = runtime::install(outer);
    outcome
}

/// Lets lanes take steps until the execution is over.
fn schedule(search: &mut impl Search, max_steps: usize) -> Result<Outcome, Nondeterminism> {
    loop {
        while let Some(lane) = runtime::with(|rt| rt.ready.pop()) {
            runtime::resume(lane);
        }
        if let Some(mismatch) = runtime::with(|rt| rt.mismatch.take()) {
            runtime::abandon();
            return Err(mismatch);
        }
        match runtime::with(|rt| advance(rt, search, max_steps)) {
            Advance::Resume(lane) => runtime::resume(lane),
            Advance::End(end) => {
                if end != End::Done {
                    runtime::abandon();
                }
                return Ok(Outcome::Ended(end));
            }
            Advance::RunOut => {
                run_out();
                return Ok(Outcome::Redundant);
            }
            Advance::Fail(mismatch) => {
                runtime::abandon();
                return Err(mismatch);
            }
        }
    }
}

/// The next thing to do in an execution.
enum Advance {
    Resume(u32),
    End(End),
    RunOut,
    Fail(Nondeterminism),
}

fn advance(rt: &mut Runtime, search: &mut impl Search, max_steps: usize) -> Advance {
    if rt.live == 0 {
        return Advance::End(End::Done);
    }
    if !rt.lanes().iter().any(|lane| rt.enabled(lane)) {
        return Advance::End(End::Deadlock(deadlock::describe(rt)));
    }
    if rt.depth >= max_steps {
        return Advance::End(match deadlock::cycle(rt) {
            Some(_) => End::Deadlock(deadlock::describe(rt)),
            None => End::StepLimit,
        });
    }
    match search.choose(rt) {
        Choice::Lane(index) => {
            rt.book(index);
            Advance::Resume(index)
        }
        Choice::Redundant => Advance::RunOut,
        Choice::Impossible(why) => Advance::Fail(Nondeterminism {
            step: rt.depth,
            expected: "a step of the lane that the schedule names".to_owned(),
            got: why.to_owned(),
        }),
    }
}

/// Runs an execution of no interest to its end, so that nothing leaks.
fn run_out() {
    runtime::with(Runtime::stop_recording);
    loop {
        while let Some(lane) = runtime::with(|rt| rt.ready.pop()) {
            runtime::resume(lane);
        }
        let next = runtime::with(|rt| {
            let next = rt.lanes().iter().position(|lane| rt.enabled(lane))? as u32;
            rt.book(next);
            Some(next)
        });
        match next {
            Some(lane) => runtime::resume(lane),
            None => break,
        }
    }
    runtime::abandon();
}
