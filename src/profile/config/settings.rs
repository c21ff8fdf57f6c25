//! What a `config.yaml` contributes.

use std::collections::{BTreeMap, BTreeSet};

use crate::profile::diagnostic::Diagnostic;

/// What a `config.yaml` contributes, before references are expanded.
#[derive(Default)]
pub(in crate::profile) struct Config {
    /// Variable, text and line for each key of `terminal:`.
    pub(in crate::profile) terminal: BTreeMap<&'static str, (String, u32)>,
    /// Every scalar by its dotted path, with its line.
    pub(in crate::profile) scalars: BTreeMap<String, (String, u32)>,
    /// Variables that hold the keys of the profile's own providers.
    pub(in crate::profile) key_names: BTreeSet<String>,
    /// What is wrong with the file.
    pub(in crate::profile) diagnostics: Vec<Diagnostic>,
}

/// How to take what a lenient reader passes over in silence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::profile) enum Strictness {
    /// As an error.
    Strict,
    /// As the web host does: a broken file is an empty one, the last key counts.
    Lenient,
}

/// Says that the file is not read: the crate was built without the feature.
#[cfg(not(feature = "yaml"))]
pub(in crate::profile) fn read(_: &[u8], _: Strictness) -> Config {
    use crate::profile::diagnostic::Severity;

    let message = "ignored: built without the feature `yaml`";
    let ignored = Diagnostic::new(Severity::Warning, "no-yaml", (0, 0), message);
    Config {
        diagnostics: vec![ignored],
        ..Config::default()
    }
}
