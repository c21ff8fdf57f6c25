//! Random small programs: the engine against an interpreter that runs every
//! interleaving, and against itself.
#![expect(
    clippy::disallowed_types,
    reason = "observers use std's types, which are no steps"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex as Observed};

use isolane::lanes::{
    Access, Config, Control, Coverage, End, JoinHandle, Keyed, Mutex, MutexGuard, Summary,
    explore, explore_by_sleep_sets, spawn,
};
use proptest::prelude::*;

const MUTEXES: usize = 2;
const KEYS: [&[u8]; 2] = [b"a", b"b"];

/// What a lane does; `Spawn` and `Join` name lanes and are no steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Lock(usize),
    TryLock(usize),
    Unlock(usize),
    Get(usize),
    Snapshot,
    Append(usize),
    Set(usize),
    Clear,
    Spawn(usize),
    Join(usize),
}

type Program = Vec<Vec<Act>>;

/// Deadlocked or not, the values, and what each lane has read.
type Outcome = (bool, Values, Vec<Vec<String>>);
type Values = [String; 2];

/// Lane 0 is the main lane; lane n > 0 is spawned by an earlier one, which may
/// join it. Whoever takes a mutex gives it back in the end.
fn program(lanes: usize, acts: usize) -> impl Strategy<Value = Program> {
    let act = prop_oneof![
        3 => (0..MUTEXES).prop_map(Act::Lock),
        2 => (0..MUTEXES).prop_map(Act::TryLock),
        3 => (0..MUTEXES).prop_map(Act::Unlock),
        3 => (0..KEYS.len()).prop_map(Act::Get),
        1 => Just(Act::Snapshot),
        2 => (0..KEYS.len()).prop_map(Act::Append),
        2 => (0..KEYS.len()).prop_map(Act::Set),
        1 => Just(Act::Clear),
    ];
    let bodies = prop::collection::vec(prop::collection::vec(act, 0..=acts), 2..=lanes);
    let tree =
        prop::collection::vec((any::<[prop::sample::Index; 3]>(), any::<bool>()), lanes);
    (bodies, tree).prop_map(|(mut bodies, tree)| {
        for lane in (1..bodies.len()).rev() {
            let ([parent, spawns, joins], joined) = &tree[lane];
            let parent = &mut bodies[parent.index(lane)];
            let spawns = spawns.index(parent.len() + 1);
            parent.insert(spawns, Act::Spawn(lane));
            if *joined {
                let joins = spawns + 1 + joins.index(parent.len() - spawns);
                parent.insert(joins, Act::Join(lane));
            }
        }
        bodies.into_iter().map(give_back).collect()
    })
}

/// Adds the unlocks that are missing and drops those that match nothing.
fn give_back(acts: Vec<Act>) -> Vec<Act> {
    let mut held = Vec::new();
    let mut all = Vec::new();
    for act in acts {
        match act {
            Act::Lock(mutex) | Act::TryLock(mutex) => held.push(mutex),
            Act::Unlock(mutex) => match held.iter().rposition(|other| *other == mutex) {
                Some(nth) => drop(held.remove(nth)),
                None => continue,
            },
            _ => {}
        }
        all.push(act);
    }
    all.extend(held.into_iter().rev().map(Act::Unlock));
    all
}

/// The program, run by hand.
#[derive(Clone)]
struct State {
    at: Vec<usize>,
    started: Vec<bool>,
    holder: [Option<usize>; MUTEXES],
    /// What each lane has taken: the mutex, and whether the taking succeeded.
    held: Vec<Vec<(usize, bool)>>,
    values: Values,
    seen: Vec<Vec<String>>,
    /// The steps so far: lane, number in the lane, act.
    steps: Vec<(usize, Act)>,
}

impl State {
    fn new(lanes: usize) -> Self {
        Self {
            at: vec![0; lanes],
            started: (0..lanes).map(|lane| lane == 0).collect(),
            holder: [None; MUTEXES],
            held: vec![Vec::new(); lanes],
            values: Values::default(),
            seen: vec![Vec::new(); lanes],
            steps: Vec::new(),
        }
    }

    /// Does all that is no step.
    fn settle(&mut self, program: &Program) {
        let mut moved = true;
        while moved {
            moved = false;
            for lane in 0..program.len() {
                while self.started[lane] && self.is_silent(program, lane) {
                    match program[lane][self.at[lane]] {
                        Act::Spawn(child) => self.started[child] = true,
                        Act::Unlock(mutex) => drop(self.release(lane, mutex)),
                        _ => {}
                    }
                    self.at[lane] += 1;
                    moved = true;
                }
            }
        }
    }

    fn is_silent(&self, program: &Program, lane: usize) -> bool {
        match program[lane].get(self.at[lane]) {
            Some(Act::Spawn(_)) => true,
            Some(Act::Join(child)) => {
                self.started[*child] && self.at[*child] == program[*child].len()
            }
            Some(Act::Unlock(mutex)) => self.held[lane]
                .iter()
                .rev()
                .find(|(m, _)| m == mutex)
                .is_some_and(|(_, real)| !real),
            _ => false,
        }
    }

    fn release(&mut self, lane: usize, mutex: usize) -> bool {
        let nth = self.held[lane]
            .iter()
            .rposition(|(other, _)| *other == mutex);
        nth.is_some_and(|nth| self.held[lane].remove(nth).1)
    }

    fn can_step(&self, program: &Program, lane: usize) -> bool {
        self.started[lane]
            && match program[lane].get(self.at[lane]) {
                None | Some(Act::Join(_)) => false,
                Some(Act::Lock(mutex)) => self.holder[*mutex].is_none(),
                Some(_) => true,
            }
    }

    fn step(&mut self, program: &Program, lane: usize) {
        let act = program[lane][self.at[lane]];
        self.at[lane] += 1;
        self.steps.push((lane, act));
        match act {
            Act::Lock(mutex) => {
                self.holder[mutex] = Some(lane);
                self.held[lane].push((mutex, true));
            }
            Act::TryLock(mutex) => {
                let free = self.holder[mutex].is_none();
                if free {
                    self.holder[mutex] = Some(lane);
                }
                self.held[lane].push((mutex, free));
                self.seen[lane].push(free.to_string());
            }
            Act::Unlock(mutex) => {
                self.release(lane, mutex);
                self.holder[mutex] = None;
            }
            Act::Get(key) => self.seen[lane].push(self.values[key].clone()),
            Act::Snapshot => self.seen[lane].push(self.values.join(",")),
            Act::Append(key) => self.values[key].push_str(&lane.to_string()),
            Act::Set(key) => self.values[key] = lane.to_string(),
            Act::Clear => self.values = Values::default(),
            Act::Spawn(_) | Act::Join(_) => {}
        }
    }

    /// For each step, which steps come before it whatever the order of steps that
    /// commute: equal for exactly the executions of one class.
    fn class(&self) -> Vec<(usize, Vec<usize>)> {
        let lanes = self.at.len();
        let mut clocks: Vec<(usize, Vec<usize>)> = Vec::new();
        for (nth, (lane, act)) in self.steps.iter().enumerate() {
            let mut clock = vec![0; lanes];
            for (other, (before, done)) in self.steps[..nth].iter().enumerate() {
                if before == lane || dependent(*act, *done) {
                    for (mine, theirs) in clock.iter_mut().zip(&clocks[other].1) {
                        *mine = (*mine).max(*theirs);
                    }
                }
            }
            clock[*lane] += 1;
            clocks.push((*lane, clock));
        }
        clocks.sort_unstable();
        clocks
    }
}

fn dependent(a: Act, b: Act) -> bool {
    /// The mutex, or the keys, and whether they are written.
    fn touches(act: Act) -> (Option<usize>, [bool; 2], bool) {
        match act {
            Act::Lock(mutex) | Act::TryLock(mutex) | Act::Unlock(mutex) => {
                (Some(mutex), [false; 2], true)
            }
            Act::Get(key) => (None, [key == 0, key == 1], false),
            Act::Append(key) | Act::Set(key) => (None, [key == 0, key == 1], true),
            Act::Snapshot => (None, [true; 2], false),
            Act::Clear => (None, [true; 2], true),
            Act::Spawn(_) | Act::Join(_) => (None, [false; 2], false),
        }
    }
    let (a, b) = (touches(a), touches(b));
    let same_mutex = a.0.is_some() && a.0 == b.0;
    let same_key = (a.1[0] && b.1[0]) || (a.1[1] && b.1[1]);
    (same_mutex || same_key) && (a.2 || b.2)
}

type Classes = BTreeSet<Vec<(usize, Vec<usize>)>>;

/// Every interleaving, up to a number of steps; false when there are too many.
fn enumerate(
    program: &Program,
    mut state: State,
    found: &mut (BTreeSet<Outcome>, Classes),
    fuel: &mut u32,
) -> bool {
    state.settle(program);
    let ready: Vec<_> = (0..program.len())
        .filter(|lane| state.can_step(program, *lane))
        .collect();
    if ready.is_empty() {
        let stuck = (0..program.len())
            .any(|lane| state.started[lane] && state.at[lane] < program[lane].len());
        found.1.insert(state.class());
        found.0.insert((stuck, state.values, state.seen));
        return true;
    }
    ready.into_iter().all(|lane| {
        *fuel = fuel.saturating_sub(1);
        let mut next = state.clone();
        next.step(program, lane);
        *fuel > 0 && enumerate(program, next, found, fuel)
    })
}

/// The same program as lanes of the engine.
struct Machine {
    program: Program,
    mutexes: [Mutex<()>; MUTEXES],
    store: Keyed<()>,
    values: Arc<Observed<Values>>,
    seen: Arc<Observed<Vec<Vec<String>>>>,
}

impl Machine {
    fn run(self: &Arc<Self>, lane: usize) {
        let mut held: Vec<(usize, Option<MutexGuard<'_, ()>>)> = Vec::new();
        let mut children: BTreeMap<usize, JoinHandle<()>> = BTreeMap::new();
        for act in &self.program[lane] {
            match *act {
                Act::Lock(mutex) => held.push((mutex, Some(self.mutexes[mutex].lock()))),
                Act::TryLock(mutex) => {
                    let guard = self.mutexes[mutex].try_lock();
                    self.note(lane, guard.is_some().to_string());
                    held.push((mutex, guard));
                }
                Act::Unlock(mutex) => {
                    let nth = held.iter().rposition(|(other, _)| *other == mutex);
                    drop(nth.map(|nth| held.remove(nth)));
                }
                Act::Spawn(child) => {
                    let machine = Arc::clone(self);
                    let handle = spawn(format!("lane-{child}"), move || machine.run(child));
                    children.insert(child, handle);
                }
                Act::Join(child) => {
                    let lane = children.remove(&child).expect("a lane is joined once");
                    lane.join().expect("no lane panics");
                }
                _ => self.on_store(lane, *act),
            }
        }
    }

    fn on_store(&self, lane: usize, act: Act) {
        let values = || self.values.lock().expect("no observer panics");
        let read =
            |access, key: usize| self.store.access(access, |()| values()[key].clone());
        let write = |access, f: &dyn Fn(&mut Values)| {
            self.store.access(access, |()| f(&mut values()));
        };
        match act {
            Act::Get(key) => self.note(lane, read(Access::Read(KEYS[key]), key)),
            Act::Snapshot => {
                let all = self.store.access(Access::ReadAll, |()| values().join(","));
                self.note(lane, all);
            }
            Act::Append(key) => {
                write(Access::Write(KEYS[key]), &|values| {
                    values[key].push_str(&lane.to_string())
                });
            }
            Act::Set(key) => {
                write(Access::Write(KEYS[key]), &|values| {
                    values[key] = lane.to_string()
                });
            }
            Act::Clear => write(Access::WriteAll, &|values| *values = Values::default()),
            _ => {}
        }
    }

    fn note(&self, lane: usize, value: String) {
        self.seen.lock().expect("no observer panics")[lane].push(value);
    }
}

/// The outcomes that the engine reaches.
fn engine(program: &Program, optimal: bool) -> (BTreeSet<Outcome>, Summary) {
    let values = Arc::new(Observed::new(Values::default()));
    let seen = Arc::new(Observed::new(Vec::new()));
    let (shared, shared_seen, lanes) =
        (Arc::clone(&values), Arc::clone(&seen), program.clone());
    let body = move || {
        *shared.lock().expect("no observer panics") = Values::default();
        *shared_seen.lock().expect("no observer panics") = vec![Vec::new(); lanes.len()];
        let machine = Machine {
            program: lanes.clone(),
            mutexes: [Mutex::new("m0", ()), Mutex::new("m1", ())],
            store: Keyed::new("store", ()),
            values: Arc::clone(&shared),
            seen: Arc::clone(&shared_seen),
        };
        Arc::new(machine).run(0);
    };
    let mut outcomes = BTreeSet::new();
    let visit = |execution: &isolane::lanes::Execution<'_>| {
        assert!(execution.panics().is_empty(), "{:?}", execution.panics());
        let stuck = matches!(execution.end(), End::Deadlock(_));
        outcomes.insert((
            stuck,
            values.lock().expect("no observer panics").clone(),
            seen.lock().expect("no observer panics").clone(),
        ));
        Control::Continue
    };
    let config = Config {
        max_executions: 40_000,
        ..Config::default()
    };
    let summary = if optimal {
        explore(&config, body, visit)
    } else {
        explore_by_sleep_sets(&config, body, visit)
    };
    (outcomes, summary.expect("the program is deterministic"))
}

/// Both searches against the interpreter.
fn agree(program: &Program) -> Result<(), TestCaseError> {
    let mut found = (BTreeSet::new(), Classes::new());
    let mut fuel = 400_000;
    prop_assume!(enumerate(
        program,
        State::new(program.len()),
        &mut found,
        &mut fuel
    ));
    for optimal in [true, false] {
        let (outcomes, summary) = engine(program, optimal);
        prop_assert_eq!(&outcomes, &found.0, "optimal {}", optimal);
        prop_assert_eq!(summary.classes, found.1.len() as u64, "optimal {}", optimal);
        prop_assert_eq!(summary.coverage, Coverage::Exhaustive);
        prop_assert!(!optimal || summary.pruned == 0, "pruned {}", summary.pruned);
    }
    Ok(())
}

/// The outcomes without what lane `lane` reads at place `nth`.
fn without(outcomes: &BTreeSet<Outcome>, lane: usize, nth: usize) -> BTreeSet<Outcome> {
    let strip = |(stuck, values, seen): &Outcome| {
        let mut seen = seen.clone();
        if nth < seen[lane].len() {
            seen[lane].remove(nth);
        }
        (*stuck, values.clone(), seen)
    };
    outcomes.iter().map(strip).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn small_programs_have_exactly_their_classes_and_outcomes(program in program(3, 4)) {
        agree(&program)?;
    }

    #[test]
    fn four_lanes_have_exactly_their_classes_and_outcomes(program in program(4, 3)) {
        agree(&program)?;
    }

    /// Too large for the interpreter, so the two searches check each other.
    #[test]
    fn both_searches_agree_on_larger_programs(program in program(4, 5)) {
        let (outcomes, optimal) = engine(&program, true);
        prop_assume!(optimal.coverage == Coverage::Exhaustive);
        let (same, asleep) = engine(&program, false);
        prop_assume!(asleep.coverage == Coverage::Exhaustive);
        prop_assert_eq!(outcomes, same);
        prop_assert_eq!((optimal.classes, optimal.pruned), (asleep.classes, 0));
    }

    /// T11: a read that nobody uses adds no outcome and removes none.
    #[test]
    fn an_unused_read_changes_no_outcome(
        program in program(3, 3),
        lane in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        key in 0..KEYS.len(),
    ) {
        let lane = lane.index(program.len());
        let place = place.index(program[lane].len() + 1);
        let noted = |act: &Act| matches!(act, Act::Get(_) | Act::Snapshot | Act::TryLock(_));
        let nth = program[lane][..place].iter().filter(|act| noted(act)).count();
        let mut longer = program.clone();
        longer[lane].insert(place, Act::Get(key));
        let (before, after) = (engine(&program, true).0, engine(&longer, true).0);
        prop_assert_eq!(before, without(&after, lane, nth));
    }
}
