//! What a scenario is once it has been read.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::Step;
use crate::error::Error;
use crate::harness::Invariant;
use crate::host::Fallback;
use crate::profile::Profile;
use crate::session::Catalog;
use crate::value::{Key, Value};

/// A world and its workers.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The short name in reports: the file's name without its ending.
    pub id: String,
    /// One line for people.
    pub title: String,
    /// Where it comes from, for instance a bug report's id.
    pub source: String,
    /// The process environment before the run.
    pub env: BTreeMap<Key, Value>,
    /// The variable that legacy code finds its home by.
    pub home_variable: Option<Key>,
    /// The launch home.
    pub root: PathBuf,
    /// The profiles; one that can not be loaded keeps its error.
    pub profiles: BTreeMap<String, Result<Arc<Profile>, Error>>,
    /// The session variables.
    pub catalog: Catalog,
    /// How never-bound session variables read.
    pub fallback: Fallback,
    /// The workers that run from the start, in name order.
    pub workers: Vec<Worker>,
    /// Workers that a step starts.
    pub threads: BTreeMap<String, Worker>,
    /// What each strategy is known to break; one that is not listed holds.
    pub expect: BTreeMap<String, Expect>,
    /// Orders that some execution must allow.
    pub reachable: Vec<Reach>,
}

/// What a strategy is known to break in a scenario: all of it must be found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expect {
    /// What it breaks.
    pub violates: Vec<Invariant>,
    /// What it breaks by a limit that DESIGN.md declares.
    pub limits: Vec<Invariant>,
}

impl Expect {
    /// All that must be found.
    pub fn all(&self) -> impl Iterator<Item = Invariant> {
        self.violates.iter().chain(&self.limits).copied()
    }
}

/// A worker and its program.
#[derive(Debug, Clone)]
pub struct Worker {
    /// Its name in traces.
    pub name: String,
    /// Its program.
    pub steps: Vec<Step>,
}

/// An order of two steps that some execution must allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// As written.
    pub text: String,
    /// The step that comes first: worker and index.
    pub first: (String, usize),
    /// The step that comes second.
    pub second: (String, usize),
}

impl Scenario {
    /// All workers by name, those that a step starts included.
    pub fn all_workers(&self) -> impl Iterator<Item = &Worker> {
        self.workers.iter().chain(self.threads.values())
    }
}
