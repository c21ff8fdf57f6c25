//! The scheme of most hosts: lock, remember, set, unlock; run the body; lock,
//! write back what was remembered, unlock.
//!
//! The lock protects the two halves and not the body, so a second profile
//! remembers the first one's values as "the original", and writes them back when
//! the first has long gone.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::super::run;
use super::super::scenario::Scenario;
use super::super::scheme::Scheme;
use crate::env::{ProcessEnv, SimEnv};
use crate::error::Error;
use crate::host::Host;
use crate::profile::Profile;
use crate::sync::{Backend, Lock};
use crate::value::{Event, Key, State, Value};

pub(in crate::harness) struct SnapshotRestore<B: Backend> {
    host: Host<SimEnv<B>>,
    lock: Arc<B::Mutex<()>>,
    /// The names that the host knows of at start, among them the credentials
    /// that it scrubs where a profile lacks them.
    known: Arc<Vec<Key>>,
}

impl<B: Backend> Clone for SnapshotRestore<B> {
    fn clone(&self) -> Self {
        Self {
            host: self.host.clone(),
            lock: Arc::clone(&self.lock),
            known: Arc::clone(&self.known),
        }
    }
}

impl<B: Backend> Scheme<B> for SnapshotRestore<B> {
    type Scope = Remembered<B>;

    fn new(host: Host<SimEnv<B>>, scenario: &Scenario) -> Self {
        let lock = Arc::new(B::Mutex::new("environment lock", ()));
        let known = Arc::new(scenario.env.keys().cloned().collect());
        Self { host, lock, known }
    }

    fn host(&self) -> &Host<SimEnv<B>> {
        &self.host
    }

    fn enter(&self, profile: &Arc<Profile>) -> Result<Self::Scope, Error> {
        let env = self.host.env();
        let name = profile.name().to_string();
        let scrubbed = self.known.iter().filter(|key| profile.isolates(key));
        let scrubbed = scrubbed.map(|key| (key.clone(), None));
        let own = profile
            .iter()
            .map(|(key, entry)| (key.clone(), Some(entry.value().clone())));
        let wanted: BTreeMap<Key, Option<Value>> = scrubbed.chain(own).collect();
        let _held = self.lock.lock();
        B::emit(|| Event::Enter {
            profile: name.clone(),
        });
        let before = wanted
            .keys()
            .map(|key| (key.clone(), env.get(key)))
            .collect();
        for (key, value) in &wanted {
            env.write(key, value.as_ref())?;
        }
        Ok(Remembered {
            scheme: self.clone(),
            profile: name,
            before,
        })
    }

    /// There is no overlay: the process environment is all there is to read.
    fn get(&self, key: &Key) -> Result<State<Value>, Error> {
        Ok(State::from_value(self.host.env().get(key)))
    }

    fn home(&self, scenario: &Scenario) -> Option<PathBuf> {
        run::env_home(&self.host, scenario)
    }
}

pub(in crate::harness) struct Remembered<B: Backend> {
    scheme: SnapshotRestore<B>,
    profile: String,
    before: BTreeMap<Key, Option<Value>>,
}

impl<B: Backend> Drop for Remembered<B> {
    fn drop(&mut self) {
        let _held = self.scheme.lock.lock();
        B::emit(|| Event::Exit {
            profile: self.profile.clone(),
        });
        for (key, value) in &self.before {
            // What was read from the environment can be written to it.
            let _ = self.scheme.host.env().write(key, value.as_ref());
        }
    }
}
