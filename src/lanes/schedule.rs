//! Decides what happens next in an execution.
//!
//! A lane that has announced its operation asks first whether it may go on
//! itself (`Run::goes_on`): then no stack is switched. Otherwise it suspends, and
//! the driver does what was decided.

use super::deadlock;
use super::op::LaneId;
use super::report::{End, Nondeterminism};
use super::run::{Run, State};
use super::search::{Choice, Search};

/// The next thing to do in an execution.
#[derive(Debug)]
pub(super) enum Advance {
    /// Resume this lane, whose step is booked.
    Resume(u32),
    /// The execution is over.
    End(End),
    /// It repeats a class; it is run to its end all the same, so that the lanes
    /// end and nothing leaks.
    RunOut,
    /// It can not go on as the search says.
    Fail(Box<Nondeterminism>),
}

impl Run {
    /// Whether the lane, which has just announced its operation, does it at once.
    #[inline]
    pub(super) fn goes_on(&mut self, index: u32) -> bool {
        if self.starting > 0 || self.mismatch.is_some() {
            return false;
        }
        match self.advance() {
            Advance::Resume(lane) if lane == index => true,
            other => {
                self.decided = Some(other);
                false
            }
        }
    }

    /// What the driver is to do; no lane is running.
    pub(super) fn next(&mut self) -> Advance {
        if let Some(joiner) = self.ready.take() {
            return Advance::Resume(joiner);
        }
        if let Some(mismatch) = self.mismatch.take() {
            return Advance::Fail(mismatch);
        }
        self.decided.take().unwrap_or_else(|| self.advance())
    }

    /// Decides and books the next step; all lanes are at rest.
    #[inline]
    pub(super) fn advance(&mut self) -> Advance {
        match self.schedule.get(self.depth) {
            Some(&LaneId(index)) if self.recording => {
                if !self
                    .lanes()
                    .get(index as usize)
                    .is_some_and(|lane| self.enabled(lane))
                {
                    let got = "a lane that can not go on".to_owned();
                    return self.fail(format!("a step of lane {index}"), got);
                }
                self.book(index);
                Advance::Resume(index)
            }
            _ => self.advance_anew(),
        }
    }

    /// The same where nothing is known.
    fn advance_anew(&mut self) -> Advance {
        if self.live == 0 {
            return Advance::End(End::Done);
        }
        if !self.recording {
            return self.run_on();
        }
        if self.depth >= self.max_steps {
            return self.cut_off();
        }
        let Some(mut search) = self.search.take() else {
            return Advance::RunOut;
        };
        let choice = search.choose(self);
        self.search = Some(search);
        match choice {
            Choice::Lane(index) => {
                self.book(index);
                Advance::Resume(index)
            }
            Choice::Nothing if self.is_stuck() => self.deadlock(),
            Choice::Nothing => Advance::RunOut,
            Choice::Impossible { expected, got } => self.fail(expected, got),
        }
    }

    /// Goes on with an execution of no interest.
    fn run_on(&mut self) -> Advance {
        match self.lanes().iter().position(|lane| self.enabled(lane)) {
            Some(lowest) => {
                self.book(lowest as u32);
                Advance::Resume(lowest as u32)
            }
            None => self.deadlock(),
        }
    }

    fn cut_off(&mut self) -> Advance {
        if self.is_stuck() {
            return self.deadlock();
        }
        self.cut = true;
        match deadlock::cycle(self) {
            Some(_) => self.deadlock(),
            None => Advance::End(End::StepLimit),
        }
    }

    fn is_stuck(&self) -> bool {
        !self.lanes().iter().any(|lane| self.enabled(lane))
    }

    #[cold]
    fn deadlock(&self) -> Advance {
        Advance::End(End::Deadlock(deadlock::describe(self)))
    }

    #[cold]
    fn fail(&self, expected: String, got: String) -> Advance {
        Advance::Fail(Box::new(Nondeterminism {
            step: self.depth,
            expected,
            got,
        }))
    }
}

/// The search of a replay: a given schedule, then the lowest lane.
#[derive(Debug)]
pub(super) struct Follow(pub(super) Vec<LaneId>);

impl Search for Follow {
    fn choose(&mut self, run: &Run) -> Choice {
        let Some(LaneId(lane)) = self.0.get(run.depth).copied() else {
            let lowest = run.lanes().iter().position(|lane| run.enabled(lane));
            return lowest.map_or(Choice::Nothing, |index| Choice::Lane(index as u32));
        };
        let got = match run.lanes().get(lane as usize) {
            Some(found) if run.enabled(found) => return Choice::Lane(lane),
            None => "no such lane has been spawned".to_owned(),
            Some(found) if found.state == State::Ended => "it has ended".to_owned(),
            Some(found) if found.state == State::Pending => {
                format!("it waits: {}", found.op)
            }
            Some(_) => "it waits for another lane".to_owned(),
        };
        Choice::Impossible {
            expected: format!("a step of lane {lane}"),
            got,
        }
    }

    fn next(&mut self, _: &mut Run) -> bool {
        false
    }
}
