//! The scenarios that come with the command.

use std::path::Path;

use super::scenario::Scenario;
use crate::error::Error;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../models/scenarios/", $name)))),*]
    };
}

/// Name and text; a test compares the list with the folder.
const FILES: [(&str, &str); 11] = files![
    "additive-switch.toml",
    "bad-profile.toml",
    "cleared-is-empty.toml",
    "context-on-a-thread.toml",
    "home-clobbered.toml",
    "legacy-reader-unserved.toml",
    "nested-scopes.toml",
    "outside-write.toml",
    "outside-writer-at-any-moment.toml",
    "overlapping-guards.toml",
    "panic-in-body.toml",
];

/// The built-in scenarios, in name order.
///
/// # Errors
///
/// None in a build whose tests pass.
pub fn builtin_scenarios() -> Result<Vec<Scenario>, Error> {
    FILES
        .iter()
        .map(|(name, text)| Scenario::parse(Path::new(name), text))
        .collect()
}

/// The file names of the built-in scenarios, in order.
pub fn builtin_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}
