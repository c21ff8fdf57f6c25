//! The name of a profile.

use std::fmt;
use std::sync::Arc;

use crate::error::{Error, Kind};

/// The name of the profile that is the root home itself.
const DEFAULT: &str = "default";

/// Names that tools around a home use for other things.
const RESERVED: [&str; 5] = ["hermes", "test", "tmp", "root", "sudo"];

/// The longest name in bytes.
const LONGEST: usize = 64;

/// The name of a profile: a lower-case letter or digit, then up to 63 lower-case
/// letters, digits, `_` or `-`.
///
/// The text is taken as given: nothing is trimmed or lower-cased, so that one
/// spelling names one profile. `default` is the root profile; `hermes`, `test`,
/// `tmp`, `root` and `sudo` are reserved. Cloning costs one reference count.
///
/// # Examples
///
/// ```
/// use isolane::ProfileName;
///
/// assert_eq!(ProfileName::new("work").unwrap().as_str(), "work");
/// assert!(ProfileName::new("default").unwrap().is_default());
/// assert!(ProfileName::new("../evil").unwrap_err().is_bad_name());
/// assert!(ProfileName::new("work\n").unwrap_err().is_bad_name());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProfileName(Arc<str>);

impl ProfileName {
    /// Checks and keeps a name.
    ///
    /// # Errors
    ///
    /// [`Error::is_bad_name`] for a text that is no profile name and for a
    /// reserved name.
    pub fn new(name: &str) -> Result<Self, Error> {
        let problem = if RESERVED.contains(&name) {
            "this profile name is reserved"
        } else if name.is_empty() {
            "a profile name is empty"
        } else if name.len() > LONGEST {
            "a profile name is longer than 64 characters"
        } else if !follows_the_grammar(name) {
            "a profile name is a lower-case letter or digit, then lower-case letters, \
             digits, `_` or `-`"
        } else {
            return Ok(Self(Arc::from(name)));
        };
        let shown: String = name.chars().take(LONGEST).collect();
        Err(Error::new(Kind::BadName, problem).key(format!("{shown:?}")))
    }

    /// A name as a person types it: blanks around it do not count, nor does case.
    /// For command lines and files that people write; everything else takes names
    /// as given.
    ///
    /// # Errors
    ///
    /// As [`ProfileName::new`], for what is left.
    ///
    /// # Examples
    ///
    /// ```
    /// use isolane::ProfileName;
    ///
    /// assert_eq!(ProfileName::normalized(" Work\n").unwrap().as_str(), "work");
    /// assert!(ProfileName::normalized("Default").unwrap().is_default());
    /// assert!(ProfileName::normalized("  ").unwrap_err().is_bad_name());
    /// ```
    pub fn normalized(text: &str) -> Result<Self, Error> {
        Self::new(&text.trim().to_lowercase())
    }

    /// The name of the root profile, `default`.
    pub fn default_profile() -> Self {
        Self(Arc::from(DEFAULT))
    }

    /// Whether this is the root profile.
    pub fn is_default(&self) -> bool {
        &*self.0 == DEFAULT
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether the whole text matches the grammar, reserved or not.
pub(super) fn follows_the_grammar(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let Some((&first, rest)) = name.as_bytes().split_first() else {
        return false;
    };
    name.len() <= LONGEST
        && inner(first)
        && rest
            .iter()
            .all(|&byte| inner(byte) || byte == b'_' || byte == b'-')
}

impl fmt::Display for ProfileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ProfileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
