//! `check` on homes: what leaks where, with names and never a value.

use std::fs;
use std::path::Path;

use isolane::harness::{
    Checked, Options, Outcome, Reader, Report, Row, check, check_text, to_json,
};
use isolane::{Key, Settings};

const CANARY: &str = "c4n4ry";

fn settings() -> Settings {
    Settings {
        home_variable: Some(Key::new("HERMES_HOME").unwrap()),
        ..Settings::default()
    }
}

/// A home with a root profile and two named ones; every value has the canary.
fn home() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.replace('@', CANARY)).unwrap();
    };
    write(
        ".env",
        "A_API_KEY=@base\nB_API_KEY=@base\nMODEL=@m\nSAME=@same\n",
    );
    write(
        "profiles/work/.env",
        "A_API_KEY=@work\nMODEL=@w\nSAME=@same\nWORK_ONLY=@x\n",
    );
    write("profiles/bare/.env", "");
    write("profiles/bare/config.yaml", "terminal:\n  cwd: /@\n");
    dir
}

fn checked(dir: &Path) -> Checked {
    check(dir, &settings(), &Options::default()).unwrap()
}

fn rows<'a>(checked: &'a Checked, strategy: &str, reader: Option<Reader>) -> Vec<&'a Row> {
    let rows = checked.rows.iter();
    rows.filter(|row| row.strategy == strategy && row.reader == reader)
        .collect()
}

fn keys(rows: &[&Row]) -> Vec<String> {
    let findings = rows.iter().flat_map(|row| &row.findings);
    let mut keys: Vec<String> = findings.flat_map(|finding| finding.keys.clone()).collect();
    keys.sort();
    keys.dedup();
    keys
}

#[test]
fn nothing_leaks_under_scoped_and_history_leaks_by_name() {
    let home = home();
    let checked = checked(home.path());
    assert!(
        checked
            .rows
            .iter()
            .all(|row| row.expected && row.exhaustive)
    );
    for reader in [None, Some(Reader::Scoped), Some(Reader::Bystander)] {
        let rows = rows(&checked, "scoped", reader);
        assert_eq!(rows.len(), 3, "one for each pair");
        assert!(
            rows.iter().all(|row| row.outcome == Outcome::Holds),
            "{rows:?}"
        );
    }
    for reader in [None, Some(Reader::Scoped)] {
        let rows = rows(&checked, "mirrored", reader);
        assert!(
            rows.iter().all(|row| row.outcome == Outcome::Holds),
            "{rows:?}"
        );
    }
    let limit = rows(&checked, "scoped", Some(Reader::Legacy));
    assert!(
        limit
            .iter()
            .all(|row| row.limit && row.outcome == Outcome::Violates)
    );
    let left = keys(&rows(&checked, "history/snapshot-restore", None));
    for name in ["A_API_KEY", "B_API_KEY", "MODEL", "HERMES_HOME"] {
        assert!(left.contains(&name.to_owned()), "{name}: {left:?}");
    }
    // What is the same everywhere can not leak, and what one profile alone sets is
    // taken away again by that profile's own exit.
    assert!(!left.contains(&"WORK_ONLY".to_owned()), "{left:?}");
    let seen = keys(&rows(
        &checked,
        "history/snapshot-restore",
        Some(Reader::Bystander),
    ));
    assert!(seen.contains(&"WORK_ONLY".to_owned()), "{seen:?}");
}

#[test]
fn no_value_of_a_home_is_in_any_output() {
    let home = home();
    let checked = checked(home.path());
    let text = check_text(home.path(), &checked);
    let report = Report {
        rows: checked.rows.clone(),
        ..Report::default()
    };
    let json = to_json(&report).to_string();
    assert!(text.contains("A_API_KEY") && json.contains("A_API_KEY"));
    for output in [text, json, format!("{checked:?}")] {
        assert!(!output.contains(CANARY));
    }
}

#[test]
fn the_report_says_for_how_many_keys_each_representative_stands() {
    let home = home();
    let checked = checked(home.path());
    let pair: Vec<&String> = checked
        .stands_for
        .iter()
        .filter(|line| line.starts_with("bare+work"))
        .collect();
    assert!(!pair.is_empty());
    let stands: usize = pair
        .iter()
        .filter_map(|line| {
            line.split("stands for ")
                .nth(1)?
                .split(':')
                .next()?
                .parse()
                .ok()
        })
        .map(|count: usize| count)
        .sum();
    // A_API_KEY B_API_KEY MODEL SAME WORK_ONLY HERMES_HOME TERMINAL_CWD
    assert_eq!(stands, 7, "{pair:?}");
}

#[test]
fn a_home_that_can_not_be_checked_is_refused_with_its_place() {
    let missing = check(Path::new("/no/such/home"), &settings(), &Options::default());
    let error = missing.unwrap_err();
    assert!(error.is_no_home() && error.to_string().contains("/no/such/home"));

    let alone = tempfile::tempdir().unwrap();
    fs::write(alone.path().join(".env"), "K=1\n").unwrap();
    let error = check(alone.path(), &settings(), &Options::default()).unwrap_err();
    assert!(error.to_string().contains("no named profile"), "{error}");

    let broken = home();
    let file = broken.path().join("profiles/work/.env");
    fs::write(&file, format!("A=1\nB='{CANARY}\n=x\n")).unwrap();
    let error = check(broken.path(), &settings(), &Options::default()).unwrap_err();
    let text = error.to_string();
    assert!(error.is_syntax() && text.contains("work/.env:2"), "{text}");
    assert!(error.problems().len() >= 2, "{text}");
    assert!(!text.contains(CANARY), "{text}");

    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let error = check(broken.path(), &settings(), &Options::default()).unwrap_err();
    assert!(
        error.is_unreadable() && error.to_string().contains("work/.env"),
        "{error}"
    );
}

/// The home that the design's figures are about; it is not part of this
/// repository.
#[test]
fn the_public_home_leaks_under_history_and_not_under_scoped() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/homes/public");
    if !dir.exists() {
        println!("skipped: {} is not there", dir.display());
        return;
    }
    let checked = checked(&dir);
    assert!(
        checked
            .rows
            .iter()
            .all(|row| row.expected && row.exhaustive)
    );
    let left = keys(&rows(&checked, "history/snapshot-restore", None));
    assert!(left.len() > 40, "{left:?}");
    assert!(keys(&rows(&checked, "scoped", Some(Reader::Scoped))).is_empty());
    let text = check_text(&dir, &checked);
    for value in ["base-openrouter", "-892f902b", "lab-gemini", "work-"] {
        assert!(!text.contains(value), "{value}");
    }
}
