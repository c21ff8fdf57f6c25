//! No secret of any fixture is in any output, error or `Debug` text.

#![allow(clippy::unwrap_used, reason = "a helper of a test may panic")]

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use isolane::inspect::{Resolved, Show, audit};
use isolane::profile::{Redactor, dotenv};
use isolane::{Error, Key};

#[path = "fixture_homes.rs"]
mod fixture_homes;

use fixture_homes::{CANARY, DIALECTS, Fixture};

fn assert_silent(what: &str, text: &str) {
    if let Some(line) = text.lines().find(|line| line.contains(CANARY)) {
        panic!("{what} shows a secret: {line}");
    }
}

/// Everything that the library can say about a home without being asked for values.
fn everything(fixture: &Fixture) -> String {
    let home = fixture.home();
    let mut text = format!("{home:?}");
    for (dialect, _) in DIALECTS {
        for lenient in [false, true] {
            let settings = fixture.settings(dialect, lenient);
            for name in home.profiles() {
                match home.load(name, &settings) {
                    Ok(profile) => about_profile(&profile, fixture, &mut text),
                    Err(error) => about_error(&error, &mut text),
                }
                let file = fs::read(home.folder(name, &settings).unwrap().join(".env"));
                let parsed = dotenv::parse(&file.unwrap_or_default(), dialect);
                let _ = writeln!(text, "{parsed:?}");
            }
            match Resolved::load(&home, home.profiles(), &settings) {
                Err(error) => about_error(&error, &mut text),
                Ok(all) => {
                    let _ = writeln!(text, "{all:?} {:?}", all.shell());
                    text.push_str(&all.text(Show::Nothing));
                    text.push_str(&all.text(Show::Plain));
                    text.push_str(&all.json(Show::Nothing).to_string());
                    text.push_str(&all.json(Show::Plain).to_string());
                }
            }
            let audit = audit(fixture.path(), &settings).unwrap();
            let _ = writeln!(text, "{audit:?} {} {}", audit.text(), audit.json());
        }
    }
    text
}

fn about_profile(
    profile: &std::sync::Arc<isolane::Profile>,
    fixture: &Fixture,
    text: &mut String,
) {
    let _ = writeln!(text, "{profile:?} {:?}", profile.diagnostics());
    let _ = writeln!(text, "{:?}", Redactor::new(std::slice::from_ref(profile)));
    let resolved = Resolved::new(vec![std::sync::Arc::clone(profile)]);
    for (key, entry) in profile.iter() {
        let _ = writeln!(text, "{key:?} {entry:?} {:?}", entry.state());
        let explained = resolved.explain(key);
        let _ = writeln!(
            text,
            "{explained:?} {} {}",
            explained.text(),
            explained.json()
        );
    }
    let absent = resolved.explain(&Key::new("NOT_SET").unwrap()).text();
    text.push_str(&absent);
    for id in &fixture.credentials {
        let _ = writeln!(text, "{:?}", profile.credential(id, |_| None));
    }
}

fn about_error(error: &Error, text: &mut String) {
    let _ = writeln!(text, "{error} {error:?} {:?}", error.problems());
}

#[test]
fn no_secret_is_in_what_the_library_says() {
    for fixture in Fixture::all() {
        assert_silent(&fixture.name, &everything(&fixture));
    }
}

/// Standard output and error of the command.
fn command(home: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_isolane"))
        .args(arguments)
        .arg("--home")
        .arg(home)
        .output()
        .unwrap();
    let both = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&both).into_owned()
}

#[test]
fn no_secret_is_in_what_the_command_prints() {
    let calls: [&[&str]; 9] = [
        &["resolve"],
        &["resolve", "--all"],
        &["resolve", "--all", "--lenient", "--format", "json"],
        &["resolve", "--all", "--dialect", "webui", "--lenient"],
        &[
            "resolve",
            "--all",
            "--dialect",
            "python-dotenv",
            "--format",
            "json",
        ],
        &["resolve", "--all", "--lenient", "--explain", "GLM_API_KEY"],
        &[
            "resolve",
            "-p",
            "work",
            "--explain",
            "SHARED_TOKEN",
            "--format",
            "json",
        ],
        &["audit", "--fail-on", "note"],
        &["audit", "--format", "json"],
    ];
    for fixture in Fixture::all() {
        for arguments in calls {
            let what = format!("{} {arguments:?}", fixture.name);
            assert_silent(&what, &command(fixture.path(), arguments));
        }
    }
}

#[test]
fn no_secret_is_in_a_snapshot() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots");
    let mut looked_at = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert_silent(
            &path.display().to_string(),
            &fs::read_to_string(&path).unwrap(),
        );
        looked_at += 1;
    }
    assert!(looked_at >= 6);
}

/// The search can find something: asked for, the values are there.
#[test]
fn the_canary_is_in_the_output_that_reveals() {
    let all = Fixture::all();
    let credentials = all
        .iter()
        .find(|fixture| fixture.name == "credentials")
        .unwrap();
    for format in ["text", "json"] {
        let shown = command(
            credentials.path(),
            &["resolve", "--all", "--reveal", "--format", format],
        );
        assert!(shown.matches(CANARY).count() >= 8, "{shown}");
    }
}
