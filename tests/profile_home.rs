//! A home has the profiles that lie inside it, and no others.

#![allow(clippy::unwrap_used, reason = "a helper of a test may panic")]

use std::fs;
use std::path::Path;

use isolane::{
    Dialect, Error, Home, Isolation, Key, Layer, Profile, ProfileName, Settings,
};

#[path = "profile_support.rs"]
mod support;

fn name(name: &str) -> ProfileName {
    ProfileName::new(name).unwrap()
}

fn load(home: &Home, profile: &str) -> Result<std::sync::Arc<Profile>, Error> {
    home.load(&name(profile), &Settings::default())
}

fn text(profile: &Profile, key: &str) -> Option<String> {
    let entry = profile.get(&Key::new(key).unwrap())?;
    Some(entry.value().expose().to_str().unwrap().to_owned())
}

#[test]
fn profiles_are_listed_default_first_and_strangers_are_skipped() {
    let dir = support::home(&[
        ("profiles/work/.env", ""),
        ("profiles/a1/.env", ""),
        ("profiles/Upper/.env", ""),
        ("profiles/a.b/.env", ""),
        ("profiles/tmp/.env", ""),
        ("profiles/a-file", ""),
    ]);
    let home = Home::open(dir.path()).unwrap();
    assert_eq!(home.profiles(), [name("default"), name("a1"), name("work")]);
}

#[test]
fn a_home_without_profiles_has_the_default_one() {
    let dir = support::home(&[(".env", "A=1\n")]);
    let home = Home::open(dir.path()).unwrap();
    assert_eq!(home.profiles(), [ProfileName::default_profile()]);
    assert_eq!(
        text(&load(&home, "default").unwrap(), "A").as_deref(),
        Some("1")
    );
}

#[test]
fn a_directory_called_default_is_never_a_profile() {
    let dir =
        support::home(&[(".env", "A=root\n"), ("profiles/default/.env", "A=other\n")]);
    let home = Home::open(dir.path()).unwrap();
    assert_eq!(home.profiles(), [ProfileName::default_profile()]);
    let profile = load(&home, "default").unwrap();
    assert_eq!(profile.home(), home.root());
    assert_eq!(text(&profile, "A").as_deref(), Some("root"));
}

#[test]
fn no_bad_name_gets_as_far_as_the_disk() {
    for bad in ["../evil", "a/b", "", ".", "p1\n", "p1\0"] {
        assert!(ProfileName::new(bad).unwrap_err().is_bad_name());
    }
}

#[test]
fn every_alias_of_the_default_profile_is_the_root_itself() {
    let dir = support::home(&[(".env", "A=root\n"), ("profiles/kinni/.env", "A=kinni\n")]);
    let home = Home::open(dir.path()).unwrap();
    let settings = Settings {
        default_aliases: [name("kinni")].into(),
        ..Settings::default()
    };
    for alias in ["default", "kinni"] {
        let profile = home.load(&name(alias), &settings).unwrap();
        assert!(profile.name().is_default(), "{alias}");
        assert_eq!(profile.home(), home.root());
        assert_eq!(text(&profile, "A").as_deref(), Some("root"));
    }
    assert_eq!(
        text(&load(&home, "kinni").unwrap(), "A").as_deref(),
        Some("kinni")
    );
}

#[test]
fn reading_a_home_changes_nothing_in_it_or_in_the_process() {
    // Each of these is rewritten on disk by a reader that repairs while it loads.
    let messy: &[u8] = b"\xef\xbb\xbf  A=1  \r\nB=\"l1\n  l2\"\n\nC=3";
    let dir = support::home(&[("profiles/work/config.yaml", "terminal: {cwd: /x}\n")]);
    fs::write(dir.path().join("profiles/work/.env"), messy).unwrap();
    fs::write(dir.path().join(".env"), b"A=\xff\n").unwrap();
    let all = || {
        let mut found = Vec::new();
        for path in ["", "profiles", "profiles/work"] {
            for entry in fs::read_dir(dir.path().join(path)).unwrap() {
                let path = entry.unwrap().path();
                let about = fs::metadata(&path).unwrap();
                found.push((
                    path.clone(),
                    about.modified().unwrap(),
                    fs::read(&path).ok(),
                ));
            }
        }
        found.sort();
        found
    };
    #[expect(clippy::disallowed_methods, reason = "to see that nothing changed")]
    let environment = || std::env::vars_os().collect::<Vec<_>>();
    let (before, env_before) = (all(), environment());
    let home = Home::open(dir.path()).unwrap();
    for profile in ["work", "default", "gone"] {
        for lenient in [false, true] {
            let settings = Settings {
                lenient,
                ..Settings::default()
            };
            let _ = home.load(&name(profile), &settings);
        }
    }
    assert_eq!(all(), before);
    assert_eq!(environment(), env_before);
}

#[test]
fn an_unknown_profile_is_an_error_and_not_the_default() {
    let dir = support::home(&[(".env", "A=1\n"), ("profiles/file", "")]);
    let home = Home::open(dir.path()).unwrap();
    for unknown in ["nobody", "file"] {
        let error = load(&home, unknown).unwrap_err();
        assert!(error.is_no_home());
        let path = home.root().join("profiles").join(unknown);
        assert_eq!(error.problems()[0].location().unwrap().file(), path);
    }
    let missing = dir.path().join("nowhere");
    let error = Home::open(&missing).unwrap_err();
    assert!(error.is_no_home());
    assert_eq!(error.location().unwrap().file(), missing);
    assert!(
        Home::open(&dir.path().join(".env"))
            .unwrap_err()
            .is_no_home()
    );
}

#[test]
fn the_folder_of_a_profile_stands_for_its_root() {
    let dir = support::home(&[("profiles/work/.env", "A=1\n")]);
    let root = Home::open(dir.path()).unwrap();
    let spelled = Home::open(&dir.path().join("profiles/work")).unwrap();
    let detour = Home::open(&dir.path().join("profiles/../profiles/./work/")).unwrap();
    assert_eq!(spelled, root);
    assert_eq!(detour, root);
}

#[test]
fn the_sticky_file_names_the_active_profile() {
    for (content, expected) in [
        ("work\n", "work"),
        ("  work \r\n", "work"),
        ("gone", "gone"),
        ("", "default"),
        ("\n", "default"),
        ("Work", "work"),
        ("../evil", "default"),
    ] {
        let dir = support::home(&[("active_profile", content), ("profiles/work/.env", "")]);
        let home = Home::open(dir.path()).unwrap();
        assert_eq!(home.active_profile(), &name(expected), "{content:?}");
    }
    let dir = support::home(&[]);
    assert!(
        Home::open(dir.path())
            .unwrap()
            .active_profile()
            .is_default()
    );
    fs::create_dir(dir.path().join("active_profile")).unwrap();
    assert!(
        Home::open(dir.path())
            .unwrap()
            .active_profile()
            .is_default()
    );
    let dir = support::home(&[]);
    fs::write(dir.path().join("active_profile"), b"\xffwork").unwrap();
    assert!(
        Home::open(dir.path())
            .unwrap()
            .active_profile()
            .is_default()
    );
}

#[test]
fn a_file_that_can_not_be_read_is_an_error() {
    for file in [".env", "config.yaml"] {
        let dir = support::home(&[("profiles/p1/other", "")]);
        let home = Home::open(dir.path()).unwrap();
        let path = home.root().join("profiles/p1").join(file);
        fs::create_dir(&path).unwrap();
        let error = load(&home, "p1").unwrap_err();
        assert!(error.is_unreadable(), "{error}");
        assert_eq!(error.problems()[0].location().unwrap().file(), path);
    }
    let dir = support::home(&[
        ("profiles/p1/.env/x", ""),
        ("profiles/p1/config.yaml/x", ""),
    ]);
    let error = load(&Home::open(dir.path()).unwrap(), "p1").unwrap_err();
    assert!(error.is_unreadable());
    assert_eq!(error.problems().len(), 2, "{error}");
}

#[test]
fn a_profile_without_files_is_empty() {
    let dir = support::home(&[("profiles/p1/other", "")]);
    let profile = load(&Home::open(dir.path()).unwrap(), "p1").unwrap();
    assert_eq!(profile.iter().count(), 0);
    assert!(profile.isolates(&Key::new("OPENAI_API_KEY").unwrap()));
}

#[test]
fn a_change_after_loading_is_not_seen() {
    let dir = support::home(&[(".env", "A=1\n")]);
    let home = Home::open(dir.path()).unwrap();
    let before = load(&home, "default").unwrap();
    fs::write(dir.path().join(".env"), "A=2\n").unwrap();
    assert_eq!(text(&before, "A").as_deref(), Some("1"));
    assert_eq!(
        text(&load(&home, "default").unwrap(), "A").as_deref(),
        Some("2")
    );
}

#[test]
fn the_home_variable_is_the_hosts_and_never_a_files() {
    let dir = support::home(&[("profiles/p1/.env", "APP_HOME=/evil\nOK=1\n")]);
    let home = Home::open(dir.path()).unwrap();
    let key = Key::new("APP_HOME").unwrap();
    let settings = Settings {
        home_variable: Some(key.clone()),
        ..Settings::default()
    };
    let profile = home.load(&name("p1"), &settings).unwrap();
    let entry = profile.get(&key).unwrap();
    assert_eq!(entry.value().expose(), profile.home());
    assert_eq!(entry.origin().layer, Layer::Host);
    assert_eq!(text(&profile, "OK").as_deref(), Some("1"));
    let denied: Vec<_> = profile
        .diagnostics()
        .iter()
        .filter(|w| w.code == "control")
        .collect();
    assert_eq!(denied.len(), 1);
    assert_eq!(denied[0].key.as_deref(), Some("APP_HOME"));
    assert_eq!(denied[0].line, 1);
}

#[test]
fn settings_start_as_isolated_hermes() {
    let settings = Settings::default();
    assert_eq!(settings.dialect, Dialect::Hermes);
    assert_eq!(settings.isolation, Isolation::Isolated);
    assert_eq!(settings.home_variable, None);
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    fn linked(target: &str, link: &str) -> tempfile::TempDir {
        let dir = support::home(&[
            ("home/profiles/work/.env", "A=work\n"),
            ("home/profiles/work/inner/.env", "A=inner\n"),
            ("outside/.env", "A=outside\n"),
            ("home/.env", "A=root\n"),
        ]);
        symlink(dir.path().join(target), dir.path().join(link)).unwrap();
        dir
    }

    #[test]
    fn a_link_that_leaves_the_profiles_is_no_profile() {
        for target in ["outside", "home", "home/profiles", "home/profiles/nowhere"] {
            let dir = linked(target, "home/profiles/evil");
            let home = Home::open(&dir.path().join("home")).unwrap();
            let error = load(&home, "evil").unwrap_err();
            assert!(error.is_no_home(), "{target}: {error}");
        }
    }

    #[test]
    fn a_link_inside_the_profiles_has_the_identity_of_its_target() {
        let dir = linked("home/profiles/work", "home/profiles/alias");
        let home = Home::open(&dir.path().join("home")).unwrap();
        let (work, alias) = (load(&home, "work").unwrap(), load(&home, "alias").unwrap());
        assert_eq!(work.home(), alias.home());
        assert_eq!(text(&alias, "A").as_deref(), Some("work"));
        // One folder is never two profiles, nor is it listed twice.
        assert_eq!((alias.name(), work.name()), (&name("work"), &name("work")));
        let listed: Vec<&str> = home.profiles().iter().map(ProfileName::as_str).collect();
        assert_eq!(listed, ["default", "work"]);
        let strangers: Vec<_> = home.strangers().map(|(_, why)| why).collect();
        assert_eq!(strangers, ["a link to another profile"]);
    }

    #[test]
    fn two_spellings_of_a_root_are_one_home() {
        let dir = linked("home", "other-name");
        let one = Home::open(&dir.path().join("home")).unwrap();
        let two = Home::open(&dir.path().join("other-name")).unwrap();
        assert_eq!(one, two);
        let profile = load(&two, "work").unwrap();
        assert!(profile.home().starts_with(one.root()));
        let through = linked("home/profiles/work", "elsewhere");
        let unwrapped = Home::open(&through.path().join("elsewhere")).unwrap();
        assert!(Path::new(unwrapped.root()).ends_with("home"));
    }

    #[test]
    fn profiles_may_live_behind_a_link_as_a_whole() {
        let dir = support::home(&[("store/work/.env", "A=1\n"), ("home/.env", "")]);
        symlink(dir.path().join("store"), dir.path().join("home/profiles")).unwrap();
        let home = Home::open(&dir.path().join("home")).unwrap();
        assert_eq!(
            text(&load(&home, "work").unwrap(), "A").as_deref(),
            Some("1")
        );
    }

    #[test]
    fn a_dangling_file_is_unreadable_and_not_missing() {
        let dir = linked("nowhere", "home/profiles/work/config.yaml");
        let home = Home::open(&dir.path().join("home")).unwrap();
        assert!(load(&home, "work").unwrap_err().is_unreadable());
    }
}
