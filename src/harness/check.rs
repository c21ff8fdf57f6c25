//! A real home: scenarios from its own profiles and keys, and what leaks where.
//!
//! No value of the home enters a scenario: each is replaced by a stand-in such as
//! `<work/OPENROUTER_API_KEY>`, equal where the real values are equal. So no
//! engine, trace or report can show one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use super::calibrate::trust_engine;
use super::explore::{self, Explored, Finding, Options, Outcome, Row};
use super::invariant::{Invariant, Reader};
use super::roles::{Pair, Role};
use super::scenario::{Op, Scenario, Step, Worker};
use super::scheme::Which;
use super::verify;
use crate::error::{Error, Kind};
use crate::guard::Strategy;
use crate::host::Fallback;
use crate::lanes::Coverage;
use crate::profile::{Home, Isolation, Profile, Settings};
use crate::session::Catalog;
use crate::value::{Key, Value};

/// What checking a home gave.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// A row for each pair of profiles, strategy and reader.
    pub rows: Vec<Row>,
    /// The pairs, with how many keys and parts.
    pub pairs: Vec<String>,
    /// Which key stands for how many others.
    pub stands_for: Vec<String>,
}

const DEFAULT: [Which; 3] = [
    Which::Library(Strategy::Scoped),
    Which::Library(Strategy::Mirrored),
    Which::SnapshotRestore,
];

/// Checks a home under each strategy.
///
/// # Errors
///
/// A home or profile that can not be read, a home with nothing to tell apart, an
/// unknown strategy.
pub fn check(dir: &Path, settings: &Settings, options: &Options) -> Result<Checked, Error> {
    trust_engine()?;
    let home = Home::open(dir)?;
    if home.profiles().len() < 2 {
        let message = "this home has no named profile, so there is nothing that could leak";
        return Err(Error::new(Kind::NoHome, message).at(dir, 0, 0));
    }
    let loaded: Result<Vec<_>, Error> = home
        .profiles()
        .iter()
        .map(|name| home.load(name, settings))
        .collect();
    let loaded = loaded?;
    let mut asked = options.asked()?;
    if asked.is_empty() {
        asked = DEFAULT.to_vec();
    }
    let root = loaded.iter().find(|profile| profile.name().is_default());
    let base = root.map(|profile| values_of(profile)).unwrap_or_default();
    let mut checked = Checked::default();
    for (at, first) in loaded.iter().enumerate() {
        for second in &loaded[at + 1..] {
            let pair = Pair {
                base: &base,
                first,
                second,
            };
            check_pair(&pair, &asked, options.budget, &mut checked)?;
        }
    }
    Ok(checked)
}

fn values_of(profile: &Profile) -> BTreeMap<Key, Value> {
    profile
        .iter()
        .map(|(key, entry)| (key.clone(), entry.value().clone()))
        .collect()
}

fn check_pair(
    pair: &Pair<'_>,
    strategies: &[Which],
    budget: u64,
    checked: &mut Checked,
) -> Result<(), Error> {
    let roles = pair.roles();
    let (first, second) = (pair.first.name().as_str(), pair.second.name().as_str());
    let id = format!("{first}+{second}");
    let keys = pair.keys().len();
    checked
        .pairs
        .push(format!("{id}: {keys} keys play {} parts", roles.len()));
    for role in &roles {
        let part = role.describe(first, second);
        let (name, count) = (&role.representative, role.keys.len());
        checked
            .stands_for
            .push(format!("{id}: {name} stands for {count}: {part}"));
    }
    for which in strategies {
        let mut gathered = Gathered::new(&id, *which);
        for (at, role) in roles.iter().enumerate() {
            gathered.add(&with_bystander(pair, role), &[role], budget)?;
            if let Some(scenario) = with_default(pair, role) {
                gathered.add(&scenario, &[role], budget)?;
            }
            for other in &roles[at + 1..] {
                gathered.add(&double(pair, role, other), &[role, other], budget)?;
            }
            // Two keys of one part: the second plays it under its own name.
            if let Some(twin) = role.twin() {
                gathered.add(&double(pair, role, &twin), &[role, &twin], budget)?;
            }
        }
        checked.rows.extend(gathered.rows()?);
    }
    Ok(())
}

/// One key: two workers that overlap, and a bystander.
fn with_bystander(pair: &Pair<'_>, role: &Role) -> Scenario {
    let key = &role.representative;
    let steps = vec![step(Op::Os(key.clone())), step(Op::Get(key.clone()))];
    let bystander = Worker {
        name: "X".to_owned(),
        steps,
    };
    let workers = vec![
        inside("A", pair.first, &[key]),
        inside("B", pair.second, &[key]),
        bystander,
    ];
    scenario(pair, &[key], workers)
}

/// One key: two workers that overlap, and one in the default profile; `None`
/// where that is one of the two.
fn with_default(pair: &Pair<'_>, role: &Role) -> Option<Scenario> {
    if pair.first.name().is_default() || pair.second.name().is_default() {
        return None;
    }
    let key = &role.representative;
    let steps = vec![
        step(Op::Enter("default".to_owned())),
        step(Op::Get(key.clone())),
        step(Op::Exit),
    ];
    let default = Worker {
        name: "D".to_owned(),
        steps,
    };
    let workers = vec![
        inside("A", pair.first, &[key]),
        inside("B", pair.second, &[key]),
        default,
    ];
    Some(scenario(pair, &[key], workers))
}

/// Two keys: two workers that overlap and read both.
fn double(pair: &Pair<'_>, one: &Role, two: &Role) -> Scenario {
    let keys = [&one.representative, &two.representative];
    let workers = vec![
        inside("A", pair.first, &keys),
        inside("B", pair.second, &keys),
    ];
    scenario(pair, &keys, workers)
}

fn inside(name: &str, profile: &Profile, keys: &[&Key]) -> Worker {
    let mut steps = vec![step(Op::Enter(profile.name().to_string()))];
    for key in keys {
        // With two keys the legacy reads alone tell; the scoped ones are covered
        // by the single key.
        if keys.len() == 1 {
            steps.push(step(Op::Get((*key).clone())));
        }
        steps.push(step(Op::Os((*key).clone())));
    }
    steps.push(step(Op::Exit));
    Worker {
        name: name.to_owned(),
        steps,
    }
}

fn step(op: Op) -> Step {
    let text = match &op {
        Op::Enter(profile) => format!("enter {profile}"),
        Op::Get(key) => format!("get {key}"),
        Op::Os(key) => format!("os {key}"),
        _ => "exit".to_owned(),
    };
    Step {
        text,
        op,
        want: None,
    }
}

fn scenario(pair: &Pair<'_>, keys: &[&Key], workers: Vec<Worker>) -> Scenario {
    let mut sides: [BTreeMap<Key, Value>; 3] = Default::default();
    for key in keys {
        for (side, value) in sides.iter_mut().zip(stand_ins(pair, key)) {
            if let Some(value) = value {
                side.insert((*key).clone(), value);
            }
        }
    }
    let [env, first, second] = sides;
    let mut profiles = BTreeMap::from([
        (pair.first.name().to_string(), Ok(pair.first.like(first))),
        (pair.second.name().to_string(), Ok(pair.second.like(second))),
    ]);
    profiles.entry("default".to_owned()).or_insert_with(|| {
        let name = crate::profile::ProfileName::default_profile();
        Ok(Profile::with_values(
            name,
            "/".into(),
            env.clone(),
            Isolation::Isolated,
        ))
    });
    Scenario {
        id: format!("{}+{}", pair.first.name(), pair.second.name()),
        title: String::new(),
        source: String::new(),
        env,
        home_variable: None,
        root: "/".into(),
        profiles,
        catalog: Catalog::of([""; 0]),
        fallback: Fallback::default(),
        workers,
        threads: BTreeMap::new(),
        expect: BTreeMap::new(),
        reachable: Vec::new(),
    }
}

/// Base, first and second value of a key as stand-ins, equal where the real ones
/// are equal.
fn stand_ins(pair: &Pair<'_>, key: &Key) -> [Option<Value>; 3] {
    let values = pair.values(key);
    let names = [
        "base",
        pair.first.name().as_str(),
        pair.second.name().as_str(),
    ];
    [0, 1, 2].map(|at| {
        let value = values[at].as_ref()?;
        let owner = values
            .iter()
            .position(|other| other.as_ref() == Some(value))?;
        Some(Value::new(format!("<{}/{key}>", names[owner])))
    })
}

/// What all explorations of one pair under one strategy found.
struct Gathered {
    id: String,
    which: Which,
    classes: u64,
    pruned: u64,
    exhaustive: bool,
    elapsed_ms: f64,
    readers: BTreeSet<Option<Reader>>,
    found: BTreeMap<(Option<Reader>, Invariant), Found>,
}

struct Found {
    keys: BTreeSet<Key>,
    /// How many keys the scenario has: one is simpler to read than two.
    width: usize,
    failing: u64,
    /// Classes of the exploration that is shown.
    of: u64,
    scenario: Arc<Scenario>,
    worst: explore::Worst,
    message: String,
}

impl Gathered {
    fn new(id: &str, which: Which) -> Self {
        Self {
            id: id.to_owned(),
            which,
            classes: 0,
            pruned: 0,
            exhaustive: true,
            elapsed_ms: 0.0,
            readers: BTreeSet::from([None]),
            found: BTreeMap::new(),
        }
    }

    fn add(
        &mut self,
        scenario: &Scenario,
        roles: &[&Role],
        budget: u64,
    ) -> Result<(), Error> {
        let scenario = Arc::new(scenario.clone());
        let explored = Explored::run(&scenario, self.which, budget)?;
        self.classes += explored.summary.classes;
        self.pruned += explored.summary.pruned;
        self.exhaustive &= explored.summary.coverage == Coverage::Exhaustive;
        self.elapsed_ms += explored.elapsed_ms;
        self.readers.extend(
            explored
                .checks
                .iter()
                .flatten()
                .flatten()
                .map(|check| check.reader),
        );
        for (at, worst) in &explored.worst {
            let keys = verify::keys_of(&scenario, &worst.violation.what);
            let members = roles
                .iter()
                .filter(|role| keys.contains(&role.representative));
            let members: BTreeSet<Key> =
                members.flat_map(|role| role.keys.clone()).collect();
            let found = Found {
                keys: members,
                width: roles.len(),
                failing: worst.failing,
                of: explored.summary.classes,
                scenario: Arc::clone(&scenario),
                message: verify::message(&scenario, &explored.checks, &worst.violation),
                worst: worst.clone(),
            };
            match self.found.remove(at) {
                None => drop(self.found.insert(*at, found)),
                Some(known) => drop(self.found.insert(*at, known.join(found))),
            }
        }
        Ok(())
    }

    fn rows(&self) -> Result<Vec<Row>, Error> {
        self.readers
            .iter()
            .map(|reader| self.row(*reader))
            .collect()
    }

    fn row(&self, reader: Option<Reader>) -> Result<Row, Error> {
        let mut findings = Vec::new();
        for ((_, invariant), found) in
            self.found.iter().filter(|((of, _), _)| *of == reader)
        {
            findings.push(found.finding(*invariant, self.which)?);
        }
        let outcome = Outcome::of(&findings, self.exhaustive);
        let limit = !findings.is_empty() && self.which.is_limit(reader);
        let known = findings.is_empty() || limit || self.which.is_history();
        Ok(Row {
            scenario: self.id.clone(),
            strategy: self.which.name().to_owned(),
            reader,
            exhaustive: self.exhaustive,
            executions: self.classes + self.pruned,
            classes: self.classes,
            pruned: self.pruned,
            outcome,
            expected: known && outcome != Outcome::Incomplete,
            limit,
            note: None,
            elapsed_ms: self.elapsed_ms,
            findings,
        })
    }
}

impl Found {
    /// Both together; the simpler execution is the one to show.
    fn join(mut self, mut other: Self) -> Self {
        let simpler =
            |found: &Self| (found.worst.preemptions, found.width, found.worst.steps);
        if simpler(&other) < simpler(&self) {
            std::mem::swap(&mut self, &mut other);
        }
        self.keys.extend(other.keys);
        self.failing += other.failing;
        self
    }

    fn finding(&self, invariant: Invariant, which: Which) -> Result<Finding, Error> {
        let keys: Vec<String> = self.keys.iter().map(Key::to_string).collect();
        let noun = if keys.len() == 1 { "key" } else { "keys" };
        let message = format!("{} {noun}, for instance {}", keys.len(), self.message);
        Ok(Finding {
            invariant,
            message,
            deadlock: self.worst.violation.is_deadlock(),
            failing: self.failing,
            first: self.worst.first,
            of: self.of,
            steps: self.worst.steps,
            preemptions: self.worst.preemptions,
            trace: explore::record(&self.scenario, which, &self.worst.schedule)?,
            keys,
        })
    }
}
