//! How a scope serves readers that know nothing of it.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Kind};

/// What entering a profile does to the process environment.
///
/// | strategy | own values | legacy reader in a scope | legacy reader outside |
/// |---|---|---|---|
/// | `Scoped` | overlay in the context | sees the base (limit) | sees the base |
/// | `Mirrored` | overlay and mirror | sees who entered last (limit) | the same (limit) |
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Strategy {
    /// The profile's values live in the context alone; no write, no lock.
    #[default]
    Scoped,
    /// The profile's values are also written into the process environment, and
    /// taken out again by recomputing base plus layers.
    Mirrored,
}

impl Strategy {
    /// All strategies, in the order of the documentation.
    pub const ALL: [Strategy; 2] = [Strategy::Scoped, Strategy::Mirrored];

    /// The name in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Scoped => "scoped",
            Strategy::Mirrored => "mirrored",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Strategy {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|strategy| strategy.name() == name)
            .ok_or_else(|| {
                Error::new(
                    Kind::BadName,
                    format!("there is no strategy called `{name}`"),
                )
            })
    }
}
