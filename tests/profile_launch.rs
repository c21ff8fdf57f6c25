//! What a process was started as is found once and never again.

#![allow(clippy::unwrap_used, reason = "a helper of a test may panic")]

use std::cell::Cell;
use std::path::Path;

use isolane::profile::Launch;
use isolane::sync::Std;
use isolane::{Error, Host, Key, ProfileName, Settings, SimEnv, Value};

#[path = "profile_support.rs"]
mod support;

fn capture(env: &[(&str, &Path)]) -> Result<Launch, Error> {
    let look_up = |key: &Key| {
        let found = env.iter().find(|(name, _)| key.as_os_str() == *name);
        found.map(|(_, path)| Value::new(path))
    };
    Launch::capture(look_up, &Settings::default())
}

fn sample() -> tempfile::TempDir {
    support::home(&[
        ("base/.env", ""),
        ("base/profiles/work/.env", ""),
        ("base/profiles/lab/.env", ""),
        ("user/.hermes/.env", ""),
        ("user/.hermes/active_profile", "gone\n"),
    ])
}

#[test]
fn the_base_home_wins_then_the_home_then_the_platforms() {
    let dir = sample();
    let at = |path: &str| dir.path().join(path).canonicalize().unwrap();
    let (base, user, other) = (at("base"), at("user"), at("user/.hermes"));
    let launch = capture(&[("HERMES_BASE_HOME", &base), ("HERMES_HOME", &other)]).unwrap();
    assert_eq!(launch.home().root(), base);
    let launch = capture(&[("HERMES_HOME", &base), ("HOME", &user)]).unwrap();
    assert_eq!(launch.home().root(), base);
    let blank = Path::new(" \t");
    let env = [
        ("HERMES_BASE_HOME", blank),
        ("HERMES_HOME", blank),
        ("HOME", &user),
    ];
    // The platform's home is used, and its sticky profile does not exist.
    let error = capture(&env).unwrap_err();
    assert!(
        error.is_no_home() && error.to_string().contains("gone"),
        "{error}"
    );
    std::fs::write(at("user/.hermes").join("active_profile"), "Default \n").unwrap();
    let launch = capture(&env).unwrap();
    assert_eq!(launch.home().root(), at("user/.hermes"));
    assert!(launch.profile().is_default());
}

#[test]
fn blanks_around_a_home_do_not_count_and_a_tilde_is_no_home() {
    let dir = sample();
    let base = dir.path().join("base").canonicalize().unwrap();
    let blanks = format!(" {}\n", base.display());
    let launch = capture(&[("HERMES_HOME", Path::new(&blanks))]).unwrap();
    assert_eq!(launch.home().root(), base);
    let error = capture(&[("HERMES_HOME", Path::new("~/base")), ("HOME", dir.path())]);
    assert!(error.unwrap_err().is_no_home());
}

#[test]
fn the_folder_of_a_profile_is_unwrapped_and_launches_that_profile() {
    let dir = sample();
    let root = dir.path().join("base").canonicalize().unwrap();
    let work = root.join("profiles/work");
    let launch = capture(&[("HERMES_HOME", &work)]).unwrap();
    assert_eq!(launch.home().root(), root);
    assert_eq!(launch.profile().as_str(), "work");
    assert_eq!(launch.folder(), work);
    // Never doubled, whichever variable has the long form.
    let launch = capture(&[("HERMES_BASE_HOME", &work)]).unwrap();
    assert_eq!(launch.home().root(), root);
    assert!(launch.profile().is_default());
    let launch = capture(&[("HERMES_BASE_HOME", &work), ("HERMES_HOME", &work)]).unwrap();
    assert_eq!(launch.folder(), work);
}

#[test]
fn a_home_that_is_not_there_is_an_error_and_is_not_made() {
    let dir = sample();
    for path in ["nowhere", "base/profiles/gone"] {
        let path = dir.path().join(path);
        let error = capture(&[("HERMES_HOME", &path)]).unwrap_err();
        assert!(error.is_no_home(), "{error}");
        assert!(!path.exists());
    }
}

#[test]
fn the_environment_is_asked_once_and_a_mirror_changes_nothing() {
    let dir = sample();
    let root = dir.path().join("base").canonicalize().unwrap();
    let asked = Cell::new(0);
    let look_up = |key: &Key| {
        asked.set(asked.get() + 1);
        (key.as_os_str() == "HERMES_HOME").then(|| Value::new(&root))
    };
    let launch = Launch::capture(look_up, &Settings::default()).unwrap();
    let before = asked.get();
    let env = SimEnv::<Std>::new(std::collections::BTreeMap::new());
    let host = Host::builder(env).launch(&launch).build().unwrap();
    let work = ProfileName::new("work").unwrap();
    let work = launch.home().load(&work, &Settings::default()).unwrap();
    host.run(&work, || {
        assert_eq!(host.home().unwrap(), root.join("profiles/work"));
        let nested = launch
            .home()
            .load(&ProfileName::default_profile(), &Settings::default());
        host.run(&nested.unwrap(), || assert_eq!(host.home().unwrap(), root))
            .unwrap();
        assert_eq!(host.home().unwrap(), root.join("profiles/work"));
        assert_eq!(launch.folder(), root);
    })
    .unwrap();
    assert_eq!(host.home().as_deref(), Some(launch.folder()));
    assert_eq!(asked.get(), before);
}
