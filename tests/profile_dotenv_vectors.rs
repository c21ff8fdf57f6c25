//! Every dialect gives the values of the real reader, byte for byte.

#![allow(clippy::unwrap_used, reason = "a helper of a test may panic")]

use std::collections::BTreeMap;

use isolane::Dialect;
use isolane::profile::dotenv::{self, Parsed};

#[path = "profile_support.rs"]
mod support;

/// The readings of a row, in the form of the vectors.
fn reading(parsed: &Parsed) -> BTreeMap<String, Option<String>> {
    let undecodable = |parsed: &Parsed| {
        parsed
            .diagnostics
            .iter()
            .any(|problem| problem.code == "invalid-utf8")
    };
    let text = |value: &isolane::Value| value.expose().to_str().unwrap().to_owned();
    let mut values: BTreeMap<String, Option<String>> = parsed
        .values()
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value.map(text)))
        .collect();
    if undecodable(parsed) {
        values.insert("!error".to_owned(), Some("UnicodeDecodeError".to_owned()));
    }
    values
}

#[test]
fn dotenv_vectors() {
    let outer = BTreeMap::from([("PROC".to_owned(), "procval".to_owned())]);
    let rows = support::vectors("dotenv-vectors.json", "ISOLANE_DOTENV_VECTORS");
    let mut wrong = Vec::new();
    for row in &rows {
        let bytes = support::bytes(row, "env_base64").unwrap();
        for (name, dialect) in [
            ("hermes", Dialect::Hermes),
            ("webui", Dialect::Webui),
            ("python_dotenv", Dialect::PythonDotenv),
        ] {
            let mut found = reading(&dotenv::parse_in(&bytes, dialect, &outer));
            if dialect != Dialect::PythonDotenv {
                // Only this reader raises; the others take the file for empty.
                found.remove("!error");
            }
            let expected = support::texts(&row["readers"][name]);
            if found != expected {
                wrong.push(format!(
                    "{} {name}: {found:?}, not {expected:?}",
                    row["name"]
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} rows:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
    println!("{} rows, three dialects each", rows.len());
}
