//! A profile name is taken as given, or refused.

use isolane::ProfileName;

#[test]
fn the_grammar_is_matched_over_the_whole_text() {
    let longest = "a".repeat(64);
    for name in ["a", "7", "work", "a-b_c", "0-", &longest, "main", "default"] {
        assert_eq!(ProfileName::new(name).unwrap().as_str(), name);
    }
    let too_long = "a".repeat(65);
    let bad = [
        "",
        ".",
        "..",
        "../evil",
        "../../etc",
        "a/b",
        "/abs",
        "a\\b",
        "p1\n",
        "p1\0",
        "p1\r\n",
        "\np1",
        " p1",
        "p1 ",
        "a b",
        "a.b",
        "UPPER",
        "wOrk",
        "Default",
        "-a",
        "_a",
        "é",
        "aé",
        "а",
        &too_long,
    ];
    for name in bad {
        let error = ProfileName::new(name).unwrap_err();
        assert!(error.is_bad_name(), "{name:?}");
        let message = error.to_string();
        assert!(!message.contains(['\n', '\0', '\r']), "{message:?}");
    }
}

#[test]
fn reserved_names_are_refused() {
    for name in ["hermes", "test", "tmp", "root", "sudo"] {
        assert!(ProfileName::new(name).unwrap_err().is_bad_name(), "{name}");
    }
}

#[test]
fn default_is_the_root_profile() {
    assert!(ProfileName::new("default").unwrap().is_default());
    assert_eq!(
        ProfileName::default_profile(),
        ProfileName::new("default").unwrap()
    );
    assert!(!ProfileName::new("work").unwrap().is_default());
}

#[test]
fn a_name_is_printed_as_it_is() {
    let name = ProfileName::new("a-b").unwrap();
    assert_eq!(name.to_string(), "a-b");
    assert_eq!(format!("{name:?}"), "\"a-b\"");
    assert_eq!(
        ProfileName::new("a/b").unwrap_err().variable(),
        Some("\"a/b\"")
    );
}

#[test]
fn what_a_person_types_is_normalized_and_nothing_else_is() {
    for (text, expected) in [
        (" Librarian ", "librarian"),
        ("WORK\n", "work"),
        ("\tDeFault", "default"),
    ] {
        assert_eq!(ProfileName::normalized(text).unwrap().as_str(), expected);
        assert!(ProfileName::new(text).is_err(), "{text:?}");
    }
    for text in ["", "  ", "a b", "../x", "Root", "\u{130}"] {
        assert!(
            ProfileName::normalized(text).unwrap_err().is_bad_name(),
            "{text:?}"
        );
    }
}
