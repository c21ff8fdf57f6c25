//! Which steps of the current path happen before which, and which of them race.
//!
//! Rules:
//!
//! 1. Steps of one lane are ordered, as are dependent steps of different lanes,
//!    the steps before a spawn and those of the new lane, and the steps of a lane
//!    and those after its join. The order is kept in vector clocks: how many
//!    steps of each lane, by stable number, come before.
//! 2. The history follows the trail of the run note by note, and can be taken
//!    back note by note.
//! 3. Two steps race when they depend on each other and nothing else orders
//!    them. A `lock` never races with the `unlock` before it, which it must wait
//!    for; it races with the step that took the mutex then.

use std::collections::BTreeMap;

use super::op::{Core, OpKind};
use super::run::NONE;
use super::trail::{Note, What};

/// A clock in the pool; lanes beyond its end have the count 0.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    start: u32,
    len: u32,
}

/// One step of the path.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    pub(super) lane: u32,
    pub(super) op: Core,
    /// Its number among the steps of its lane, from 1.
    nth: u32,
    clock: Span,
    /// The step before it on the same object, and the number of the object.
    before: u32,
    object: u32,
    /// The step took the mutex, or left it taken.
    took: bool,
    taken: bool,
}

/// Two steps of the path that could be the other way round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Race {
    pub(super) first: u32,
    pub(super) second: u32,
    /// While the path is the same up to this step, the other order is known to
    /// have been explored.
    pub(super) settled: u32,
}

/// How to take one note back.
#[derive(Debug, Clone, Copy)]
struct Undo {
    lane: u32,
    clock: Span,
    pool: u32,
    step: bool,
}

/// The steps of the path with their order and their races.
#[derive(Debug, Default)]
pub(super) struct History {
    pool: Vec<u32>,
    /// The clock of each lane as it is now, by stable number.
    clocks: Vec<Span>,
    undo: Vec<Undo>,
    pub(super) events: Vec<Event>,
    /// In the order of their second steps.
    pub(super) races: Vec<Race>,
    objects: BTreeMap<u64, u32>,
    /// The last step on each object.
    last: Vec<u32>,
    scratch: Vec<u32>,
    /// The steps that the step in hand races with.
    found: Vec<u32>,
}

impl History {
    /// Adds what the trail has that is not known yet.
    pub(super) fn follow(&mut self, trail: &[Note]) {
        for note in &trail[self.undo.len().min(trail.len())..] {
            self.add(note);
        }
    }

    /// Takes back all notes from `trail` on.
    pub(super) fn rewind(&mut self, trail: usize) {
        while self.undo.len() > trail {
            let Some(undo) = self.undo.pop() else { return };
            self.clocks[undo.lane as usize] = undo.clock;
            self.pool.truncate(undo.pool as usize);
            if undo.step
                && let Some(event) = self.events.pop()
            {
                self.last[event.object as usize] = event.before;
            }
        }
        let steps = self.events.len() as u32;
        while self.races.last().is_some_and(|race| race.second >= steps) {
            self.races.pop();
        }
    }

    /// The steps after `first` that it does not happen before, with their places.
    pub(super) fn apart(&self, first: u32) -> impl Iterator<Item = (u32, &Event)> {
        let Event { lane, nth, .. } = self.events[first as usize];
        let later = self.events.iter().enumerate().skip(first as usize + 1);
        later
            .filter(move |(_, event)| self.count(event.clock, lane) < nth)
            .map(|(index, event)| (index as u32, event))
    }

    /// The steps that race with `op`, which `lane` is about to do, as though it
    /// did it now.
    pub(super) fn pending_races(&mut self, lane: u32, op: &Core) -> &[u32] {
        self.found.clear();
        if let Some(object) = self.objects.get(&op.object).copied() {
            self.load(self.clocks[lane as usize]);
            self.find_races(lane, op, self.last[object as usize]);
        }
        &self.found
    }

    fn add(&mut self, note: &Note) {
        let lane = note.lane;
        self.make_room(lane.max(if note.other == NONE { 0 } else { note.other }));
        let (subject, pool) = match note.what {
            What::Spawn => (note.other, self.pool.len()),
            _ => (lane, self.pool.len()),
        };
        self.undo.push(Undo {
            lane: subject,
            clock: self.clocks[subject as usize],
            pool: pool as u32,
            step: note.what == What::Step,
        });
        match note.what {
            What::Spawn => self.clocks[subject as usize] = self.clocks[lane as usize],
            What::Join => {
                self.load(self.clocks[lane as usize]);
                self.merge(self.clocks[note.other as usize]);
                self.clocks[subject as usize] = self.store();
            }
            What::Step => self.add_step(lane, &note.op.core),
            What::Announce | What::End => {}
        }
    }

    fn make_room(&mut self, lane: u32) {
        if self.clocks.len() <= lane as usize {
            self.clocks.resize(lane as usize + 1, Span::default());
        }
    }

    fn add_step(&mut self, lane: u32, op: &Core) {
        let next = self.last.len() as u32;
        let object = *self.objects.entry(op.object).or_insert(next);
        if object == next {
            self.last.push(NONE);
        }
        let before = self.last[object as usize];
        let index = self.events.len() as u32;
        let known = self.clocks[lane as usize];
        self.load(known);
        self.find_races(lane, op, before);
        let races = self.found.iter().map(|&first| Race {
            first,
            second: index,
            settled: NONE,
        });
        self.races.extend(races);
        let lane_index = lane as usize;
        if self.scratch.len() <= lane_index {
            self.scratch.resize(lane_index + 1, 0);
        }
        self.scratch[lane_index] += 1;
        let nth = self.scratch[lane_index];
        let clock = self.store();
        self.clocks[lane_index] = clock;
        let free = before == NONE || !self.events[before as usize].taken;
        let took = op.kind == OpKind::Lock || op.kind == OpKind::TryLock && free;
        let taken = matches!(op.kind, OpKind::Lock | OpKind::TryLock);
        self.events.push(Event {
            lane,
            op: *op,
            nth,
            clock,
            before,
            object,
            took,
            taken,
        });
        self.last[object as usize] = index;
    }

    /// Finds what a step of `lane` races with. `scratch` holds the clock of the
    /// lane and gains the clocks of all steps that the new one depends on.
    fn find_races(&mut self, lane: u32, op: &Core, mut at: u32) {
        self.found.clear();
        if op.kind == OpKind::Lock {
            self.found
                .extend(self.taker(at, self.clocks[lane as usize], lane));
        }
        while at != NONE {
            let event = self.events[at as usize];
            if event.op.depends_on(op) {
                if event.lane != lane {
                    let ordered =
                        self.scratch.get(event.lane as usize).copied().unwrap_or(0);
                    if ordered < event.nth && op.kind != OpKind::Lock {
                        self.found.push(at);
                    }
                    self.merge(event.clock);
                }
                if event.op.covers(op) {
                    return;
                }
            }
            at = event.before;
        }
    }

    /// The last step from `at` back that took the mutex, unless it is one of
    /// `lane` or ordered before `known`.
    fn taker(&self, mut at: u32, known: Span, lane: u32) -> Option<u32> {
        while at != NONE && !self.events[at as usize].took {
            at = self.events[at as usize].before;
        }
        let event = self.events.get(at as usize)?;
        let free = event.lane != lane && self.count(known, event.lane) < event.nth;
        free.then_some(at)
    }

    fn count(&self, clock: Span, lane: u32) -> u32 {
        if lane < clock.len {
            self.pool[(clock.start + lane) as usize]
        } else {
            0
        }
    }

    /// Makes `scratch` a copy of a clock.
    fn load(&mut self, clock: Span) {
        self.scratch.clear();
        let range = clock.start as usize..(clock.start + clock.len) as usize;
        self.scratch.extend_from_slice(&self.pool[range]);
    }

    /// Makes `scratch` later than a clock.
    fn merge(&mut self, clock: Span) {
        if self.scratch.len() < clock.len as usize {
            self.scratch.resize(clock.len as usize, 0);
        }
        let range = clock.start as usize..(clock.start + clock.len) as usize;
        for (mine, other) in self.scratch.iter_mut().zip(&self.pool[range]) {
            *mine = (*mine).max(*other);
        }
    }

    fn store(&mut self) -> Span {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(&self.scratch);
        Span {
            start,
            len: self.scratch.len() as u32,
        }
    }
}
