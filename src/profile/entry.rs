//! One variable of a resolved profile.

use crate::value::{Origin, Value};

/// The value of one variable, where it comes from, and what it hides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub(super) value: Value,
    pub(super) origin: Origin,
    pub(super) secret: bool,
    pub(super) shadows: Vec<Origin>,
}

impl Entry {
    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Where the value comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Whether the variable holds a credential.
    pub fn is_secret(&self) -> bool {
        self.secret
    }

    /// Where the values come from that this one hides, the weakest first.
    pub fn shadows(&self) -> &[Origin] {
        &self.shadows
    }
}
