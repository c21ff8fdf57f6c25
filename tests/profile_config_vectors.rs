//! `terminal:` becomes the same variables as in the real host.

#![allow(clippy::unwrap_used, reason = "a helper of a test may panic")]

use std::collections::BTreeMap;
use std::path::Path;

use isolane::profile::lenient;
use isolane::{Dialect, Profile, ProfileName, Settings, Value};
use serde_json::Value as Json;

#[path = "profile_support.rs"]
mod support;

/// Rows in which the real reader takes a broken file for an empty one, or the
/// last of two keys, in silence; loading such a profile is an error here.
const REFUSED: [&str; 5] = ["dupkey", "latin1", "multi", "notmap", "termnotmap"];

/// Names that the real filter lets through and a profile may not set here.
const ALSO_DENIED: [&str; 2] = ["HERMES_HOME", "LD_PRELOAD"];

fn plain(values: BTreeMap<String, Value>) -> BTreeMap<String, Option<String>> {
    let text = |value: Value| value.expose().to_str().unwrap().to_owned();
    values
        .into_iter()
        .map(|(key, value)| (key, Some(text(value))))
        .collect()
}

fn load(row: &Json) -> Result<BTreeMap<String, Option<String>>, isolane::Error> {
    let dotenv = support::bytes(row, "env_base64");
    let config = support::bytes(row, "config_base64");
    let profile = Profile::from_sources(
        ProfileName::new("p1").unwrap(),
        "/h/profiles/p1".into(),
        dotenv
            .as_deref()
            .map(|bytes| (Path::new("/h/profiles/p1/.env"), bytes)),
        config
            .as_deref()
            .map(|bytes| (Path::new("/h/profiles/p1/config.yaml"), bytes)),
        &Settings {
            dialect: Dialect::Webui,
            ..Settings::default()
        },
    )?;
    let entries = profile.iter();
    let values = entries.map(|(key, entry)| (key.to_string(), entry.value().clone()));
    Ok(plain(values.collect()))
}

#[test]
fn config_vectors() {
    let rows = support::vectors("config-vectors.json", "ISOLANE_CONFIG_VECTORS");
    let mut wrong = Vec::new();
    for row in &rows {
        let dotenv = support::bytes(row, "env_base64");
        let config = support::bytes(row, "config_base64");
        let (dotenv, config) = (dotenv.as_deref(), config.as_deref());
        for (name, found) in [
            ("runtime", lenient::runtime(dotenv, config)),
            ("filtered", lenient::filtered(dotenv, config)),
        ] {
            let (found, expected) = (plain(found), support::texts(&row["result"][name]));
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
    println!("{} rows, before and after the filter", rows.len());
}

#[test]
fn a_profile_has_the_values_of_the_real_host_or_is_refused() {
    for row in support::vectors("config-vectors.json", "ISOLANE_CONFIG_VECTORS") {
        let name = row["name"].as_str().unwrap();
        let loaded = load(&row);
        if REFUSED.contains(&name) {
            assert!(loaded.unwrap_err().is_syntax(), "{name}");
            continue;
        }
        let mut expected = support::texts(&row["result"]["filtered"]);
        expected.retain(|key, _| !ALSO_DENIED.contains(&key.as_str()));
        assert_eq!(loaded.unwrap(), expected, "{name}");
    }
}
