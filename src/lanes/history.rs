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
}

/// How to take one note back.
#[derive(Debug, Clone, Copy)]
struct Undo {
    /// The place of the note in the trail.
    at: u32,
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
    /// How many notes of the trail are in.
    followed: usize,
    undo: Vec<Undo>,
    pub(super) events: Vec<Event>,
    /// In the order of their second steps.
    pub(super) races: Vec<Race>,
    objects: BTreeMap<u64, u32>,
    /// The object that was looked up last.
    recent: (u64, u32),
    /// The last step on each object.
    last: Vec<u32>,
    /// The steps that the step in hand races with.
    found: Vec<u32>,
}

impl History {
    /// Adds what the trail has that is not known yet.
    pub(super) fn follow(&mut self, trail: &[Note]) {
        if self.clocks.is_empty() {
            self.clocks.push(Span::default());
        }
        for (at, note) in trail.iter().enumerate().skip(self.followed) {
            match note.what {
                What::Announce | What::End => continue,
                What::Spawn => self.add_spawn(at, note.lane, note.other),
                What::Join => self.add_join(at, note.lane, note.other),
                What::Step => self.add_step(at, note.lane, &note.core),
            }
        }
        self.followed = trail.len();
    }

    /// Takes back all notes from `trail` on.
    pub(super) fn rewind(&mut self, trail: usize) {
        while let Some(undo) = self.undo.pop_if(|undo| undo.at as usize >= trail) {
            self.clocks[undo.lane as usize] = undo.clock;
            self.pool.truncate(undo.pool as usize);
            if undo.step
                && let Some(event) = self.events.pop()
            {
                self.last[event.object as usize] = event.before;
            }
        }
        self.followed = trail;
        let steps = self.events.len() as u32;
        while self.races.pop_if(|race| race.second >= steps).is_some() {}
    }

    /// The steps after `first`, from `from` on, that it does not happen before.
    pub(super) fn apart(&self, first: u32, from: u32) -> impl Iterator<Item = &Event> {
        let Event { lane, nth, .. } = self.events[first as usize];
        self.events[from.max(first + 1) as usize..]
            .iter()
            .filter(move |event| {
                let clock = event.clock;
                lane >= clock.len || self.pool[(clock.start + lane) as usize] < nth
            })
    }

    /// The steps that race with `op`, which `lane` is about to do, as though it
    /// did it now.
    pub(super) fn pending_races(&mut self, lane: u32, op: &Core) -> &[u32] {
        self.found.clear();
        if let Some(object) = self.objects.get(&op.object).copied() {
            let start = self.open(self.clocks[lane as usize]);
            self.find_races(lane, op, self.last[object as usize], start);
            self.pool.truncate(start);
        }
        &self.found
    }

    /// The number under which the steps on an object are kept.
    fn object(&mut self, id: u64) -> u32 {
        if self.recent.0 == id && !self.last.is_empty() {
            return self.recent.1;
        }
        let next = self.last.len() as u32;
        let object = *self.objects.entry(id).or_insert(next);
        if object == next {
            self.last.push(NONE);
        }
        self.recent = (id, object);
        object
    }

    fn remember(&mut self, at: usize, lane: u32, step: bool) {
        let (clock, pool) = (self.clocks[lane as usize], self.pool.len() as u32);
        self.undo.push(Undo {
            at: at as u32,
            lane,
            clock,
            pool,
            step,
        });
    }

    fn add_spawn(&mut self, at: usize, lane: u32, child: u32) {
        if self.clocks.len() <= child as usize {
            self.clocks.resize(child as usize + 1, Span::default());
        }
        self.remember(at, child, false);
        self.clocks[child as usize] = self.clocks[lane as usize];
    }

    fn add_join(&mut self, at: usize, lane: u32, other: u32) {
        self.remember(at, lane, false);
        let start = self.open(self.clocks[lane as usize]);
        self.merge(start, self.clocks[other as usize]);
        self.clocks[lane as usize] = self.close(start);
    }

    fn add_step(&mut self, at: usize, lane: u32, op: &Core) {
        let object = self.object(op.object);
        self.remember(at, lane, true);
        let before = self.last[object as usize];
        let index = self.events.len() as u32;
        let start = self.open(self.clocks[lane as usize]);
        self.find_races(lane, op, before, start);
        for first in self.found.drain(..) {
            self.races.push(Race {
                first,
                second: index,
            });
        }
        let mine = start + lane as usize;
        if self.pool.len() <= mine {
            self.pool.resize(mine + 1, 0);
        }
        self.pool[mine] += 1;
        let nth = self.pool[mine];
        let clock = self.close(start);
        self.clocks[lane as usize] = clock;
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

    /// Finds what a step of `lane` races with. The open clock at `start` is that
    /// of the lane and gains those of all steps that the new one depends on.
    fn find_races(&mut self, lane: u32, op: &Core, mut at: u32, start: usize) {
        self.found.clear();
        if op.kind == OpKind::Lock {
            self.found
                .extend(self.taker(at, self.clocks[lane as usize], lane));
        }
        while at != NONE && op.kind != OpKind::Yield {
            let event = self.events[at as usize];
            if event.op.depends_on(op) {
                if event.lane != lane {
                    let ordered = self
                        .pool
                        .get(start + event.lane as usize)
                        .copied()
                        .unwrap_or(0);
                    if ordered < event.nth && op.kind != OpKind::Lock {
                        self.found.push(at);
                    }
                    self.merge(start, event.clock);
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
        let ordered = event.lane < known.len
            && self.pool[(known.start + event.lane) as usize] >= event.nth;
        (event.lane != lane && !ordered).then_some(at)
    }

    /// Starts a new clock at the end of the pool, as a copy.
    fn open(&mut self, clock: Span) -> usize {
        let start = self.pool.len();
        self.pool
            .extend_from_within(clock.start as usize..(clock.start + clock.len) as usize);
        start
    }

    /// Makes the open clock later than another.
    fn merge(&mut self, start: usize, clock: Span) {
        if self.pool.len() < start + clock.len as usize {
            self.pool.resize(start + clock.len as usize, 0);
        }
        let (known, open) = self.pool.split_at_mut(start);
        let other = &known[clock.start as usize..(clock.start + clock.len) as usize];
        for (mine, other) in open.iter_mut().zip(other) {
            *mine = (*mine).max(*other);
        }
    }

    /// Ends the open clock.
    fn close(&self, start: usize) -> Span {
        Span {
            start: start as u32,
            len: (self.pool.len() - start) as u32,
        }
    }
}
