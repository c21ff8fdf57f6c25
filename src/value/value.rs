//! The value of an environment variable.

use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;

/// The value of an environment variable, treated as a secret.
///
/// Any bytes that the platform allows, UTF-8 or not. `Debug` says that there is
/// a value and nothing about it; the one way to the bytes is [`Value::expose`].
/// Cloning costs one reference count.
///
/// # Examples
///
/// ```
/// let token = isolane::Value::new("s3cret");
/// assert_eq!(format!("{token:?}"), "<redacted>");
/// assert_eq!(token.expose(), "s3cret");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value(Arc<OsStr>);

impl Value {
    /// Keeps a value as it is.
    pub fn new(value: impl AsRef<OsStr>) -> Self {
        Self(Arc::from(value.as_ref()))
    }

    /// The bytes. Whoever calls this must not print them.
    pub fn expose(&self) -> &OsStr {
        &self.0
    }

    /// Whether the value is present but has no bytes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<redacted>")
    }
}
