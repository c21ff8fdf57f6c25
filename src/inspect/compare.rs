//! How the three readers of `.env` files take the same file.

use std::path::Path;

use crate::profile::{Dialect, Profile, dotenv};
use crate::value::Key;

/// What one reader makes of a variable, beside the value that is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    Absent,
    Empty,
    Same,
    Another,
}

impl Taken {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Empty => "empty",
            Self::Same => "the same value",
            Self::Another => "another value",
        }
    }
}

/// What each reader makes of a variable in the profile's `.env`; nothing where there
/// is no such file.
pub(super) fn readers(profile: &Profile, key: &Key) -> Option<[Taken; 3]> {
    let bytes = content(&profile.home().join(".env"))?;
    let here = profile.get(key).map(|entry| entry.value());
    let name = key.as_os_str().to_str()?;
    Some(Dialect::ALL.map(|dialect| {
        let parsed = dotenv::parse(&bytes, dialect);
        let values = parsed.values();
        match values.get(name).copied().flatten() {
            None => Taken::Absent,
            Some(value) if Some(value) == here => Taken::Same,
            Some(value) if value.is_empty() => Taken::Empty,
            Some(_) => Taken::Another,
        }
    }))
}

/// How many names there are in a file, and on how many the readers disagree.
pub(super) fn disagreements(file: &Path) -> (usize, usize) {
    let Some(bytes) = content(file) else {
        return (0, 0);
    };
    let parsed = dotenv::parse(&bytes, Dialect::Hermes);
    let odd = parsed.diagnostics.iter();
    let odd = odd.filter(|found| found.code == "readers-disagree").count();
    (parsed.values().len(), odd)
}

fn content(file: &Path) -> Option<Vec<u8>> {
    std::fs::read(file).ok()
}
