//! Switching a profile by loading its file over the process environment: keys
//! of the new profile are set, keys of the old one stay (G04).

use std::path::PathBuf;
use std::sync::Arc;

use super::super::run;
use super::super::scenario::Scenario;
use super::super::scheme::Scheme;
use crate::env::{ProcessEnv, SimEnv};
use crate::error::Error;
use crate::host::Host;
use crate::profile::Profile;
use crate::sync::Backend;
use crate::value::{Event, Key, State, Value};

pub(in crate::harness) struct AdditiveSwitch<B: Backend>(Host<SimEnv<B>>);

impl<B: Backend> Clone for AdditiveSwitch<B> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<B: Backend> Scheme<B> for AdditiveSwitch<B> {
    type Scope = Switched<B>;

    fn new(host: Host<SimEnv<B>>, _scenario: &Scenario) -> Self {
        Self(host)
    }

    fn host(&self) -> &Host<SimEnv<B>> {
        &self.0
    }

    fn enter(&self, profile: &Arc<Profile>) -> Result<Self::Scope, Error> {
        let name = profile.name().to_string();
        B::emit(|| Event::Enter {
            profile: name.clone(),
        });
        for (key, entry) in profile.iter() {
            self.0.env().write(key, Some(entry.value()))?;
        }
        Ok(Switched {
            profile: name,
            backend: std::marker::PhantomData,
        })
    }

    fn get(&self, key: &Key) -> Result<State<Value>, Error> {
        Ok(State::from_value(self.0.env().get(key)))
    }

    fn home(&self, scenario: &Scenario) -> Option<PathBuf> {
        run::env_home(&self.0, scenario)
    }
}

pub(in crate::harness) struct Switched<B: Backend> {
    profile: String,
    backend: std::marker::PhantomData<B>,
}

impl<B: Backend> Drop for Switched<B> {
    fn drop(&mut self) {
        B::emit(|| Event::Exit {
            profile: std::mem::take(&mut self.profile),
        });
    }
}
