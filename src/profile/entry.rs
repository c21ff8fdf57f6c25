//! One variable of a resolved profile.

use super::credentials::{is_credential_name, looks_secret};
use crate::value::{Key, Origin, State, Value};

/// The value of one variable, where it comes from, and what it hides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub(super) value: Value,
    pub(super) origin: Origin,
    pub(super) secret: bool,
    pub(super) shadows: Vec<Origin>,
}

impl Entry {
    pub(super) fn new(
        key: &Key,
        value: Value,
        origin: Origin,
        shadows: Vec<Origin>,
    ) -> Self {
        let look = value.expose().to_str().is_some_and(looks_secret);
        let secret = look || is_credential_name(key);
        Self {
            value,
            origin,
            secret,
            shadows,
        }
    }

    /// Whether the value is empty or set; an entry is never unset.
    pub fn state(&self) -> State<&Value> {
        match self.value.is_empty() {
            true => State::Empty,
            false => State::Set(&self.value),
        }
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Where the value comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Whether the value is hidden from people: the name is a credential's, or the
    /// value looks like one.
    pub fn is_secret(&self) -> bool {
        self.secret
    }

    /// Where the values come from that this one hides, the weakest first.
    pub fn shadows(&self) -> &[Origin] {
        &self.shadows
    }
}
