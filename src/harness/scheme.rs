//! What a scenario is run under: the library's strategies, and schemes of
//! history that failed.

use std::path::PathBuf;
use std::sync::Arc;

use super::history::{AdditiveSwitch, EmptyMeansUnset, SnapshotRestore};
use super::invariant::Reader;
use super::run::{self, Log};
use super::scenario::Scenario;
use crate::env::SimEnv;
use crate::error::{Error, Kind};
use crate::guard::Strategy;
use crate::host::{Host, Scope};
use crate::profile::Profile;
use crate::sync::Backend;
use crate::value::{Key, State, Value};

/// How workers enter profiles and read, generic over the engine.
pub(super) trait Scheme<B: Backend>: Clone + Send + 'static {
    /// A profile in force.
    type Scope;

    fn new(host: Host<SimEnv<B>>, scenario: &Scenario) -> Self;

    fn host(&self) -> &Host<SimEnv<B>>;

    fn enter(&self, profile: &Arc<Profile>) -> Result<Self::Scope, Error>;

    fn get(&self, key: &Key) -> Result<State<Value>, Error> {
        self.host().get(key)
    }

    fn home(&self, _scenario: &Scenario) -> Option<PathBuf> {
        self.host().home()
    }

    fn session_var(&self, name: &str) -> State<Value> {
        self.host().session_var(name)
    }
}

/// The library itself.
pub(super) struct Library<B: Backend>(Host<SimEnv<B>>);

impl<B: Backend> Clone for Library<B> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<B: Backend> Scheme<B> for Library<B> {
    type Scope = Scope<SimEnv<B>>;

    fn new(host: Host<SimEnv<B>>, _scenario: &Scenario) -> Self {
        Self(host)
    }

    fn host(&self) -> &Host<SimEnv<B>> {
        &self.0
    }

    fn enter(&self, profile: &Arc<Profile>) -> Result<Self::Scope, Error> {
        self.0.enter(profile)
    }
}

/// A strategy or scheme by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Which {
    Library(Strategy),
    SnapshotRestore,
    AdditiveSwitch,
    EmptyMeansUnset,
}

impl Which {
    pub(super) const ALL: [Which; 5] = [
        Which::Library(Strategy::Scoped),
        Which::Library(Strategy::Mirrored),
        Which::SnapshotRestore,
        Which::AdditiveSwitch,
        Which::EmptyMeansUnset,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Which::Library(strategy) => strategy.name(),
            Which::SnapshotRestore => "history/snapshot-restore",
            Which::AdditiveSwitch => "history/additive-switch",
            Which::EmptyMeansUnset => "history/empty-means-unset",
        }
    }

    pub(super) fn parse(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|which| which.name() == name)
            .ok_or_else(|| {
                let known = names().join(", ");
                Error::new(
                    Kind::Usage,
                    format!("there is no strategy `{name}`; known are {known}"),
                )
            })
    }

    pub(super) fn is_history(self) -> bool {
        !matches!(self, Which::Library(_))
    }

    /// The limits that DESIGN.md declares: what this strategy can not give to
    /// which reader, in any interleaving.
    pub(super) fn is_limit(self, reader: Option<Reader>) -> bool {
        matches!(
            (self, reader),
            (Which::Library(Strategy::Scoped), Some(Reader::Legacy))
                | (
                    Which::Library(Strategy::Mirrored),
                    Some(Reader::Legacy | Reader::Bystander)
                )
        )
    }

    /// Runs a scenario once, with the primitives of `B`.
    pub(super) fn run<B: Backend>(self, scenario: &Arc<Scenario>, log: &Arc<Log>) {
        match self {
            Which::Library(strategy) => run::once::<B, Library<B>>(scenario, strategy, log),
            Which::SnapshotRestore => {
                run::once::<B, SnapshotRestore<B>>(scenario, Strategy::Scoped, log);
            }
            Which::AdditiveSwitch => {
                run::once::<B, AdditiveSwitch<B>>(scenario, Strategy::Scoped, log);
            }
            Which::EmptyMeansUnset => {
                run::once::<B, EmptyMeansUnset<B>>(scenario, Strategy::Scoped, log);
            }
        }
    }
}

/// The names of all strategies: the library's first, then those of history.
pub fn names() -> Vec<&'static str> {
    Which::ALL.map(Which::name).to_vec()
}
