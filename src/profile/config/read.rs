//! From the tree of a `config.yaml` to what it contributes.

use super::expand::references;
use super::settings::{Config, Strictness};
use super::terminal::take_terminal;
use super::tree::{Kind, Node};
use super::yaml::document;
use crate::profile::diagnostic::{Diagnostic, Severity};

/// Reads a file. The problems of a strict reading are errors in the diagnostics.
pub(in crate::profile) fn read(bytes: &[u8], strictness: Strictness) -> Config {
    let mut config = Config::default();
    if let Err(problem) = fill(bytes, strictness, &mut config) {
        config = Config::default();
        if strictness == Strictness::Strict {
            config.diagnostics.push(problem);
        }
    }
    config
}

fn fill(
    bytes: &[u8],
    strictness: Strictness,
    config: &mut Config,
) -> Result<(), Diagnostic> {
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error))?;
    let (root, duplicates) = document(text)?;
    if strictness == Strictness::Strict {
        config.diagnostics = duplicates;
    }
    let Some(root) = root.filter(|root| !root.is_null()) else {
        return Ok(());
    };
    if !matches!(root.kind, Kind::Map(_)) {
        return Err(wrong(root.place, "the file is no map", None));
    }
    match root.get("terminal") {
        Some(terminal) if matches!(terminal.kind, Kind::Map(_)) => {
            take_terminal(terminal, config);
        }
        Some(terminal) if !terminal.is_null() && strictness == Strictness::Strict => {
            config
                .diagnostics
                .push(wrong(terminal.place, "not a map", Some("terminal")));
        }
        _ => {}
    }
    take_scalars(&root, &mut String::new(), config);
    take_key_names(config);
    Ok(())
}

fn not_utf8(bytes: &[u8], error: std::str::Utf8Error) -> Diagnostic {
    let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
    let line = valid.matches('\n').count() + 1;
    let column = valid
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let place = (number(line), number(column));
    Diagnostic::new(
        Severity::Error,
        "invalid-utf8",
        place,
        "a byte is not UTF-8",
    )
}

fn wrong(place: (u32, u32), message: &str, key: Option<&str>) -> Diagnostic {
    Diagnostic::new(Severity::Error, "not-a-map", place, message)
        .key(key.map(str::to_owned))
}

/// The variables that hold keys: what a `key_env` names, and what an `api_key` or
/// a header refers to, wherever in the file.
fn take_key_names(config: &mut Config) {
    for (path, (text, _)) in &config.scalars {
        let mut parts = path.rsplit('.');
        let last = parts.next().unwrap_or_default();
        let name = text.trim();
        if last == "key_env" && !name.is_empty() {
            config.key_names.insert(name.to_owned());
        }
        if last == "api_key" || parts.next() == Some("extra_headers") {
            config.key_names.extend(references(text).map(str::to_owned));
        }
    }
}

/// Every scalar by its dotted path; items of lists by their number from 0.
fn take_scalars(node: &Node, path: &mut String, config: &mut Config) {
    let length = path.len();
    let mut inside = |name: &str, child: &Node| {
        path.push_str(if length > 0 { "." } else { "" });
        path.push_str(name);
        take_scalars(child, path, config);
        path.truncate(length);
    };
    match &node.kind {
        Kind::Map(pairs) => {
            for (key, value) in pairs {
                if let Kind::Scalar(key) = &key.kind {
                    inside(&key.text().unwrap_or_else(|| "null".to_owned()), value);
                }
            }
        }
        Kind::List(items) => {
            for (at, item) in items.iter().enumerate() {
                inside(&at.to_string(), item);
            }
        }
        Kind::Scalar(scalar) => {
            if let Some(text) = scalar.text() {
                config
                    .scalars
                    .entry(path.clone())
                    .or_insert((text, node.place.0));
            }
        }
    }
}
