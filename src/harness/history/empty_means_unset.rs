//! A session reader that tests "is it non-empty" before it falls back: cleared
//! looks like never set, and an older value of the process comes back (S01).

use std::sync::Arc;

use super::super::scenario::Scenario;
use super::super::scheme::{Library, Scheme};
use crate::env::{ProcessEnv, SimEnv};
use crate::error::Error;
use crate::host::{Host, Scope};
use crate::profile::Profile;
use crate::sync::Backend;
use crate::value::{Key, State, Value};

pub(in crate::harness) struct EmptyMeansUnset<B: Backend>(Library<B>);

impl<B: Backend> Clone for EmptyMeansUnset<B> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<B: Backend> Scheme<B> for EmptyMeansUnset<B> {
    type Scope = Scope<SimEnv<B>>;

    fn new(host: Host<SimEnv<B>>, scenario: &Scenario) -> Self {
        Self(Library::new(host, scenario))
    }

    fn host(&self) -> &Host<SimEnv<B>> {
        self.0.host()
    }

    fn enter(&self, profile: &Arc<Profile>) -> Result<Self::Scope, Error> {
        self.0.enter(profile)
    }

    fn session_var(&self, name: &str) -> State<Value> {
        match self.0.session_var(name) {
            State::Set(value) => State::Set(value),
            State::Unset | State::Empty => match Key::new(name) {
                Ok(key) => State::from_value(self.0.host().env().get(&key)),
                Err(_) => State::Unset,
            },
        }
    }
}
