//! A home as users have it resolves to what a real reader gives.

#![allow(clippy::unwrap_used, reason = "a helper of a test may panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use isolane::profile::{dotenv, lenient};
use isolane::{Dialect, Home, Key, Layer, ProfileName, Settings};
use serde_json::Value as Json;

#[path = "profile_support.rs"]
mod support;

type Texts = BTreeMap<String, Option<String>>;

fn expected(home: &Path) -> Json {
    let path = home.with_file_name("public.expected.json");
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn loaded(home: &Home, name: &str, dialect: Dialect, layer: Option<Layer>) -> Texts {
    let settings = Settings {
        dialect,
        ..Settings::default()
    };
    let profile = home
        .load(&ProfileName::new(name).unwrap(), &settings)
        .unwrap();
    let entries = profile.iter();
    entries
        .filter(|(_, entry)| layer.is_none_or(|layer| entry.origin().layer == layer))
        .map(|(key, entry)| {
            let text = entry.value().expose().to_str().unwrap().to_owned();
            (key.to_string(), Some(text))
        })
        .collect()
}

#[test]
fn every_profile_of_the_sample_home_loads() {
    let Some(path) = support::public_home() else {
        return;
    };
    let home = Home::open(&path).unwrap();
    let names: Vec<&str> = home.profiles().iter().map(ProfileName::as_str).collect();
    assert_eq!(names, ["default", "bare", "lab", "work"]);
    assert_eq!(home.active_profile().as_str(), "work");
    for dialect in [Dialect::Hermes, Dialect::Webui, Dialect::PythonDotenv] {
        for name in home.profiles() {
            let settings = Settings {
                dialect,
                ..Settings::default()
            };
            let profile = home.load(name, &settings).unwrap();
            println!("{name} {dialect:?}: {profile:?}");
        }
    }
}

#[test]
fn two_profiles_resolve_as_a_real_reader_resolves_them() {
    let Some(path) = support::public_home() else {
        return;
    };
    let home = Home::open(&path).unwrap();
    let expected = expected(&path);
    for name in ["lab", "bare"] {
        let row = &expected[name];
        let hermes = loaded(&home, name, Dialect::Hermes, Some(Layer::DotEnv));
        assert_eq!(hermes, support::texts(&row["dotenv_hermes"]), "{name}");
        let webui = loaded(&home, name, Dialect::Webui, None);
        assert_eq!(webui, support::texts(&row["runtime"]), "{name}");

        let file =
            |file: &str| fs::read(path.join("profiles").join(name).join(file)).unwrap();
        let runtime = lenient::runtime(Some(&file(".env")), Some(&file("config.yaml")));
        let runtime: Texts = runtime
            .into_iter()
            .map(|(key, value)| (key, value.expose().to_str().map(str::to_owned)))
            .collect();
        assert_eq!(runtime, support::texts(&row["runtime"]), "{name}");
    }
}

#[test]
fn readers_disagree_on_as_many_keys_as_was_measured() {
    let Some(path) = support::public_home() else {
        return;
    };
    for (file, disagreements, keys) in [
        (".env", 33, 120),
        ("profiles/work/.env", 23, 73),
        ("profiles/lab/.env", 12, 38),
    ] {
        let parsed = dotenv::parse(&fs::read(path.join(file)).unwrap(), Dialect::Hermes);
        assert!(!parsed.has_errors(), "{file}");
        assert_eq!(parsed.values().len(), keys, "{file}");
        let found = parsed
            .diagnostics
            .iter()
            .filter(|d| d.code == "readers-disagree");
        assert_eq!(found.count(), disagreements, "{file}");
    }
}

#[test]
fn a_profile_isolates_the_keys_that_its_own_providers_name() {
    let Some(path) = support::public_home() else {
        return;
    };
    let home = Home::open(&path).unwrap();
    let bare = home
        .load(&ProfileName::new("bare").unwrap(), &Settings::default())
        .unwrap();
    for name in [
        "GW_API_KEY",
        "RAW_PROVIDER_KEY",
        "ANTHROPIC_TOKEN",
        "OPENROUTER_API_KEY",
    ] {
        assert!(bare.isolates(&Key::new(name).unwrap()), "{name}");
    }
    assert_eq!(bare.config_value("model.provider"), Some("custom"));
    let unresolved = bare
        .diagnostics()
        .iter()
        .filter(|warning| warning.code == "unresolved");
    assert_eq!(unresolved.count(), 2);
}
