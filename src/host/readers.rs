//! The readers: session variables, profile values, the home.
//!
//! Order of look-up, documented here once:
//!
//! | reader | scope has it | scope lacks it | no scope |
//! |---|---|---|---|
//! | `session_var` | its state | never bound: the base, as [`super::Fallback`] says | the same |
//! | `get` | the profile's value | a credential under isolation: unset; else the base | a credential on an engaged host: an error; else the base |
//! | `credential` | as [`crate::Profile::credential`] says | the same | on an engaged host: an error; else the base |
//! | `home` | the profile's home | - | the launch root |
//!
//! The base is the process environment as it would be without our mirror.

use std::panic::Location;
use std::path::PathBuf;

use super::{Fallback, Host};
use crate::context::Context;
use crate::env::ProcessEnv;
use crate::error::{Error, Kind};
use crate::guard::Strategy;
use crate::profile::{Credential, is_credential_name};
use crate::sync::{Flag, Lock};
use crate::value::{Key, State, Value};

impl<E: ProcessEnv> Host<E> {
    /// The state of a session variable.
    ///
    /// Explicitly empty stays empty whatever the process environment holds; only
    /// a variable that was never bound may fall back.
    pub fn session_var(&self, name: &str) -> State<Value> {
        let context = Context::current::<E::Sync>();
        let bound = match context.session(self.id()) {
            Some(session) => session.get(name).map(Value::new),
            None => State::Unset,
        };
        match bound {
            State::Unset if self.may_fall_back() => match Key::new(name) {
                Ok(key) => State::from_value(self.base(&key)),
                Err(_) => State::Unset,
            },
            bound => bound,
        }
    }

    /// The value of a variable for the profile in force.
    ///
    /// # Errors
    ///
    /// [`Error::is_unscoped`] for a credential where no profile is in force and
    /// the host is engaged; it names the key and the caller.
    #[track_caller]
    pub fn get(&self, key: &Key) -> Result<State<Value>, Error> {
        let context = Context::current::<E::Sync>();
        let Some(profile) = context.profile(self.id()) else {
            if is_credential_name(key) && self.0.engaged.is_up() {
                return Err(unscoped(&key.to_string(), Location::caller()));
            }
            return Ok(State::from_value(self.base(key)));
        };
        if let Some(entry) = profile.get(key) {
            return Ok(State::from_value(Some(entry.value().clone())));
        }
        if profile.isolates(key) {
            return Ok(State::Unset);
        }
        Ok(State::from_value(self.base(key)))
    }

    /// The key of a provider for the profile in force; see
    /// [`Profile::credential`](crate::Profile::credential) for where it is looked
    /// for. Outside any scope the key variables of the host's own table are read
    /// from the base environment.
    ///
    /// # Errors
    ///
    /// [`Error::is_unscoped`] where no profile is in force and the host is engaged;
    /// it names the provider and the caller.
    #[track_caller]
    pub fn credential(&self, provider: &str) -> Result<Credential, Error> {
        let base = |key: &Key| self.base(key);
        let context = Context::current::<E::Sync>();
        match context.profile(self.id()) {
            Some(profile) => Ok(profile.credential(provider, base)),
            None if self.0.engaged.is_up() => Err(unscoped(provider, Location::caller())),
            None => Ok(self.0.providers.credential(provider, base)),
        }
    }

    /// The home of the profile in force, else the launch root.
    pub fn home(&self) -> Option<PathBuf> {
        let context = Context::current::<E::Sync>();
        match context.profile(self.id()) {
            Some(profile) => Some(profile.home().to_path_buf()),
            None => self.0.root.clone(),
        }
    }

    /// The process environment's value of a key as it is without our mirror.
    fn base(&self, key: &Key) -> Option<Value> {
        if self.0.strategy == Strategy::Mirrored {
            self.0.mirror.lock().base(&self.0.env, key)
        } else {
            self.0.env.get(key)
        }
    }

    fn may_fall_back(&self) -> bool {
        match self.0.fallback {
            Fallback::Always => true,
            Fallback::Never => false,
            Fallback::UntilEngaged => !self.0.engaged.is_up(),
        }
    }
}

#[cold]
fn unscoped(key: &str, caller: &Location<'_>) -> Error {
    let message = format!(
        "a credential is read outside any profile scope at {}:{}; enter a profile first",
        caller.file(),
        caller.line()
    );
    Error::new(Kind::Unscoped, message).key(key)
}
