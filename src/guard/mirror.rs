//! Base plus layers: the state behind the mirror.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::env::ProcessEnv;
use crate::error::Error;
use crate::profile::Profile;
use crate::sync::Backend;
use crate::value::{Event, Key, Value};

/// Names a layer of one mirror.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LayerId(u64);

/// What the mirror knows, kept under the host's lock.
///
/// Invariant between two calls: for every key of `written` the environment holds
/// `written[key].ours`, unless an outsider wrote it since; for every other key it
/// holds the base. `written` is empty when there is no layer.
#[derive(Debug, Default)]
pub(crate) struct Mirror {
    layers: Vec<(LayerId, Arc<Profile>)>,
    written: BTreeMap<Key, Written>,
    conflicts: BTreeSet<Key>,
    last: u64,
}

#[derive(Debug, Clone)]
struct Written {
    base: Option<Value>,
    ours: Option<Value>,
}

impl Mirror {
    /// Puts a profile on top and shows it.
    ///
    /// # Errors
    ///
    /// What the environment refuses; the environment and the layers are as before.
    pub(crate) fn enter<E: ProcessEnv>(
        &mut self,
        env: &E,
        profile: &Arc<Profile>,
    ) -> Result<LayerId, Error> {
        self.last += 1;
        let id = LayerId(self.last);
        self.layers.push((id, Arc::clone(profile)));
        match self.show_top(env) {
            Ok(()) => Ok(id),
            Err(error) => {
                self.layers.pop();
                // Every value of the layers below was accepted before.
                let _ = self.show_top(env);
                Err(error)
            }
        }
    }

    /// Takes a layer away, wherever it is, and shows what is on top then.
    pub(crate) fn leave<E: ProcessEnv>(&mut self, env: &E, id: LayerId) {
        self.layers.retain(|(layer, _)| *layer != id);
        // Only values that the environment held before are written.
        let _ = self.show_top(env);
    }

    /// The keys that outsiders wrote over ours since this was asked last.
    pub(crate) fn take_conflicts(&mut self) -> BTreeSet<Key> {
        std::mem::take(&mut self.conflicts)
    }

    /// The value that a key has without us; `None` inside means absent.
    pub(crate) fn base<E: ProcessEnv>(&self, env: &E, key: &Key) -> Option<Value> {
        match self.written.get(key) {
            None => env.get(key),
            Some(written) => {
                let now = env.get(key);
                if now == written.ours {
                    written.base.clone()
                } else {
                    now
                }
            }
        }
    }

    /// Makes the environment equal base plus top layer.
    fn show_top<E: ProcessEnv>(&mut self, env: &E) -> Result<(), Error> {
        let now = env.snapshot();
        self.adopt_outside_writes::<E>(&now);
        let wanted = self.wanted(&now);
        let keys: BTreeSet<Key> =
            self.written.keys().chain(wanted.keys()).cloned().collect();
        for key in keys {
            let base = match self.written.get(&key) {
                Some(written) => written.base.clone(),
                None => now.get(&key).cloned(),
            };
            let target = wanted.get(&key).unwrap_or(&base);
            if now.get(&key) != target.as_ref() {
                env.write(&key, target.as_ref())?;
            }
            if wanted.contains_key(&key) {
                let ours = target.clone();
                self.written.insert(key, Written { base, ours });
            } else {
                self.written.remove(&key);
            }
        }
        Ok(())
    }

    /// Takes what outsiders wrote as the new base of those keys.
    fn adopt_outside_writes<E: ProcessEnv>(&mut self, now: &BTreeMap<Key, Value>) {
        for (key, written) in &mut self.written {
            let found = now.get(key);
            if found != written.ours.as_ref() {
                written.base = found.cloned();
                written.ours = found.cloned();
                self.conflicts.insert(key.clone());
                E::Sync::emit(|| Event::Conflict { key: key.clone() });
            }
        }
    }

    /// What the top layer asks for: its own values, and the absence of every
    /// credential that it lacks.
    fn wanted(&self, now: &BTreeMap<Key, Value>) -> BTreeMap<Key, Option<Value>> {
        let Some((_, profile)) = self.layers.last() else {
            return BTreeMap::new();
        };
        // A hidden credential is absent from `now`, so `written` is asked too.
        let hidden = now
            .keys()
            .chain(self.written.keys())
            .filter(|key| profile.isolates(key))
            .map(|key| (key.clone(), None));
        let own = profile
            .iter()
            .map(|(key, entry)| (key.clone(), Some(entry.value().clone())));
        hidden.chain(own).collect()
    }
}
