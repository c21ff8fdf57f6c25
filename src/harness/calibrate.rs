//! Is the engine to be believed? Programs whose answer is known.
//!
//! [`trust_engine`] runs a handful before the first verdict; [`self_check`] runs
//! all of them and reports each like a scenario.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use super::explore::{Finding, Outcome, Row};
use super::invariant::Invariant;
use crate::error::{Error, Kind};
use crate::lanes::{self, Config, Control, Coverage, End, Summary, calibration};
use crate::sync::{Lock, Std};

/// A program with a known answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calibration {
    /// The overlapping guard: workers, keys, classes.
    Guard(usize, usize, u64),
    /// A lock alone: workers, sections, classes.
    Lock(usize, usize, u64),
    /// Two workers that read, add one and write: both 1 and 2 must come out.
    LostUpdate,
    /// Two workers that take two locks in opposite orders: must get stuck.
    OppositeLocks,
}

impl Calibration {
    /// All of them.
    pub const ALL: [Calibration; 12] = [
        Calibration::Guard(2, 1, 16),
        Calibration::Guard(2, 2, 50),
        Calibration::Guard(2, 3, 170),
        Calibration::Guard(3, 1, 1_044),
        Calibration::Guard(3, 2, 13_614),
        Calibration::Guard(3, 3, 174_096),
        Calibration::Lock(2, 2, 6),
        Calibration::Lock(2, 4, 70),
        Calibration::Lock(3, 2, 90),
        Calibration::Lock(3, 3, 1_680),
        Calibration::LostUpdate,
        Calibration::OppositeLocks,
    ];

    /// Those that take no time, for [`trust_engine`].
    const QUICK: [Calibration; 4] = [
        Calibration::Guard(2, 1, 16),
        Calibration::Lock(2, 2, 6),
        Calibration::LostUpdate,
        Calibration::OppositeLocks,
    ];

    /// The name in reports.
    pub fn name(self) -> String {
        match self {
            Calibration::Guard(workers, keys, _) => {
                format!("calibration/guard-{workers}x{keys}")
            }
            Calibration::Lock(workers, sections, _) => {
                format!("calibration/lock-{workers}x{sections}")
            }
            Calibration::LostUpdate => "calibration/lost-update".to_owned(),
            Calibration::OppositeLocks => "calibration/opposite-locks".to_owned(),
        }
    }

    /// Runs it and says what is wrong with the engine, if anything is.
    fn run(self) -> Result<(Summary, Option<String>), Error> {
        let engine =
            |error: lanes::Nondeterminism| Error::new(Kind::Engine, error.to_string());
        let (summary, wrong) = match self {
            Calibration::Guard(workers, keys, classes) => {
                let summary = count(calibration::guard(workers, keys)).map_err(engine)?;
                (summary, wrong_count(summary.classes, classes))
            }
            Calibration::Lock(workers, sections, classes) => {
                let summary =
                    count(calibration::lock(workers, sections)).map_err(engine)?;
                (summary, wrong_count(summary.classes, classes))
            }
            Calibration::LostUpdate => lost_update().map_err(engine)?,
            Calibration::OppositeLocks => opposite_locks().map_err(engine)?,
        };
        let wrong = match summary.coverage {
            Coverage::Exhaustive => wrong,
            _ => Some("the search did not come to its end".to_owned()),
        };
        Ok((summary, wrong))
    }
}

/// Runs all calibrations; each is a row that is expected when the engine is right.
///
/// # Errors
///
/// The engine lost control of a run.
pub fn self_check() -> Result<Vec<Row>, Error> {
    Calibration::ALL.into_iter().map(row).collect()
}

/// Refuses an engine that gets a known program wrong; takes about a millisecond.
///
/// # Errors
///
/// What it got wrong.
pub fn trust_engine() -> Result<(), Error> {
    for calibration in Calibration::QUICK {
        if let (_, Some(wrong)) = calibration.run()? {
            let message = format!(
                "the engine is not to be believed: {}: {wrong}",
                calibration.name()
            );
            return Err(Error::new(Kind::Engine, message));
        }
    }
    Ok(())
}

fn row(calibration: Calibration) -> Result<Row, Error> {
    let started = Instant::now();
    let (summary, wrong) = calibration.run()?;
    let finding = wrong.map(|message| Finding {
        invariant: Invariant::Progress,
        message,
        deadlock: false,
        failing: summary.classes,
        first: 1,
        of: summary.classes,
        steps: 0,
        preemptions: 0,
        trace: Vec::new(),
        keys: Vec::new(),
    });
    let outcome = if finding.is_some() {
        Outcome::Violates
    } else {
        Outcome::Holds
    };
    Ok(Row {
        scenario: calibration.name(),
        strategy: "calibration".to_owned(),
        reader: None,
        exhaustive: summary.coverage == Coverage::Exhaustive,
        executions: summary.classes + summary.pruned,
        classes: summary.classes,
        pruned: summary.pruned,
        outcome,
        expected: finding.is_none(),
        limit: false,
        note: None,
        elapsed_ms: started.elapsed().as_secs_f64() * 1e3,
        findings: finding.into_iter().collect(),
    })
}

fn count(body: impl Fn() + 'static) -> Result<Summary, lanes::Nondeterminism> {
    lanes::explore(&Config::default(), body, |_| Control::Continue)
}

fn wrong_count(found: u64, wanted: u64) -> Option<String> {
    (found != wanted).then(|| format!("{found} classes were counted and {wanted} exist"))
}

type Answer = Result<(Summary, Option<String>), lanes::Nondeterminism>;

fn lost_update() -> Answer {
    let seen: Arc<<Std as crate::sync::Backend>::Mutex<BTreeSet<u64>>> =
        Arc::new(Lock::new("seen", BTreeSet::new()));
    let log = Arc::clone(&seen);
    let summary = count(move || {
        let counter = Arc::new(lanes::AtomicU64::new("counter", 0));
        let add = || {
            let counter = Arc::clone(&counter);
            lanes::spawn("adder", move || counter.store(counter.load() + 1))
        };
        let workers = [add(), add()];
        workers.into_iter().for_each(|worker| drop(worker.join()));
        Lock::lock(&*log).insert(counter.load());
    })?;
    let seen = Lock::lock(&*seen).clone();
    let wrong = (seen != BTreeSet::from([1, 2]))
        .then(|| format!("of the outcomes 1 and 2 it saw {seen:?}"));
    Ok((summary, wrong))
}

fn opposite_locks() -> Answer {
    let mut stuck = 0;
    let mut done = 0;
    let body = || {
        let locks = Arc::new([lanes::Mutex::new("one", ()), lanes::Mutex::new("two", ())]);
        let take = |first: usize, second: usize| {
            let locks = Arc::clone(&locks);
            lanes::spawn("taker", move || {
                let _first = locks[first].lock();
                let _second = locks[second].lock();
            })
        };
        let workers = [take(0, 1), take(1, 0)];
        workers.into_iter().for_each(|worker| drop(worker.join()));
    };
    let summary = lanes::explore(&Config::default(), body, |execution| {
        match execution.end() {
            End::Deadlock(_) => stuck += 1,
            _ => done += 1,
        }
        Control::Continue
    })?;
    let wrong = (stuck == 0 || done == 0)
        .then(|| format!("it got stuck {stuck} times and came through {done} times"));
    Ok((summary, wrong))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_is_off_by_one_is_told() {
        let wrong = |calibration: Calibration| calibration.run().unwrap().1;
        assert_eq!(wrong(Calibration::Guard(2, 1, 16)), None);
        let text = wrong(Calibration::Guard(2, 1, 17)).unwrap();
        assert_eq!(text, "16 classes were counted and 17 exist");
        assert!(wrong(Calibration::Lock(2, 2, 5)).is_some());
        let row = row(Calibration::Lock(2, 2, 5)).unwrap();
        assert_eq!((row.outcome, row.expected), (Outcome::Violates, false));
    }
}
