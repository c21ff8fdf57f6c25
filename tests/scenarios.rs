//! The built-in scenarios: the library holds, history is caught.

use std::collections::BTreeSet;
use std::path::Path;

use isolane::harness::{
    Invariant, Options, Outcome, Reader, Report, Row, Scenario, builtin_names,
    builtin_scenarios, explore, to_json, to_text,
};

fn all() -> Vec<Row> {
    explore(&builtin_scenarios().unwrap(), &Options::default()).unwrap()
}

fn one(text: &str, strategies: &[&str]) -> Vec<Row> {
    let scenario = Scenario::parse(Path::new("test.toml"), text).unwrap();
    let strategies = strategies.iter().map(|name| (*name).to_owned()).collect();
    explore(
        &[scenario],
        &Options {
            strategies,
            ..Options::default()
        },
    )
    .unwrap()
}

fn broken(rows: &[Row], strategy: &str, reader: Option<Reader>) -> BTreeSet<Invariant> {
    let rows = rows
        .iter()
        .filter(|row| row.strategy == strategy && row.reader == reader);
    rows.flat_map(|row| &row.findings)
        .map(|finding| finding.invariant)
        .collect()
}

#[test]
fn the_list_of_built_in_scenarios_is_the_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/scenarios");
    let files = std::fs::read_dir(folder).unwrap();
    let files: BTreeSet<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(files, builtin_names().map(str::to_owned).collect());
}

#[test]
fn every_built_in_scenario_is_as_expected_and_exhaustive() {
    let rows = all();
    for row in &rows {
        assert!(
            row.expected,
            "{} {} {:?}",
            row.scenario, row.strategy, row.findings
        );
        assert!(row.exhaustive, "{} {}", row.scenario, row.strategy);
        assert_eq!(row.pruned, 0, "{} {}", row.scenario, row.strategy);
    }
    assert!(rows.len() > 50, "only {} rows", rows.len());
}

#[test]
fn the_library_breaks_nothing_but_its_declared_limits() {
    for row in all()
        .iter()
        .filter(|row| !row.strategy.starts_with("history/"))
    {
        assert!(row.outcome == Outcome::Holds || row.limit, "{row:?}");
        let by_reader: &[Option<Reader>] = match row.strategy.as_str() {
            "scoped" => &[Some(Reader::Legacy)],
            _ => &[Some(Reader::Legacy), Some(Reader::Bystander)],
        };
        // The one limit that is about no reader: the platform has no
        // compare-and-set for the environment.
        let by_platform = row.scenario == "outside-writer-at-any-moment"
            && row.strategy == "mirrored"
            && row.reader.is_none();
        assert!(
            !row.limit || by_platform || by_reader.contains(&row.reader),
            "{row:?}"
        );
    }
}

#[test]
fn snapshot_restore_is_caught_breaking_restore_and_own_or_refuse() {
    let rows = all();
    let rows: Vec<Row> = rows
        .into_iter()
        .filter(|row| row.scenario == "overlapping-guards")
        .collect();
    let strategy = "history/snapshot-restore";
    assert_eq!(
        broken(&rows, strategy, None),
        BTreeSet::from([Invariant::Restore])
    );
    let scoped = broken(&rows, strategy, Some(Reader::Scoped));
    assert_eq!(scoped, BTreeSet::from([Invariant::OwnOrRefuse]));
    let finding = rows.iter().flat_map(|row| &row.findings).next().unwrap();
    // The restore race needs two preemptions and no fewer.
    assert_eq!(finding.preemptions, 2);
    assert_eq!(finding.message, r#"K left "1", expected "base""#);
}

const GUARDS: &str = r#"
name = "two guards"
[env]
K = "base"
[profiles.p1]
".env" = "K=1\n"
[profiles.p2]
".env" = "K=2\n"
[workers]
A = ["enter p1", "get K", "os K", "exit"]
B = ["enter p2", "get K", "os K", "exit"]
X = ["os K", "get K"]
"#;

#[test]
fn a_finding_that_nobody_expected_is_not_as_expected() {
    // The sabotage is in the scenario: it wants what a scope can not give.
    let text = GUARDS.replace(r#""get K", "os K", "exit"]"#, r#""get K == '2'", "exit"]"#);
    let rows = one(&text, &["scoped"]);
    let row = rows
        .iter()
        .find(|row| row.reader == Some(Reader::Scoped))
        .unwrap();
    assert_eq!((row.outcome, row.expected), (Outcome::Violates, false));
    assert!(
        row.findings[0]
            .message
            .contains("get K gave \"1\", expected \"2\"")
    );
}

#[test]
fn an_expected_finding_that_is_not_found_is_not_as_expected() {
    let text = format!("{GUARDS}[expect]\n\"mirrored\" = {{ violates = [\"restore\"] }}\n");
    let rows = one(&text, &["mirrored"]);
    let row = rows.iter().find(|row| row.reader.is_none()).unwrap();
    assert_eq!((row.outcome, row.expected), (Outcome::Holds, false));
    assert!(
        row.note
            .as_ref()
            .unwrap()
            .contains("expected to break restore")
    );
}

#[test]
fn an_order_that_can_not_happen_is_reported_as_never_reached() {
    let text = GUARDS.replace("[env]", "reachable = [\"A.exit before A.enter\"]\n[env]");
    let rows = one(&text, &["scoped"]);
    let row = rows.iter().find(|row| row.reader.is_none()).unwrap();
    assert!(!row.expected);
    assert!(
        row.note
            .as_ref()
            .unwrap()
            .contains("never reached: A.exit before A.enter")
    );
}

#[test]
fn a_search_that_was_cut_off_is_incomplete_and_never_holds() {
    let scenario = Scenario::parse(Path::new("test.toml"), GUARDS).unwrap();
    let strategies = vec!["mirrored".to_owned()];
    let rows = explore(
        &[scenario],
        &Options {
            strategies,
            budget: 3,
        },
    )
    .unwrap();
    for row in rows.iter().filter(|row| row.findings.is_empty()) {
        assert_eq!(
            (row.outcome, row.expected),
            (Outcome::Incomplete, false),
            "{row:?}"
        );
    }
    assert!(rows.iter().all(|row| !row.exhaustive));
}

#[test]
fn mirrored_restores_with_three_named_profiles_and_with_the_default_one() {
    let three = GUARDS
        .replace(
            "[workers]",
            "[profiles.p3]\n\".env\" = \"K=3\\n\"\n[workers]",
        )
        .replace(
            r#"X = ["os K", "get K"]"#,
            r#"C = ["enter p3", "get K", "exit"]"#,
        );
    let default = three.replace("enter p3", "enter default");
    for text in [three, default] {
        let rows = one(&text, &["scoped", "mirrored"]);
        for row in rows.iter().filter(|row| row.reader != Some(Reader::Legacy)) {
            assert_eq!(row.outcome, Outcome::Holds, "{row:?}");
            assert!(row.exhaustive);
        }
    }
}

#[test]
fn an_outside_write_during_a_scope_survives_its_end() {
    let text = r#"
name = "somebody writes meanwhile"
source = "G25"
[env]
K = "base"
[profiles.p1]
".env" = "K=1\nOTHER=x\n"
[workers]
A = ["enter p1", "set K=outside", "exit", "os K == 'outside'"]
"#;
    for row in one(text, &["scoped", "mirrored"]) {
        assert_eq!(row.outcome, Outcome::Holds, "{row:?}");
    }
    let rows = one(text, &["history/snapshot-restore"]);
    let restore = broken(&rows, "history/snapshot-restore", None);
    assert_eq!(restore, BTreeSet::from([Invariant::Restore]));
}

#[test]
fn two_runs_give_the_same_report() {
    let report = || {
        let mut rows = all();
        rows.iter_mut().for_each(|row| row.elapsed_ms = 0.0);
        let titles = builtin_scenarios().unwrap();
        let titles = titles.into_iter().map(|s| (s.id, s.title)).collect();
        let report = Report {
            rows,
            titles,
            notes: Vec::new(),
        };
        (to_text(&report), to_json(&report).to_string())
    };
    assert_eq!(report(), report());
}

#[test]
fn a_report_fits_on_a_terminal() {
    let titles = builtin_scenarios()
        .unwrap()
        .into_iter()
        .map(|s| (s.id, s.title))
        .collect();
    let text = to_text(&Report {
        rows: all(),
        titles,
        notes: Vec::new(),
    });
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 100, "a line has {widest} columns");
}
