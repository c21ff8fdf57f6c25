//! The command as a user runs it.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value as Json;

fn isolane(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isolane"));
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn the_first_command_finds_the_race_and_ends_with_0() {
    let out = isolane(&["explore"]);
    assert_eq!(out.status.code(), Some(0));
    let text = text(&out.stdout);
    assert!(text.contains("found overlapping-guards  strategy history/snapshot-restore"));
    assert!(text.contains("I2 restore") && text.contains("all as expected"));
    assert!(
        !text.contains('\u{1b}'),
        "no colour where it is not a terminal"
    );
    assert!(out.stderr.is_empty());
}

#[test]
fn json_has_the_promised_fields() {
    let out = isolane(&[
        "explore",
        "models/scenarios/overlapping-guards.toml",
        "--format",
        "json",
    ]);
    assert_eq!(out.status.code(), Some(0));
    let json: Json = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["summary"]["unexpected"], 0);
    let results = json["results"].as_array().unwrap();
    assert_eq!(json["summary"]["results"], results.len());
    for result in results {
        for field in [
            "scenario",
            "strategy",
            "reader",
            "engine",
            "coverage",
            "executions",
            "classes",
            "pruned",
            "outcome",
            "expected",
            "elapsed_ms",
            "findings",
        ] {
            assert!(
                result.get(field).is_some(),
                "{field} is missing in {result}"
            );
        }
        assert_eq!(result["coverage"], "exhaustive");
    }
    let mut restore = results
        .iter()
        .flat_map(|result| result["findings"].as_array().unwrap());
    let restore = restore
        .find(|finding| finding["invariant"] == "restore")
        .unwrap();
    for field in ["message", "steps", "preemptions"] {
        assert!(!restore[field].is_null(), "{field}");
    }
    for field in ["step", "lane", "event"] {
        assert!(!restore["trace"][0][field].is_null(), "{field}");
    }
}

#[test]
fn bad_input_is_one_message_on_standard_error_and_status_2() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    fs::write(at("bad.toml"), "name = \"n\"\n[workers]\nA = [\"fly\"]\n").unwrap();
    fs::write(at("bytes.toml"), b"name = \"\xff\"\n").unwrap();
    fs::create_dir(at("empty")).unwrap();
    let (bad, bytes, empty, no) = (at("bad.toml"), at("bytes.toml"), at("empty"), at("no"));
    let cases: &[(&[&str], &str)] = &[
        (&["explore", &bad], "bad.toml:3:6: unknown step `fly`"),
        (&["explore", &bytes], "bytes.toml: can not be read"),
        (&["explore", &no], "no: can not be read"),
        (
            &["explore", "models/scenarios", "models/scenarios"],
            "is called `additive-switch` already",
        ),
        (&["explore", &empty], "holds no scenario"),
        (&["explore", "--strategy", "x"], "no strategy `x`"),
        (&["check", "--home", &no], "no"),
        (&["check", "--home", &empty], "no named profile"),
        (
            &["check", "--home", &empty, "--home-variable", "A=B"],
            "A=B",
        ),
        (&["check"], "--home"),
        (&["nonsense"], "nonsense"),
    ];
    for (args, part) in cases {
        let out = isolane(args);
        let message = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {message}");
        assert!(out.stdout.is_empty(), "{args:?}");
        assert!(message.contains(part), "{args:?}: {message}");
    }
}

#[test]
fn a_finding_that_was_not_expected_ends_with_1() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("wrong.toml");
    let scenario = "name = \"wants the impossible\"\n[env]\nK = \"base\"\n[profiles.p1]\n\
                    \".env\" = \"K=1\\n\"\n[workers]\nA = [\"enter p1\", \"get K == '2'\", \"exit\"]\n";
    fs::write(&file, scenario).unwrap();
    let out = isolane(&["explore", file.to_str().unwrap()]);
    assert_eq!(out.status.code(), Some(1));
    let text = text(&out.stdout);
    assert!(
        text.contains("FAIL  wrong") && text.contains("NOT AS EXPECTED"),
        "{text}"
    );
}

#[test]
fn a_budget_that_is_too_small_is_said_and_ends_with_1() {
    let path = "models/scenarios/home-clobbered.toml";
    let out = isolane(&["explore", path, "--strategy", "mirrored", "--budget", "2"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stdout).contains("INCOMPLETE"));
}

#[test]
fn help_teaches() {
    let help = text(&isolane(&["explore", "--help"]).stdout);
    assert!(help.contains("Examples:") && help.contains("--self-check"));
    assert!(text(&isolane(&["--help"]).stdout).contains("Exit status"));
}

#[test]
fn the_readme_shows_what_the_first_command_prints() {
    let readme =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let sample = readme
        .split("```text\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let printed = text(&isolane(&["explore"]).stdout);
    assert!(sample.lines().count() > 8, "the sample is gone");
    assert!(
        printed.contains(sample),
        "the README does not show this any more:\n{sample}"
    );
}
