//! How profiles are read: dialect, isolation and the home variable.

use std::collections::BTreeSet;

use super::credentials::Providers;
use super::name::ProfileName;
use crate::value::Key;

/// Which reader's values a `.env` file has.
///
/// Real programs read the same file differently; the choice is explicit, and
/// where the three give different values for a key a warning says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// Quotes, `\"` and `\\` in double quotes, ` # comments`, `export `.
    #[default]
    Hermes,
    /// Outer quotes are cut off; no comments after a value, no `export`, and an
    /// empty value counts as absent.
    Webui,
    /// python-dotenv 1.2: values over several lines, all escapes, and `${NAME}`
    /// from earlier lines of the same file.
    PythonDotenv,
}

impl Dialect {
    /// Every dialect, in the order of declaration.
    pub const ALL: [Self; 3] = [Self::Hermes, Self::Webui, Self::PythonDotenv];

    /// The name that messages and the command line use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hermes => "hermes",
            Self::Webui => "webui",
            Self::PythonDotenv => "python-dotenv",
        }
    }
}

/// What a credential that a profile lacks reads as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Isolation {
    /// Unset, even where the base environment has a value.
    #[default]
    Isolated,
    /// The base environment's value.
    Shared,
}

/// How the profiles of a home are read.
///
/// # Examples
///
/// ```
/// use isolane::{Key, Settings};
///
/// let settings = Settings {
///     home_variable: Some(Key::new("APP_HOME").unwrap()),
///     ..Settings::default()
/// };
/// assert_eq!(settings.dialect, isolane::Dialect::Hermes);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// How `.env` is read.
    pub dialect: Dialect,
    /// What a missing credential reads as.
    pub isolation: Isolation,
    /// The variable that names the profile's home, if there is one. It becomes an
    /// entry of every profile and wins over anything that a file says.
    pub home_variable: Option<Key>,
    /// Variables that steer the host, beside those that are known: a profile's
    /// files can not set them.
    pub control: BTreeSet<Key>,
    /// Names that mean the default profile, for a host whose root is renamed.
    pub default_aliases: BTreeSet<ProfileName>,
    /// The providers whose keys are looked up and isolated.
    pub providers: Providers,
    /// Take what the real, lenient readers make of a broken file instead of
    /// refusing the profile; the problems stay in its diagnostics as errors. For
    /// looking at a home, not for serving it.
    pub lenient: bool,
}
