//! Carrying out a scenario once, on the primitives of any engine.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::scenario::{Answer, Op, Scenario, Thread, Worker};
use super::scheme::Scheme;
use crate::env::{ProcessEnv, SimEnv};
use crate::guard::Strategy;
use crate::host::{Host, Scope};
use crate::session::Session;
use crate::sync::{Backend, Join, Lock, Std};
use crate::value::{Event, Key, State, Value};

/// What happened in one execution. It is kept behind a lock of std, outside the
/// engine's sight: an engine runs all lanes on one OS thread, and no lane stops
/// while it holds it.
#[derive(Debug)]
pub(super) struct Log(<Std as Backend>::Mutex<Entries>);

#[derive(Debug, Default, Clone)]
pub(super) struct Entries {
    /// What each reading step gave.
    pub(super) answers: Vec<(StepId, Answer)>,
    /// The steps in the order in which they ended.
    pub(super) ended: Vec<Ended>,
    /// What outsiders wrote, in order.
    pub(super) outside: Vec<(Key, Option<Value>)>,
    /// The environment after all workers have ended.
    pub(super) left: Option<BTreeMap<Key, Value>>,
    /// Panics that the scenario did not ask for.
    pub(super) panics: Vec<String>,
}

/// A step by worker and index; workers are numbered as `Scenario::all_workers`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StepId {
    pub(super) worker: usize,
    pub(super) step: usize,
}

/// A step that has ended: which, in which of the engine's lanes, and after which
/// of the engine's steps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ended {
    pub(super) id: StepId,
    pub(super) lane: u32,
    pub(super) at: usize,
}

impl Default for Log {
    fn default() -> Self {
        Self(Lock::new("log", Entries::default()))
    }
}

impl Log {
    pub(super) fn edit<R>(&self, f: impl FnOnce(&mut Entries) -> R) -> R {
        f(&mut Lock::lock(&self.0))
    }
}

/// The payload of a panic that a scenario asks for.
struct Scripted;

/// Runs the scenario: the body of an engine's execution.
pub(super) fn once<B: Backend, S: Scheme<B>>(
    scenario: &Arc<Scenario>,
    strategy: Strategy,
    log: &Arc<Log>,
) {
    log.edit(|entries| *entries = Entries::default());
    let host = Host::builder(SimEnv::<B>::new(scenario.env.clone()))
        .strategy(strategy)
        .catalog(scenario.catalog.clone())
        .fallback(scenario.fallback)
        .root(&scenario.root)
        .build()
        .expect("a simulated environment may be written");
    let scheme = S::new(host, scenario);
    let mut handles = Vec::new();
    for worker in 0..scenario.workers.len() {
        let actor = Actor::<B, S>::new(scheme.clone(), scenario, log, worker);
        handles.push(B::spawn(&scenario.workers[worker].name, move || {
            actor.run()
        }));
    }
    for handle in handles {
        let _ = handle.join();
    }
    let left = scheme.host().env().snapshot();
    log.edit(|entries| entries.left = Some(left));
}

/// The home as code finds it that knows the home variable alone.
pub(super) fn env_home<B: Backend>(
    host: &Host<SimEnv<B>>,
    scenario: &Scenario,
) -> Option<PathBuf> {
    let home = host.env().get(scenario.home_variable.as_ref()?)?;
    Some(PathBuf::from(home.expose()))
}

/// One worker at work.
struct Actor<B: Backend, S: Scheme<B>> {
    scheme: S,
    scenario: Arc<Scenario>,
    log: Arc<Log>,
    worker: usize,
    backend: PhantomData<B>,
}

/// The threads that a worker has started and not joined, by name.
type Threads<B> = Vec<(String, <B as Backend>::Join<()>)>;

enum Held<B: Backend, S: Scheme<B>> {
    Profile { _scope: S::Scope },
    Session { _scope: Scope<SimEnv<B>> },
}

/// The scopes of a worker; they end the innermost first, also in a panic.
struct Stack<B: Backend, S: Scheme<B>>(Vec<Held<B, S>>);

impl<B: Backend, S: Scheme<B>> Drop for Stack<B, S> {
    fn drop(&mut self) {
        while self.0.pop().is_some() {}
    }
}

impl<B: Backend, S: Scheme<B>> Actor<B, S> {
    fn new(scheme: S, scenario: &Arc<Scenario>, log: &Arc<Log>, worker: usize) -> Self {
        let (scenario, log) = (Arc::clone(scenario), Arc::clone(log));
        Self {
            scheme,
            scenario,
            log,
            worker,
            backend: PhantomData,
        }
    }

    fn program(scenario: &Scenario, worker: usize) -> &Worker {
        scenario
            .all_workers()
            .nth(worker)
            .expect("workers are numbered by the scenario")
    }

    fn run(self) {
        let mut threads = Threads::<B>::new();
        let ended = catch_unwind(AssertUnwindSafe(|| self.steps(&mut threads)));
        for (_, handle) in threads {
            let _ = handle.join();
        }
        if let Err(payload) = ended {
            if payload.is::<Scripted>() {
                return;
            }
            let text = payload
                .downcast_ref::<String>()
                .cloned()
                .or_else(|| {
                    payload
                        .downcast_ref::<&str>()
                        .map(|text| (*text).to_owned())
                })
                .unwrap_or_else(|| "a panic without a message".to_owned());
            let name = &Self::program(&self.scenario, self.worker).name;
            let text = format!("{name} panicked: {text}");
            self.log.edit(|entries| entries.panics.push(text));
            resume_unwind(payload);
        }
    }

    fn steps(&self, threads: &mut Threads<B>) {
        let scenario = Arc::clone(&self.scenario);
        let mut stack = Stack::<B, S>(Vec::new());
        for (step, what) in Self::program(&scenario, self.worker)
            .steps
            .iter()
            .enumerate()
        {
            let id = StepId {
                worker: self.worker,
                step,
            };
            if let Some(answer) = self.step(&what.op, &mut stack, threads) {
                self.log.edit(|entries| entries.answers.push((id, answer)));
            }
            let (lane, at) = B::position();
            self.log
                .edit(|entries| entries.ended.push(Ended { id, lane, at }));
        }
    }

    fn step(
        &self,
        op: &Op,
        stack: &mut Stack<B, S>,
        threads: &mut Threads<B>,
    ) -> Option<Answer> {
        match op {
            Op::Enter(_) | Op::Exit | Op::Bind(_) | Op::Unbind => self.scope(op, stack),
            Op::Ctx(_) | Op::Get(_) | Op::Os(_) | Op::Cfg(_) | Op::OsCfg(_) => {
                self.read(op)
            }
            Op::Clear => self.scheme.host().clear().err().map(|_| Answer::Error),
            Op::Reset => self.scheme.host().reset().err().map(|_| Answer::Error),
            Op::Set(key, value) => {
                // No lane stops between the write and this line, so the log has
                // the order of the writes.
                let written = self.scheme.host().env().write(key, value.as_ref());
                B::emit(|| Event::OutsideWrite {
                    key: key.clone(),
                    value: value.clone(),
                });
                self.log
                    .edit(|entries| entries.outside.push((key.clone(), value.clone())));
                written.err().map(|_| Answer::Error)
            }
            Op::Spawn(how, name) => {
                threads.push((name.clone(), self.spawn(*how, name)));
                None
            }
            Op::Join(name) => {
                let at = threads.iter().position(|(known, _)| known == name)?;
                let _ = threads.remove(at).1.join();
                None
            }
            Op::Panic => resume_unwind(Box::new(Scripted)),
            Op::Await => {
                B::yield_now();
                None
            }
        }
    }

    fn scope(&self, op: &Op, stack: &mut Stack<B, S>) -> Option<Answer> {
        match op {
            Op::Enter(name) => {
                let Ok(profile) = self.scenario.profiles.get(name)? else {
                    B::emit(|| Event::Refused {
                        profile: name.clone(),
                    });
                    return Some(Answer::Error);
                };
                match self.scheme.enter(profile) {
                    Ok(scope) => stack.0.push(Held::Profile { _scope: scope }),
                    Err(_) => return Some(Answer::Error),
                }
            }
            Op::Bind(pairs) => {
                let session =
                    pairs.iter().fold(Session::new(), |session, (name, value)| {
                        session.set(name, value)
                    });
                stack.0.push(Held::Session {
                    _scope: self.scheme.host().bind(session),
                });
            }
            _ => drop(stack.0.pop()),
        }
        None
    }

    fn read(&self, op: &Op) -> Option<Answer> {
        let (reader, name, state) = match op {
            Op::Ctx(name) => ("ctx", name.clone(), Ok(self.scheme.session_var(name))),
            Op::Get(key) => ("get", key.to_string(), self.scheme.get(key)),
            Op::Os(key) => ("os", key.to_string(), Ok(self.os(key))),
            Op::Cfg(path) => {
                let home = self.scheme.home(&self.scenario);
                ("cfg", path.clone(), Ok(self.config(home.as_deref(), path)))
            }
            Op::OsCfg(path) => {
                let home = env_home(self.scheme.host(), &self.scenario);
                (
                    "os-cfg",
                    path.clone(),
                    Ok(self.config(home.as_deref(), path)),
                )
            }
            _ => return None,
        };
        B::emit(|| Event::Read {
            reader,
            name,
            value: match &state {
                Ok(State::Set(value)) => Some(value.clone()),
                Ok(State::Empty) => Some(Value::new("")),
                Ok(State::Unset) | Err(_) => None,
            },
        });
        Some(state.map_or(Answer::Error, Answer::State))
    }

    fn os(&self, key: &Key) -> State<Value> {
        State::from_value(self.scheme.host().env().get(key))
    }

    /// Reads the file that really lies in that home.
    fn config(&self, home: Option<&Path>, path: &str) -> State<Value> {
        let loaded = self
            .scenario
            .profiles
            .values()
            .filter_map(|profile| profile.as_ref().ok());
        let found = loaded
            .into_iter()
            .find(|profile| Some(profile.home()) == home);
        State::from_value(
            found
                .and_then(|profile| profile.config_value(path))
                .map(Value::new),
        )
    }

    fn spawn(&self, how: Thread, name: &str) -> B::Join<()> {
        let index = self.scenario.threads.keys().position(|known| known == name);
        let index =
            self.scenario.workers.len() + index.expect("the parser checked the name");
        let actor = Self::new(self.scheme.clone(), &self.scenario, &self.log, index);
        let host = self.scheme.host();
        match how {
            Thread::Inherit => host.spawn(name, move || actor.run()),
            Thread::Fresh => host.spawn_fresh(name, move || actor.run()),
            Thread::Raw => B::spawn(name, move || actor.run()),
        }
    }
}
