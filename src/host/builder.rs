//! A host's settings.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::core::{Host, Inner};
use crate::context::HostId;
use crate::env::ProcessEnv;
use crate::error::{Error, Kind};
use crate::guard::{Mirror, Strategy};
use crate::profile::{Launch, Providers};
use crate::session::Catalog;
use crate::sync::{Backend, Flag, Lock};

/// Whether a session variable that was never bound reads the process environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Fallback {
    /// Until any session has been bound: a plain command line falls back, a host
    /// that serves sessions does not.
    #[default]
    UntilEngaged,
    /// Always, as the Python gateway does.
    Always,
    /// Never.
    Never,
}

/// Builds a [`Host`]; see [`Host::builder`].
#[derive(Debug)]
#[must_use = "a builder does nothing until it is built"]
pub struct Builder<E: ProcessEnv> {
    env: E,
    strategy: Strategy,
    catalog: Catalog,
    fallback: Fallback,
    root: Option<PathBuf>,
    providers: Providers,
}

impl<E: ProcessEnv> Builder<E> {
    pub(super) fn new(env: E) -> Self {
        Self {
            env,
            strategy: Strategy::default(),
            catalog: Catalog::default(),
            fallback: Fallback::default(),
            root: None,
            providers: Providers::default(),
        }
    }

    /// The strategy of [`Host::enter`]; default [`Strategy::Scoped`].
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Which names a bind covers; default the variables of gateway hosts.
    pub fn catalog(mut self, catalog: Catalog) -> Self {
        self.catalog = catalog;
        self
    }

    /// How never-bound session variables read; default
    /// [`Fallback::UntilEngaged`].
    pub fn fallback(mut self, fallback: Fallback) -> Self {
        self.fallback = fallback;
        self
    }

    /// The launch home: what [`Host::home`] gives outside any scope.
    pub fn root(mut self, root: impl AsRef<Path>) -> Self {
        self.root = Some(root.as_ref().to_path_buf());
        self
    }

    /// What the process was started as: [`Host::home`] outside any scope gives its
    /// folder.
    pub fn launch(self, launch: &Launch) -> Self {
        self.root(launch.folder())
    }

    /// The providers whose keys [`Host::credential`] looks up outside any scope;
    /// a profile has its own in its settings.
    pub fn providers(mut self, providers: Providers) -> Self {
        self.providers = providers;
        self
    }

    /// The host.
    ///
    /// # Errors
    ///
    /// [`Error::is_not_allowed`] where the strategy writes the process
    /// environment and the environment may not be written.
    pub fn build(self) -> Result<Host<E>, Error> {
        let mirroring = self.strategy == Strategy::Mirrored;
        if mirroring && !self.env.may_write() {
            let message = format!(
                "strategy `{}` writes the process environment, and this host has not opted in to that",
                self.strategy
            );
            return Err(Error::new(Kind::NotAllowed, message));
        }
        Ok(Host(Arc::new(Inner {
            id: HostId::default(),
            mirror: <E::Sync as Backend>::Mutex::new("mirror", Mirror::default()),
            engaged: <E::Sync as Backend>::Flag::new("engaged"),
            env: self.env,
            strategy: self.strategy,
            catalog: self.catalog,
            fallback: self.fallback,
            root: self.root,
            providers: self.providers,
        })))
    }
}
