//! A simulated process environment, for every engine.

use std::collections::BTreeMap;
use std::fmt;

use super::process::{ProcessEnv, check_value};
use crate::error::Error;
use crate::sync::{Access, Backend, Keyed};
use crate::value::{Event, Key, Value};

/// A map that behaves like a process environment, one step per operation.
///
/// Each step names its key, so that an engine knows which steps commute; a
/// snapshot reads all keys in one step.
pub struct SimEnv<B: Backend> {
    map: B::Keyed<BTreeMap<Key, Value>>,
}

impl<B: Backend> SimEnv<B> {
    /// An environment with this content.
    pub fn new(content: BTreeMap<Key, Value>) -> Self {
        Self {
            map: B::Keyed::new("environment", content),
        }
    }
}

impl<B: Backend> ProcessEnv for SimEnv<B> {
    type Sync = B;

    fn get(&self, key: &Key) -> Option<Value> {
        let value = self
            .map
            .access(Access::Read(key), |map| map.get(key).cloned());
        B::emit(|| Event::EnvRead {
            key: key.clone(),
            value: value.clone(),
        });
        value
    }

    fn snapshot(&self) -> BTreeMap<Key, Value> {
        let all = self.map.access(Access::ReadAll, |map| map.clone());
        B::emit(|| Event::EnvSnapshot);
        all
    }

    fn write(&self, key: &Key, value: Option<&Value>) -> Result<(), Error> {
        if let Some(value) = value {
            check_value(key, value)?;
        }
        self.map.access(Access::Write(key), |map| match value {
            Some(value) => map.insert(key.clone(), value.clone()),
            None => map.remove(key),
        });
        B::emit(|| Event::EnvWrite {
            key: key.clone(),
            value: value.cloned(),
        });
        Ok(())
    }

    fn may_write(&self) -> bool {
        true
    }
}

impl<B: Backend> fmt::Debug for SimEnv<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SimEnv")
    }
}
