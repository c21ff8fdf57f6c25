//! From TOML to a scenario.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::table::{Source, Table, Text};
use super::{Expect, Op, Reach, Scenario, Step, Worker};
use crate::error::{Error, Kind};
use crate::harness::{Invariant, scheme};
use crate::host::Fallback;
use crate::profile::{Isolation, Profile, ProfileName, Settings};
use crate::session::Catalog;
use crate::value::{Key, Value};

const KEYS: &str = "name, source, reachable, host, env, profiles, workers, threads, expect";

impl Scenario {
    /// Reads a scenario file.
    ///
    /// # Errors
    ///
    /// An unreadable file, or the first thing in it that makes no sense, with
    /// line and column.
    pub fn load(file: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(file).map_err(|error| {
            Error::new(Kind::Unreadable, format!("can not be read: {error}")).at(file, 0, 0)
        })?;
        Self::parse(file, &text)
    }

    /// Reads the text of a scenario file; `file` is what messages call it.
    ///
    /// # Errors
    ///
    /// As [`Scenario::load`].
    pub fn parse(file: &Path, text: &str) -> Result<Self, Error> {
        let source = Source { file, text };
        let mut document = Table::document(&source)?;
        let id = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let title = document.text("name")?.map(|text| text.text);
        let title = title
            .ok_or_else(|| source.error(0, "`name` is missing: say what this shows"))?;
        let from = document
            .text("source")?
            .map_or(String::new(), |text| text.text);
        let env = parse_env(&source, document.table("env")?)?;
        let mut host = HostSettings::parse(&source, document.table("host")?, &env)?;
        let profiles = parse_profiles(&source, document.table("profiles")?, &host)?;
        let workers = parse_workers(&source, document.table("workers")?)?;
        let threads = parse_workers(&source, document.table("threads")?)?;
        let at = document.at();
        if workers.is_empty() {
            return Err(source.error(at, "`[workers]` is missing: nobody does anything"));
        }
        let reach = document.texts("reachable")?;
        let expect_table = document.table("expect")?;
        document.end("a scenario", KEYS)?;
        let check = Check {
            source: &source,
            profiles: &profiles,
            threads: &threads,
        };
        let all: Vec<&Placed> = workers.iter().chain(&threads).collect();
        check.workers(&all)?;
        host.add_bound_names(&all);
        let strip = |placed: Vec<Placed>| placed.into_iter().map(|placed| placed.worker);
        let mut scenario = Scenario {
            id,
            title,
            source: from,
            env,
            home_variable: host.home_variable,
            root: host.root,
            profiles,
            catalog: Catalog::of(host.catalog),
            fallback: host.fallback,
            workers: strip(workers).collect(),
            threads: strip(threads)
                .map(|worker| (worker.name.clone(), worker))
                .collect(),
            expect: BTreeMap::new(),
            reachable: Vec::new(),
        };
        let (expect, more) = parse_expect(&source, expect_table)?;
        scenario.expect = expect;
        for text in reach.into_iter().chain(more) {
            let reach = parse_reach(&source, &scenario, text)?;
            scenario.reachable.push(reach);
        }
        Ok(scenario)
    }
}

/// A worker and where its steps stand.
struct Placed {
    worker: Worker,
    named: usize,
    at: Vec<usize>,
}

struct HostSettings {
    home_variable: Option<Key>,
    root: PathBuf,
    catalog: BTreeSet<String>,
    fallback: Fallback,
    isolation: Isolation,
}

impl HostSettings {
    fn parse(
        source: &Source<'_>,
        mut table: Table<'_, '_>,
        env: &BTreeMap<Key, Value>,
    ) -> Result<Self, Error> {
        let home_variable = match table.text("home-variable")? {
            Some(text) => Some(
                Key::new(&text.text).map_err(|e| source.error(text.at, e.to_string()))?,
            ),
            None => None,
        };
        let root = home_variable.as_ref().and_then(|key| env.get(key));
        let root = root.map_or(PathBuf::from("/base"), |value| {
            PathBuf::from(value.expose())
        });
        let fallback = match table.text("fallback")? {
            None => Fallback::UntilEngaged,
            Some(text) => match text.text.as_str() {
                "until-engaged" => Fallback::UntilEngaged,
                "always" => Fallback::Always,
                "never" => Fallback::Never,
                _ => {
                    let message = "`fallback` is until-engaged, always or never";
                    return Err(source.error(text.at, message));
                }
            },
        };
        let isolation = match table.text("isolation")? {
            None => Isolation::Isolated,
            Some(text) => match text.text.as_str() {
                "isolated" => Isolation::Isolated,
                "shared" => Isolation::Shared,
                _ => return Err(source.error(text.at, "`isolation` is isolated or shared")),
            },
        };
        let catalog = table
            .texts("session")?
            .into_iter()
            .map(|text| text.text)
            .collect();
        table.end("[host]", "home-variable, fallback, isolation, session")?;
        Ok(Self {
            home_variable,
            root,
            catalog,
            fallback,
            isolation,
        })
    }

    fn add_bound_names(&mut self, workers: &[&Placed]) {
        for step in workers.iter().flat_map(|placed| &placed.worker.steps) {
            if let Op::Bind(pairs) = &step.op {
                self.catalog
                    .extend(pairs.iter().map(|(name, _)| name.clone()));
            }
        }
    }
}

fn parse_env(
    source: &Source<'_>,
    table: Table<'_, '_>,
) -> Result<BTreeMap<Key, Value>, Error> {
    table
        .into_texts()?
        .into_iter()
        .map(|(name, value)| {
            let key =
                Key::new(&name.text).map_err(|e| source.error(name.at, e.to_string()))?;
            Ok((key, Value::new(value.text)))
        })
        .collect()
}

type Profiles = BTreeMap<String, Result<Arc<Profile>, Error>>;

fn parse_profiles(
    source: &Source<'_>,
    table: Table<'_, '_>,
    host: &HostSettings,
) -> Result<Profiles, Error> {
    let settings = Settings {
        isolation: host.isolation,
        home_variable: host.home_variable.clone(),
        ..Settings::default()
    };
    let mut profiles = Profiles::new();
    for (name, mut files) in table.into_tables()? {
        let known = ProfileName::new(&name.text)
            .map_err(|e| source.error(name.at, e.to_string()))?;
        let home = match known.is_default() {
            true => host.root.clone(),
            false => PathBuf::from(format!("/{known}")),
        };
        let dotenv = files.text(".env")?.map(|text| text.text);
        let config = files.text("config.yaml")?.map(|text| text.text);
        files.end("a profile", ".env, config.yaml")?;
        let (env_file, config_file) = (home.join(".env"), home.join("config.yaml"));
        let loaded = Profile::from_sources(
            known,
            home,
            dotenv
                .as_ref()
                .map(|text| (env_file.as_path(), text.as_bytes())),
            config
                .as_ref()
                .map(|text| (config_file.as_path(), text.as_bytes())),
            &settings,
        );
        profiles.insert(name.text, loaded);
    }
    if !profiles.contains_key("default") {
        let name = ProfileName::default_profile();
        let loaded = Profile::from_sources(name, host.root.clone(), None, None, &settings);
        profiles.insert("default".to_owned(), loaded);
    }
    Ok(profiles)
}

fn parse_workers(source: &Source<'_>, table: Table<'_, '_>) -> Result<Vec<Placed>, Error> {
    let mut workers = Vec::new();
    for (name, texts) in table.into_lists()? {
        let mut steps = Vec::new();
        let mut at = Vec::new();
        for text in texts {
            steps.push(Step::parse(&text.text).map_err(|e| source.error(text.at, e))?);
            at.push(text.at);
        }
        workers.push(Placed {
            worker: Worker {
                name: name.text,
                steps,
            },
            named: name.at,
            at,
        });
    }
    Ok(workers)
}

/// Checks that every step can be carried out.
struct Check<'a> {
    source: &'a Source<'a>,
    profiles: &'a Profiles,
    threads: &'a [Placed],
}

impl Check<'_> {
    fn workers(&self, workers: &[&Placed]) -> Result<(), Error> {
        let mut names = BTreeSet::from(["main"]);
        if let Some(twice) = workers
            .iter()
            .find(|placed| !names.insert(&placed.worker.name))
        {
            let name = &twice.worker.name;
            let message =
                format!("the name `{name}` is taken; workers and threads share names");
            return Err(self.source.error(twice.named, message));
        }
        let mut started = BTreeSet::new();
        for placed in workers {
            let mut open: Vec<&str> = Vec::new();
            for (step, &at) in placed.worker.steps.iter().zip(&placed.at) {
                self.step(step, &mut open, &mut started)
                    .map_err(|message| self.source.error(at, message))?;
            }
        }
        Ok(())
    }

    fn step<'p>(
        &self,
        step: &'p Step,
        open: &mut Vec<&'static str>,
        started: &mut BTreeSet<&'p str>,
    ) -> Result<(), String> {
        match &step.op {
            Op::Enter(profile) => match self.profiles.get(profile) {
                None => return Err(format!("there is no profile `{profile}`")),
                Some(Ok(_)) => open.push("enter"),
                // A profile that can not be loaded opens no scope.
                Some(Err(_)) => {}
            },
            Op::Bind(_) => open.push("bind"),
            Op::Exit if open.pop() != Some("enter") => {
                return Err("`exit` without an innermost `enter`".to_owned());
            }
            Op::Unbind if open.pop() != Some("bind") => {
                return Err("`unbind` without an innermost `bind`".to_owned());
            }
            Op::Clear | Op::Reset if !open.contains(&"bind") => {
                return Err("there is no session in force to clear or reset".to_owned());
            }
            Op::Spawn(_, thread) => {
                if !self
                    .threads
                    .iter()
                    .any(|placed| placed.worker.name == *thread)
                {
                    return Err(format!("there is no thread `{thread}` in [threads]"));
                }
                if !started.insert(thread) {
                    return Err(format!("thread `{thread}` is started twice"));
                }
            }
            Op::Join(thread) if !started.contains(thread.as_str()) => {
                return Err(format!("thread `{thread}` is joined before it is started"));
            }
            _ => {}
        }
        Ok(())
    }
}

type Expected = BTreeMap<String, Expect>;

fn parse_expect(
    source: &Source<'_>,
    mut table: Table<'_, '_>,
) -> Result<(Expected, Vec<Text>), Error> {
    let reachable = table.texts("reachable")?;
    let mut expected = Expected::new();
    for (strategy, mut what) in table.into_tables()? {
        if !scheme::names().contains(&strategy.text.as_str()) {
            let known = scheme::names().join(", ");
            let message = format!(
                "there is no strategy `{}`; known are {known}",
                strategy.text
            );
            return Err(source.error(strategy.at, message));
        }
        let violates = parse_invariants(source, what.texts("violates")?)?;
        let limits = parse_invariants(source, what.texts("limits")?)?;
        what.end("an expectation", "violates, limits")?;
        expected.insert(strategy.text, Expect { violates, limits });
    }
    Ok((expected, reachable))
}

fn parse_invariants(
    source: &Source<'_>,
    texts: Vec<Text>,
) -> Result<Vec<Invariant>, Error> {
    let parse = |text: Text| {
        let found = Invariant::ALL
            .into_iter()
            .find(|known| known.name() == text.text);
        found.ok_or_else(|| {
            let known = Invariant::ALL.map(Invariant::name).join(", ");
            let message =
                format!("there is no invariant `{}`; known are {known}", text.text);
            source.error(text.at, message)
        })
    };
    texts.into_iter().map(parse).collect()
}

fn parse_reach(
    source: &Source<'_>,
    scenario: &Scenario,
    text: Text,
) -> Result<Reach, Error> {
    let (first, second) = text.text.split_once(" before ").ok_or_else(|| {
        source.error(
            text.at,
            "`reachable` takes texts like \"A.exit before B.exit\"",
        )
    })?;
    let find = |place: &str| {
        let (worker, word) = place.trim().split_once('.')?;
        let found = scenario.all_workers().find(|known| known.name == worker)?;
        let index = found.steps.iter().position(|step| step.is_called(word))?;
        Some((worker.to_owned(), index))
    };
    let missing = |place: &str| {
        source.error(
            text.at,
            format!("there is no step `{}` (WORKER.STEP)", place.trim()),
        )
    };
    Ok(Reach {
        first: find(first).ok_or_else(|| missing(first))?,
        second: find(second).ok_or_else(|| missing(second))?,
        text: text.text.clone(),
    })
}
