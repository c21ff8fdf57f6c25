//! A scenario file that makes no sense is refused with its place.

use std::path::Path;

use isolane::harness::Scenario;

const GOOD: &str = r#"name = "n"
[env]
K = "base"
[profiles.p1]
".env" = "K=1\n"
[workers]
A = ["enter p1", "get K", "exit"]
"#;

fn problem(text: &str) -> String {
    Scenario::parse(Path::new("dir/s.toml"), text)
        .unwrap_err()
        .to_string()
}

#[test]
fn a_scenario_that_makes_sense_is_read() {
    let scenario = Scenario::parse(Path::new("dir/s.toml"), GOOD).unwrap();
    assert_eq!((scenario.id.as_str(), scenario.title.as_str()), ("s", "n"));
    assert_eq!(scenario.workers.len(), 1);
}

#[test]
fn what_makes_no_sense_is_refused_with_file_line_and_column() {
    let cases = [
        ("get K", "gte K", "dir/s.toml:7:18: unknown step `gte`"),
        (
            "enter p1",
            "enter p9",
            "dir/s.toml:7:6: there is no profile `p9`",
        ),
        (
            "\"exit\"",
            "\"exit\", \"exit\"",
            "dir/s.toml:7:35: `exit` without an innermost",
        ),
        (
            "\"exit\"",
            "\"unbind\"",
            "dir/s.toml:7:27: `unbind` without an innermost",
        ),
        ("\"exit\"", "\"clear\"", "no session in force"),
        ("\"exit\"", "\"thr T\"", "there is no thread `T`"),
        ("\"exit\"", "\"join T\"", "joined before it is started"),
        (
            "\"exit\"",
            "1",
            "dir/s.toml:7:27: a text is wanted here, not integer",
        ),
        (
            "[env]",
            "colour = 1\n[env]",
            "dir/s.toml:2:1: unknown key `colour`",
        ),
        (
            "[env]",
            "[host]\nx = \"y\"\n[env]",
            "unknown key `x` in [host]",
        ),
        (
            "[env]",
            "[host]\nfallback = \"y\"\n[env]",
            "until-engaged, always or never",
        ),
        ("\".env\"", "\"env\"", "unknown key `env` in a profile"),
        ("profiles.p1", "profiles.P1", "dir/s.toml:4:11:"),
        ("K = \"base\"", "\"K=\" = \"base\"", "dir/s.toml:3:1:"),
        ("name = \"n\"", "", "`name` is missing"),
        ("name = \"n\"", "name = ", "dir/s.toml:1:"),
    ];
    for (from, to, part) in cases {
        assert!(GOOD.contains(from), "{from}");
        let message = problem(&GOOD.replacen(from, to, 1));
        assert!(message.contains(part), "{to}: {message}");
        assert!(message.starts_with("dir/s.toml:"), "{message}");
    }
}

#[test]
fn names_of_workers_are_their_own() {
    let message = problem(&GOOD.replacen("A = [", "main = [", 1));
    assert!(
        message.contains("dir/s.toml:7:1: the name `main` is taken"),
        "{message}"
    );
    let message = problem(&format!("{GOOD}[threads]\nA = []\n"));
    assert!(
        message.contains("dir/s.toml:9:1: the name `A` is taken"),
        "{message}"
    );
}

#[test]
fn expectations_name_what_exists() {
    let expect = |text: &str| problem(&format!("{GOOD}[expect]\n{text}\n"));
    assert!(expect("\"x\" = {}").contains("there is no strategy `x`; known are scoped"));
    let unknown = expect("\"scoped\" = { violates = [\"x\"] }");
    assert!(unknown.contains("there is no invariant `x`; known are own-or-refuse"));
    assert!(expect("reachable = [\"A.exit\"]").contains("A.exit before B.exit"));
    assert!(expect("reachable = [\"A.exit before Z.exit\"]").contains("no step `Z.exit`"));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = Scenario::load(Path::new("no/such.toml")).unwrap_err();
    assert!(error.is_unreadable());
    assert!(
        error
            .to_string()
            .starts_with("no/such.toml: can not be read")
    );
}
