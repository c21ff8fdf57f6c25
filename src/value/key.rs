//! The name of an environment variable.

use std::borrow::Borrow;
use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;

use crate::error::{Error, Kind};

/// The name of an environment variable: not empty, without NUL and without `=`.
///
/// Names are compared byte for byte. Cloning costs one reference count.
///
/// # Examples
///
/// ```
/// use isolane::Key;
///
/// assert_eq!(Key::new("HOME").unwrap().to_string(), "HOME");
/// assert!(Key::new("A=B").unwrap_err().is_bad_name());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Arc<OsStr>);

impl Key {
    /// Checks and keeps a name.
    ///
    /// # Errors
    ///
    /// [`Error::is_bad_name`] for an empty name and for one with NUL or `=`.
    pub fn new(name: impl AsRef<OsStr>) -> Result<Self, Error> {
        let name = name.as_ref();
        let bytes = name.as_encoded_bytes();
        let problem = if bytes.is_empty() {
            "a variable name is empty"
        } else if bytes.contains(&0) {
            "a variable name contains NUL"
        } else if bytes.contains(&b'=') {
            "a variable name contains `=`"
        } else {
            return Ok(Self(Arc::from(name)));
        };
        Err(Error::new(Kind::BadName, problem)
            .key(name.to_string_lossy().replace('\0', "\\0")))
    }

    /// The name as the platform has it.
    pub fn as_os_str(&self) -> &OsStr {
        &self.0
    }

    /// The name as text, with `U+FFFD` where it is not UTF-8.
    pub fn to_str_lossy(&self) -> std::borrow::Cow<'_, str> {
        self.0.to_string_lossy()
    }
}

impl Borrow<OsStr> for Key {
    fn borrow(&self) -> &OsStr {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_str_lossy())
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_platform_refuses_are_refused_here() {
        for name in ["", "A=B", "=", "A\0B"] {
            let error = Key::new(name).unwrap_err();
            assert!(error.is_bad_name(), "{name:?}");
            assert!(!error.to_string().contains('\0'));
        }
        assert_eq!(Key::new("A.B-1").unwrap().to_string(), "A.B-1");
    }
}
