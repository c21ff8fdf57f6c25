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

    /// Decides and books the next step; all lanes are at rest.
    #[inline]
    pub(super) fn advance(&mut self) -> Advance {
        match self.schedule.get(self.depth) {
            Some(&LaneId(index)) if self.recording => {
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
        let Some(lowest) = self.lanes().iter().position(|lane| self.enabled(lane)) else {
            return Advance::End(End::Deadlock(deadlock::describe(self)));
        };
        if !self.recording {
            self.book(lowest as u32);
            return Advance::Resume(lowest as u32);
        }
        if self.depth >= self.max_steps {
            self.cut = true;
            return Advance::End(match deadlock::cycle(self) {
                Some(_) => End::Deadlock(deadlock::describe(self)),
                None => End::StepLimit,
            });
        }
        self.ask()
    }

    /// Lets the search choose.
    fn ask(&mut self) -> Advance {
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
            Choice::Redundant => Advance::RunOut,
            Choice::Impossible { expected, got } => {
                Advance::Fail(Box::new(Nondeterminism {
                    step: self.depth,
                    expected,
                    got,
                }))
            }
        }
    }
}

/// The search of a replay: a given schedule, then the lowest lane.
#[derive(Debug)]
pub(super) struct Follow(pub(super) Vec<LaneId>);

impl Search for Follow {
    fn choose(&mut self, run: &Run) -> Choice {
        let Some(LaneId(lane)) = self.0.get(run.depth).copied() else {
            let lowest = run.lanes().iter().position(|lane| run.enabled(lane));
            return lowest.map_or(Choice::Redundant, |index| Choice::Lane(index as u32));
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
