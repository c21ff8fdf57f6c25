//! The reference model: what each read of a scenario may give.
//!
//! It follows each worker's program alone, with plain maps, and knows nothing of
//! the core, of interleavings or of strategies, so that a reader can check it by
//! eye. What several answers may be right for (a reader that races with a write
//! by an outsider) has several.

use std::collections::{BTreeMap, BTreeSet};

use super::invariant::{Invariant, Reader};
use super::scenario::{Answer, Op, Scenario, Step, Thread};
use crate::host::Fallback;
use crate::profile::is_credential_name;
use crate::value::{Key, State, Value};

/// What one reading step may give.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Check {
    pub(super) invariant: Invariant,
    /// `None` where it is about no reader (entering a profile).
    pub(super) reader: Option<Reader>,
    pub(super) allowed: BTreeSet<Answer>,
}

/// What is in force at a point of a worker's program.
#[derive(Debug, Clone, Default)]
struct Force {
    profile: Option<String>,
    session: Option<BTreeMap<String, State<Value>>>,
}

/// A worker's scopes, and whether it knows that some session has been bound.
#[derive(Debug, Clone, Default)]
struct Place {
    scopes: Vec<Force>,
    engaged: bool,
    is_thread: bool,
}

impl Place {
    fn force(&self) -> Force {
        self.scopes.last().cloned().unwrap_or_default()
    }
}

/// The checks of every step, by worker (as `Scenario::all_workers`) and index.
pub(super) fn checks(scenario: &Scenario) -> Vec<Vec<Option<Check>>> {
    let model = Model {
        scenario,
        any_bind: any_bind(scenario),
    };
    let mut starts: BTreeMap<String, Place> = BTreeMap::new();
    let mut done: BTreeMap<String, Vec<Option<Check>>> = BTreeMap::new();
    let mut waiting: Vec<_> = scenario
        .workers
        .iter()
        .map(|w| (w, Place::default()))
        .collect();
    // A thread is followed once the worker that starts it has been.
    while let Some((worker, place)) = waiting.pop() {
        let before: BTreeSet<String> = starts.keys().cloned().collect();
        done.insert(
            worker.name.clone(),
            model.follow(&worker.steps, place, &mut starts),
        );
        for (name, place) in starts.iter().filter(|(name, _)| !before.contains(*name)) {
            waiting.push((&scenario.threads[name], place.clone()));
        }
    }
    scenario
        .all_workers()
        .map(|worker| {
            let never_started = || worker.steps.iter().map(|_| None).collect();
            done.remove(&worker.name).unwrap_or_else(never_started)
        })
        .collect()
}

fn any_bind(scenario: &Scenario) -> bool {
    let mut steps = scenario.all_workers().flat_map(|worker| &worker.steps);
    steps.any(|step| matches!(step.op, Op::Bind(_)))
}

struct Model<'a> {
    scenario: &'a Scenario,
    any_bind: bool,
}

impl Model<'_> {
    fn follow(
        &self,
        steps: &[Step],
        mut place: Place,
        starts: &mut BTreeMap<String, Place>,
    ) -> Vec<Option<Check>> {
        steps
            .iter()
            .map(|step| {
                let check = self.check(step, &place);
                self.advance(&step.op, &mut place, starts);
                check
            })
            .collect()
    }

    fn advance(&self, op: &Op, place: &mut Place, starts: &mut BTreeMap<String, Place>) {
        let mut force = place.force();
        match op {
            Op::Enter(name) if matches!(self.scenario.profiles.get(name), Some(Ok(_))) => {
                force.profile = Some(name.clone());
                place.scopes.push(force);
            }
            Op::Bind(pairs) => {
                let names = self
                    .scenario
                    .catalog
                    .iter()
                    .map(|name| (name.to_owned(), State::Empty));
                let given = pairs.iter().map(|(name, value)| {
                    (name.clone(), State::from_value(Some(Value::new(value))))
                });
                force.session = Some(names.chain(given).collect());
                place.scopes.push(force);
                place.engaged = true;
            }
            Op::Exit | Op::Unbind => drop(place.scopes.pop()),
            Op::Clear | Op::Reset => {
                let state = if *op == Op::Clear {
                    State::Empty
                } else {
                    State::Unset
                };
                let top = place
                    .scopes
                    .last_mut()
                    .and_then(|force| force.session.as_mut());
                for old in top.into_iter().flat_map(BTreeMap::values_mut) {
                    *old = state.clone();
                }
            }
            Op::Spawn(how, name) => {
                let scopes = match how {
                    Thread::Inherit => vec![force],
                    Thread::Fresh | Thread::Raw => Vec::new(),
                };
                let start = Place {
                    scopes,
                    engaged: place.engaged,
                    is_thread: true,
                };
                starts.insert(name.clone(), start);
            }
            _ => {}
        }
    }

    fn check(&self, step: &Step, place: &Place) -> Option<Check> {
        let (reader, allowed) = match &step.op {
            Op::Enter(name) => {
                let fails = matches!(self.scenario.profiles.get(name), Some(Err(_)));
                // A profile that can be entered answers nothing at all.
                let allowed = fails.then_some(Answer::Error).into_iter().collect();
                let invariant = Invariant::FailClosed;
                return Some(Check {
                    invariant,
                    reader: None,
                    allowed,
                });
            }
            Op::Ctx(name) => (Reader::Scoped, self.session_var(name, place)),
            Op::Get(key) => (Reader::Scoped, self.scoped(key, place)),
            Op::Cfg(path) => (Reader::Scoped, self.config(path, place)),
            Op::Os(key) => (self.legacy_reader(place), self.own(key, place)),
            Op::OsCfg(path) => (self.legacy_reader(place), self.config(path, place)),
            _ => return None,
        };
        let allowed = step
            .want
            .clone()
            .map_or(allowed, |want| BTreeSet::from([want]));
        Some(Check {
            invariant: self.invariant(&step.op, place),
            reader: Some(reader),
            allowed,
        })
    }

    fn invariant(&self, op: &Op, place: &Place) -> Invariant {
        match op {
            _ if place.is_thread => Invariant::CaptureAtSpawn,
            Op::Ctx(_) => Invariant::ThreeStates,
            _ if self.named(place).is_some() => Invariant::OwnOrRefuse,
            _ => Invariant::Bystander,
        }
    }

    /// The named profile in force, the default profile not counted.
    fn named(&self, place: &Place) -> Option<String> {
        place.force().profile.filter(|name| name != "default")
    }

    fn legacy_reader(&self, place: &Place) -> Reader {
        match place.force().profile {
            Some(_) => Reader::Legacy,
            None => Reader::Bystander,
        }
    }

    /// The base's value, and whatever outsiders may have put in its place.
    fn base(&self, key: &Key) -> BTreeSet<Answer> {
        let writes = self.scenario.all_workers().flat_map(|worker| &worker.steps);
        let writes = writes.filter_map(|step| match &step.op {
            Op::Set(written, value) if written == key => Some(value.clone()),
            _ => None,
        });
        std::iter::once(self.scenario.env.get(key).cloned())
            .chain(writes)
            .map(|value| Answer::State(State::from_value(value)))
            .collect()
    }

    /// What the profile in force has for a key, else unset or the base.
    fn own(&self, key: &Key, place: &Place) -> BTreeSet<Answer> {
        let name = place.force().profile;
        let profile =
            name.and_then(|name| self.scenario.profiles.get(&name)?.as_ref().ok());
        let Some(profile) = profile else {
            return self.base(key);
        };
        match profile.get(key) {
            Some(entry) => BTreeSet::from([Answer::State(State::from_value(Some(
                entry.value().clone(),
            )))]),
            None if profile.isolates(key) => BTreeSet::from([Answer::State(State::Unset)]),
            None => self.base(key),
        }
    }

    /// As `own`, with the refusal of a credential outside any scope.
    fn scoped(&self, key: &Key, place: &Place) -> BTreeSet<Answer> {
        let outside = place.force().profile.is_none();
        if !outside || !is_credential_name(key) || !self.any_bind {
            return self.own(key, place);
        }
        let mut allowed = BTreeSet::from([Answer::Error]);
        if !place.engaged {
            allowed.extend(self.base(key));
        }
        allowed
    }

    fn config(&self, path: &str, place: &Place) -> BTreeSet<Answer> {
        let name = place
            .force()
            .profile
            .unwrap_or_else(|| "default".to_owned());
        let profile = self
            .scenario
            .profiles
            .get(&name)
            .and_then(|profile| profile.as_ref().ok());
        let value = profile
            .and_then(|profile| profile.config_value(path))
            .map(Value::new);
        BTreeSet::from([Answer::State(State::from_value(value))])
    }

    fn session_var(&self, name: &str, place: &Place) -> BTreeSet<Answer> {
        let bound = place
            .force()
            .session
            .and_then(|session| session.get(name).cloned());
        match bound {
            Some(State::Set(value)) => BTreeSet::from([Answer::State(State::Set(value))]),
            Some(State::Empty) => BTreeSet::from([Answer::State(State::Empty)]),
            Some(State::Unset) | None => self.fallback(name, place),
        }
    }

    fn fallback(&self, name: &str, place: &Place) -> BTreeSet<Answer> {
        let unset = BTreeSet::from([Answer::State(State::Unset)]);
        let base = Key::new(name).map_or(unset.clone(), |key| self.base(&key));
        match self.scenario.fallback {
            Fallback::Always => base,
            Fallback::Never => unset,
            Fallback::UntilEngaged if place.engaged => unset,
            Fallback::UntilEngaged if self.any_bind => {
                base.union(&unset).cloned().collect()
            }
            Fallback::UntilEngaged => base,
        }
    }
}
