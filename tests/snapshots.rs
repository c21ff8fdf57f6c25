//! What fixture homes resolve to, kept for review in `snapshots/`.
//!
//! A difference is accepted with `INSTA_UPDATE=always cargo test --test snapshots`
//! and reviewed like code: it says what changes for whom.

#![allow(clippy::unwrap_used, reason = "a helper of a test may panic")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use isolane::inspect::{Resolved, Show, audit};
use isolane::profile::Credential;
use isolane::{Dialect, Profile};

#[path = "fixture_homes.rs"]
mod fixture_homes;

use fixture_homes::Fixture;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("snapshots")
}

/// The names of the snapshots of a fixture, with their texts.
fn snapshots(fixture: &Fixture) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (dialect, name) in &fixture.dialects {
        let mut text = resolved(fixture, *dialect, false);
        if text.starts_with("refused") {
            text.push_str("\nlenient\n");
            text.push_str(&resolved(fixture, *dialect, true));
        }
        all.push((format!("{}.{name}", fixture.name), text));
    }
    let settings = fixture.settings(Dialect::Hermes, false);
    let text = audit(fixture.path(), &settings).unwrap().text();
    all.push((format!("{}.audit", fixture.name), text));
    all
}

fn resolved(fixture: &Fixture, dialect: Dialect, lenient: bool) -> String {
    let home = fixture.home();
    let settings = fixture.settings(dialect, lenient);
    let resolved = match Resolved::load(&home, home.profiles(), &settings) {
        Ok(resolved) => resolved,
        Err(error) => return format!("refused\n{error}\n"),
    };
    let mut text = resolved.text(Show::Plain);
    for profile in resolved.profiles() {
        for id in &fixture.credentials {
            let _ = writeln!(text, "{}", credential(profile, id));
        }
    }
    for found in resolved.diagnostics() {
        let _ = writeln!(text, "{}: [{}] {found}", found.severity, found.code);
    }
    text
}

/// Where a provider's key is, without the key.
fn credential(profile: &Profile, id: &str) -> String {
    let what = match profile.credential(id, |_| None) {
        Credential::Found(found) => format!("{} at {}", found.name, found.origin),
        Credential::Unresolved { names } => format!("unresolved: {}", names.join(", ")),
        _ => "absent".to_owned(),
    };
    format!("key of {id} for {}: {what}", profile.name())
}

#[test]
fn homes_resolve_as_reviewed() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut names = BTreeSet::new();
    for fixture in Fixture::all() {
        settings.set_description(&fixture.about);
        for (name, text) in snapshots(&fixture) {
            let text = fixture.redacted(&text);
            settings.bind(|| insta::assert_snapshot!(name.clone(), text));
            assert!(names.insert(format!("{name}.snap")), "{name} twice");
        }
    }
    let kept = fs::read_dir(folder()).unwrap();
    for entry in kept.map(|entry| entry.unwrap().file_name()) {
        let known = names.contains(entry.to_str().unwrap());
        assert!(known, "no fixture has the snapshot {}", entry.display());
    }
}

#[test]
fn the_same_home_gives_the_same_bytes() {
    for fixture in Fixture::all() {
        let again: Vec<_> = snapshots(&fixture);
        assert_eq!(snapshots(&fixture), again, "{}", fixture.name);
    }
}
