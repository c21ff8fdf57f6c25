//! What the core asks of a process environment.

use std::collections::BTreeMap;

use crate::error::{Error, Kind};
use crate::sync::Backend;
use crate::value::{Key, Value};

/// A process environment: one global map that legacy code reads.
pub trait ProcessEnv: Send + Sync + 'static {
    /// The primitives that go with it.
    type Sync: Backend;

    /// The value of a variable, `None` where it is absent.
    fn get(&self, key: &Key) -> Option<Value>;

    /// The whole environment at one moment.
    fn snapshot(&self) -> BTreeMap<Key, Value>;

    /// Sets a variable, or removes it where `value` is `None`.
    ///
    /// # Errors
    ///
    /// [`Error::is_not_allowed`] where this environment may not be written,
    /// [`Error::is_refused`] where the platform would refuse the value. Nothing
    /// has changed then.
    fn write(&self, key: &Key, value: Option<&Value>) -> Result<(), Error>;

    /// Whether [`ProcessEnv::write`] is allowed at all.
    fn may_write(&self) -> bool;
}

/// Refuses what no platform takes as a value.
pub(crate) fn check_value(key: &Key, value: &Value) -> Result<(), Error> {
    if value.expose().as_encoded_bytes().contains(&0) {
        let error = Error::new(
            Kind::Refused,
            "the value contains NUL, which no environment can hold",
        );
        return Err(error.key(key.to_string()));
    }
    Ok(())
}
