//! What is wrong with a `.env` file is said with its place, and never by value.

#![allow(clippy::unwrap_used, reason = "a helper of a test may panic")]

use isolane::profile::dotenv::{self, Parsed};
use isolane::{Dialect, Severity};
use proptest::prelude::*;

const DIALECTS: [Dialect; 3] = [Dialect::Hermes, Dialect::Webui, Dialect::PythonDotenv];

/// Code, line, column and key of each problem but the readers' disagreement.
fn found(parsed: &Parsed) -> Vec<(&str, u32, u32, Option<&str>)> {
    let problems = parsed.diagnostics.iter();
    problems
        .filter(|problem| problem.code != "readers-disagree")
        .map(|problem| {
            (
                problem.code,
                problem.line,
                problem.column,
                problem.key.as_deref(),
            )
        })
        .collect()
}

fn codes(text: &str, dialect: Dialect) -> Vec<&'static str> {
    dotenv::parse(text.as_bytes(), dialect)
        .diagnostics
        .iter()
        .map(|found| found.code)
        .collect()
}

fn disagree(text: &str) -> usize {
    codes(text, Dialect::Hermes)
        .iter()
        .filter(|&&code| code == "readers-disagree")
        .count()
}

#[test]
fn a_plain_file_is_read_alike_and_without_a_word() {
    let text =
        "# c\n\nA=1\n  B = two words  \nC=\"x y\"\nD='q'\nE=http://h/p?q=1#f\nF=a=b==\r\n";
    for dialect in DIALECTS {
        let parsed = dotenv::parse(text.as_bytes(), dialect);
        assert_eq!(parsed.diagnostics, [], "{dialect:?}");
        assert_eq!(parsed.entries.len(), 6);
    }
}

#[test]
fn errors_name_line_column_and_key() {
    for (text, expected) in [
        ("A=1\nB=\"x\n", ("unterminated-quote", 2, 3, Some("B"))),
        ("B='x\n", ("unterminated-quote", 1, 3, Some("B"))),
        ("B=\"x\" y\n", ("after-quote", 1, 7, Some("B"))),
        ("B='x'y\n", ("after-quote", 1, 6, Some("B"))),
        ("A=1\n  =x\n", ("no-key", 2, 3, None)),
        ("A=1\nB=x\0y\n", ("nul", 2, 4, None)),
        ("A=1\rB=2\n", ("lone-cr", 1, 4, None)),
    ] {
        for dialect in DIALECTS {
            let parsed = dotenv::parse(text.as_bytes(), dialect);
            assert_eq!(found(&parsed), [expected], "{text:?} {dialect:?}");
            assert!(parsed.has_errors());
            let errors = parsed
                .diagnostics
                .iter()
                .filter(|d| d.severity == Severity::Error);
            assert_eq!(errors.count(), 1);
        }
    }
}

#[test]
fn all_problems_of_a_file_are_listed_together() {
    let text = "A=\"x\nB='y' z\n=q\nC\0=1\nD=1\rE=2\n";
    let parsed = dotenv::parse(text.as_bytes(), Dialect::Hermes);
    let errors: Vec<_> = found(&parsed)
        .into_iter()
        .map(|(code, line, ..)| (code, line))
        .collect();
    for expected in [
        ("unterminated-quote", 1),
        ("after-quote", 2),
        ("no-key", 3),
        ("nul", 4),
        ("lone-cr", 5),
    ] {
        assert!(errors.contains(&expected), "{expected:?} in {errors:?}");
    }
    assert!(errors.is_sorted_by_key(|(_, line)| *line));
}

#[test]
fn a_byte_that_is_not_utf_8_is_named_by_its_place() {
    for dialect in DIALECTS {
        let parsed = dotenv::parse(b"A=1\nB=\xc3\xa9x\xff\n", dialect);
        assert_eq!(
            found(&parsed),
            [("invalid-utf8", 2, 5, None)],
            "{dialect:?}"
        );
        assert_eq!(parsed.entries, []);
    }
    let utf_16 = dotenv::parse(b"\xff\xfeA\0=\x001\0", Dialect::Hermes);
    assert!(utf_16.has_errors());
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_name() {
    let parsed = dotenv::parse("\u{feff}A=1\n".as_bytes(), Dialect::Hermes);
    assert_eq!(parsed.entries[0].key, "A");
    assert_eq!(found(&parsed), []);
    assert_eq!(disagree("\u{feff}A=1\n"), 2);
}

#[test]
fn warnings_name_what_other_readers_stumble_over() {
    for (text, expected) in [
        ("A=1\nword\n", ("no-equals", 2, 1, None)),
        ("A-B=1\n", ("odd-name", 1, 1, Some("A-B"))),
        ("A=1\nB=2\nA=3\n", ("duplicate", 3, 1, Some("A"))),
        ("A=${B}\n", ("reference", 1, 1, Some("A"))),
        ("A='${B}'\n", ("reference", 1, 1, Some("A"))),
        ("A=1 B=2\n", ("two-entries", 1, 1, Some("A"))),
        (
            "A=sk-abcOPENROUTER_API_KEY=x\n",
            ("two-entries", 1, 1, Some("A")),
        ),
    ] {
        let parsed = dotenv::parse(text.as_bytes(), Dialect::Hermes);
        assert_eq!(found(&parsed), [expected], "{text:?}");
        assert!(!parsed.has_errors());
    }
    for text in [
        "A=http://h/?B_C_D=1&E_F_G=2\n",
        "A=a=b\n",
        "A=$B\n",
        "A=\"x B=2\"\n",
    ] {
        assert_eq!(codes(text, Dialect::Hermes), [""; 0], "{text:?}");
    }
}

#[test]
fn both_lines_of_a_duplicate_are_named() {
    let parsed = dotenv::parse(b"A=1\nB=2\nexport A=3\n", Dialect::Hermes);
    let twice = parsed
        .diagnostics
        .iter()
        .find(|found| found.code == "duplicate")
        .unwrap();
    assert_eq!(twice.line, 3);
    assert!(twice.message.contains("line 1"), "{twice}");
}

#[test]
fn a_value_that_no_program_could_be_started_with_is_reported() {
    for (length, expected) in [(131_069, 0), (131_070, 1)] {
        let text = format!("A={}\n", "x".repeat(length));
        let found = codes(&text, Dialect::Hermes);
        assert_eq!(
            found.iter().filter(|&&code| code == "too-long").count(),
            expected
        );
    }
}

#[test]
fn readers_that_disagree_are_reported_once_a_key() {
    for (text, expected) in [
        ("A=1\n", 0),
        ("A=1 # c\n", 1),
        ("A=\"a\\nb\"\n", 1),
        ("A=\n", 1),
        ("A=${B}\n", 1),
        ("A=1 # c\nA=2\n", 0),
        ("A=1 # c\nB=2 # c\n", 2),
    ] {
        assert_eq!(disagree(text), expected, "{text:?}");
    }
    let parsed = dotenv::parse(b"A=1 # c\n", Dialect::Hermes);
    assert!(
        parsed.diagnostics[0].message.starts_with("webui "),
        "{}",
        parsed.diagnostics[0]
    );
}

#[test]
fn lines_inside_an_unterminated_quote_are_not_named() {
    let text = "A=\"first\nCANARYONE=\nCANARYTWO=x\nCANARYTHREE\nlast\"\nB=2\nB=3\n";
    let parsed = dotenv::parse(text.as_bytes(), Dialect::Hermes);
    let shown = format!("{:?}", parsed);
    assert!(!shown.contains("CANARY"), "{shown}");
    assert!(found(&parsed).contains(&("unterminated-quote", 1, 3, Some("A"))));
    assert!(found(&parsed).contains(&("duplicate", 7, 1, Some("B"))));
}

#[test]
fn python_dotenv_takes_values_over_several_lines() {
    let parsed = dotenv::parse(b"A=\"x\ny\"\nB=2\n", Dialect::PythonDotenv);
    assert!(!parsed.has_errors());
    assert_eq!(parsed.values()["A"].unwrap().expose(), "x\ny");
    assert_eq!(parsed.entries[1].line, 3);
}

/// Text made of what a parser could stumble over.
fn awkward() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "A", "KEY", "export ", "export\t", "=", " = ", "\"", "'", "\\", "#", " # c", "\n",
        "\r\n", "\r", " ", "\t", "${A}", "${B:-x}", "${", "}", "é", "\u{2028}", "\u{b}",
        "\u{85}", "\u{a0}", "\u{feff}", "\0", ":", "-", "x y",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    // The failing input is in the message; no file is kept beside the source.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_and_every_problem_has_its_place(text in awkward()) {
        let lines = text.replace("\r\n", "\n").replace('\r', "\n");
        let lines: Vec<&str> = lines.split('\n').collect();
        for dialect in DIALECTS {
            let parsed = dotenv::parse(text.as_bytes(), dialect);
            for problem in &parsed.diagnostics {
                let line = lines.get(problem.line as usize - 1).expect("a line of the file");
                let columns = line.chars().count() + 1;
                prop_assert!((1..=columns).contains(&(problem.column as usize)), "{problem}");
            }
            for entry in &parsed.entries {
                prop_assert!(entry.line as usize <= lines.len());
            }
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for dialect in DIALECTS {
            let parsed = dotenv::parse(&bytes, dialect);
            prop_assert_eq!(&parsed, &dotenv::parse(&bytes, dialect));
        }
    }
}
