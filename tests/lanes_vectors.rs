//! The engine reaches exactly the outcomes that brute force found, program by
//! program, and runs exactly as many executions as there are classes.
//!
//! `ISOLANE_ENGINE_VECTORS` names another file of the same format to run.
#![expect(
    clippy::disallowed_types,
    reason = "observers share a mutex of std's, which is no step"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "the file may be named in a variable"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex as Observed};
use std::time::Instant;

use isolane::lanes::{
    Access, Config, Control, Coverage, End, Keyed, Mutex, MutexGuard, Summary, explore,
    explore_by_sleep_sets, spawn,
};
use serde_json::{Map, Value, json};

const FIXTURE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/fixtures/engine-vectors.json"
);

/// What a lane has read, lane by lane.
type Seen = Arc<Observed<Vec<Vec<Value>>>>;
/// The environment; it is observed outside the engine at the end.
type Env = Arc<Observed<BTreeMap<String, String>>>;

struct Program {
    name: String,
    init: BTreeMap<String, String>,
    lanes: Vec<Vec<Vec<String>>>,
    classes: Option<u64>,
    outcomes: BTreeSet<String>,
}

impl Program {
    fn parse(value: &Value) -> Self {
        let field = |name: &str| value.get(name).cloned().unwrap_or(Value::Null);
        Self {
            name: field("name")
                .as_str()
                .expect("a program has a name")
                .to_owned(),
            init: serde_json::from_value(field("init")).expect("init maps keys to values"),
            lanes: serde_json::from_value(field("lanes"))
                .expect("lanes are lists of operations"),
            classes: field("classes").as_u64(),
            outcomes: field("outcomes")
                .as_array()
                .expect("outcomes are a list")
                .iter()
                .map(Value::to_string)
                .collect(),
        }
    }
}

/// What the lanes of one execution share.
struct Shared {
    mutexes: BTreeMap<String, Mutex<()>>,
    store: Keyed<Env>,
    seen: Seen,
}

fn mutex_name(name: &str) -> &'static str {
    ["m0", "m1", "m2", "m3"]
        .into_iter()
        .find(|known| *known == name)
        .unwrap_or("mutex")
}

impl Shared {
    fn run(&self, lane: usize, ops: &[Vec<String>]) {
        let mut held: BTreeMap<&str, Vec<Option<MutexGuard<'_, ()>>>> = BTreeMap::new();
        for op in ops {
            let arg = op.get(1).map_or("", String::as_str);
            match op[0].as_str() {
                "lock" => held
                    .entry(arg)
                    .or_default()
                    .push(Some(self.mutexes[arg].lock())),
                "unlock" => drop(held.get_mut(arg).and_then(Vec::pop)),
                "try_lock" => {
                    let guard = self.mutexes[arg].try_lock();
                    self.note(lane, json!(if guard.is_some() { "locked" } else { "busy" }));
                    held.entry(arg).or_default().push(guard);
                }
                _ => self.on_store(lane, op, arg),
            }
        }
        // What a program does not unlock stays locked.
        held.into_values().flatten().for_each(std::mem::forget);
    }

    fn on_store(&self, lane: usize, op: &[String], key: &str) {
        let write = |f: &dyn Fn(&mut BTreeMap<String, String>)| {
            let access = Access::Write(key.as_bytes());
            self.store.access(access, |env| {
                f(&mut env.lock().expect("no observer panics"))
            });
        };
        match op[0].as_str() {
            "get" => {
                let access = Access::Read(key.as_bytes());
                let value = self.store.access(access, |env| {
                    env.lock().expect("no observer panics").get(key).cloned()
                });
                self.note(lane, json!(value));
            }
            "snapshot" => {
                let all = self.store.access(Access::ReadAll, |env| {
                    env.lock().expect("no observer panics").clone()
                });
                self.note(lane, json!(all));
            }
            "set" => write(&|env| drop(env.insert(key.to_owned(), op[2].clone()))),
            "remove" => write(&|env| drop(env.remove(key))),
            "append" => {
                write(&|env| {
                    env.entry(key.to_owned())
                        .or_default()
                        .push_str(&lane.to_string())
                });
            }
            other => panic!("no such operation: {other}"),
        }
    }

    fn note(&self, lane: usize, value: Value) {
        self.seen.lock().expect("no observer panics")[lane].push(value);
    }
}

fn body(program: &Arc<Program>, env: &Env, seen: &Seen) -> impl Fn() + 'static {
    let (program, env, seen) = (Arc::clone(program), Arc::clone(env), Arc::clone(seen));
    move || {
        env.lock()
            .expect("no observer panics")
            .clone_from(&program.init);
        *seen.lock().expect("no observer panics") = vec![Vec::new(); program.lanes.len()];
        let names: BTreeSet<&String> = program
            .lanes
            .iter()
            .flatten()
            .filter(|op| op[0].contains("lock"))
            .map(|op| &op[1])
            .collect();
        let shared = Arc::new(Shared {
            mutexes: names
                .into_iter()
                .map(|name| (name.clone(), Mutex::new(mutex_name(name), ())))
                .collect(),
            store: Keyed::new("env", Arc::clone(&env)),
            seen: Arc::clone(&seen),
        });
        for lane in 0..program.lanes.len() {
            let (shared, program) = (Arc::clone(&shared), Arc::clone(&program));
            spawn(format!("lane-{lane}"), move || {
                shared.run(lane, &program.lanes[lane])
            });
        }
    }
}

fn outcome(end: &End, env: &Env, seen: &Seen) -> String {
    let mut outcome = Map::new();
    outcome.insert(
        "deadlock".to_owned(),
        json!(matches!(end, End::Deadlock(_))),
    );
    outcome.insert(
        "env".to_owned(),
        json!(*env.lock().expect("no observer panics")),
    );
    outcome.insert(
        "seen".to_owned(),
        json!(*seen.lock().expect("no observer panics")),
    );
    Value::Object(outcome).to_string()
}

/// Runs one program under one search and says what is wrong.
fn check(program: &Arc<Program>, optimal: bool) -> Result<Summary, String> {
    let (env, seen) = (Env::default(), Seen::default());
    let mut outcomes = BTreeSet::new();
    let visit = |execution: &isolane::lanes::Execution<'_>| {
        outcomes.insert(outcome(execution.end(), &env, &seen));
        Control::Continue
    };
    let (config, body) = (Config::default(), body(program, &env, &seen));
    let summary = if optimal {
        explore(&config, body, visit)
    } else {
        explore_by_sleep_sets(&config, body, visit)
    };
    let summary = summary.map_err(|error| format!("{}: {error}", program.name))?;
    let fail = |what: String| Err(format!("{} (optimal {optimal}): {what}", program.name));
    if summary.coverage != Coverage::Exhaustive {
        return fail(format!("{:?}", summary.coverage));
    }
    if outcomes != program.outcomes {
        return fail(format!(
            "outcomes {outcomes:?} instead of {:?}",
            program.outcomes
        ));
    }
    match program.classes {
        Some(classes) if classes != summary.classes => {
            fail(format!("{} classes instead of {classes}", summary.classes))
        }
        _ => Ok(summary),
    }
}

#[test]
fn engine_vectors() {
    let path =
        std::env::var("ISOLANE_ENGINE_VECTORS").unwrap_or_else(|_| FIXTURE.to_owned());
    let text =
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let programs: Vec<Value> =
        serde_json::from_str(&text).expect("the file is a JSON list");
    assert!(!programs.is_empty(), "{path} holds no program");
    let programs: Vec<_> = programs
        .iter()
        .map(|value| Arc::new(Program::parse(value)))
        .collect();
    let mut failures = Vec::new();
    let mut classes = Vec::new();
    for optimal in [false, true] {
        let (start, mut done, mut pruned, mut each) = (Instant::now(), 0, 0, Vec::new());
        for program in &programs {
            match check(program, optimal) {
                Ok(summary) => {
                    done += summary.classes;
                    pruned += summary.pruned;
                    each.push(summary.classes);
                }
                Err(failure) => failures.push(failure),
            }
        }
        let ms = start.elapsed().as_secs_f64() * 1e3;
        println!("optimal {optimal}: {done} classes, {pruned} pruned, {ms:.1} ms");
        if optimal && pruned > 0 {
            failures.push(format!("the optimal search pruned {pruned} executions"));
        }
        classes.push(each);
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert_eq!(
        classes[0], classes[1],
        "both searches find the same classes"
    );
}
