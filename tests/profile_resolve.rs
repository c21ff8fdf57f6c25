//! A profile is resolved as a whole: precedence, refusals, references.

#![allow(clippy::unwrap_used, reason = "a helper of a test may panic")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use isolane::profile::is_credential_name;
use isolane::{
    Dialect, Error, Isolation, Key, Layer, Profile, ProfileName, Settings, Severity, Value,
};
use proptest::prelude::*;

fn key(name: &str) -> Key {
    Key::new(name).unwrap()
}

fn load_as(
    name: &str,
    dotenv: &str,
    config: &str,
    settings: &Settings,
) -> Result<Arc<Profile>, Error> {
    Profile::from_sources(
        ProfileName::new(name).unwrap(),
        "/h/p1".into(),
        Some((Path::new("/h/p1/.env"), dotenv.as_bytes())),
        Some((Path::new("/h/p1/config.yaml"), config.as_bytes())),
        settings,
    )
}

fn load(dotenv: &str, config: &str) -> Result<Arc<Profile>, Error> {
    load_as("p1", dotenv, config, &Settings::default())
}

fn text(profile: &Profile, name: &str) -> Option<String> {
    Some(
        profile
            .get(&key(name))?
            .value()
            .expose()
            .to_str()
            .unwrap()
            .to_owned(),
    )
}

#[test]
fn dotenv_wins_over_terminal_and_says_what_it_hides() {
    let profile = load(
        "TERMINAL_CWD=/env\nA=1\nA=2\n",
        "terminal:\n  cwd: /yaml\n  timeout: 5\n",
    )
    .unwrap();
    assert_eq!(text(&profile, "TERMINAL_CWD").as_deref(), Some("/env"));
    assert_eq!(text(&profile, "TERMINAL_TIMEOUT").as_deref(), Some("5"));
    let cwd = profile.get(&key("TERMINAL_CWD")).unwrap();
    assert_eq!((cwd.origin().layer, cwd.origin().line), (Layer::DotEnv, 1));
    assert_eq!(cwd.shadows().len(), 1);
    assert_eq!(cwd.shadows()[0].to_string(), "/h/p1/config.yaml:2");
    let twice = profile.get(&key("A")).unwrap();
    assert_eq!((twice.origin().line, twice.shadows()[0].line), (3, 2));
    let timeout = profile.get(&key("TERMINAL_TIMEOUT")).unwrap();
    assert_eq!(timeout.origin().layer, Layer::Config);
}

#[test]
fn variables_come_in_the_order_of_their_names() {
    let profile = load("B=1\nC=2\nA=3\n", "").unwrap();
    let names: Vec<String> = profile.iter().map(|(key, _)| key.to_string()).collect();
    assert_eq!(names, ["A", "B", "C"]);
}

#[test]
fn names_of_the_shell_the_loader_and_the_host_are_dropped_with_a_warning() {
    let denied = [
        "HOME",
        "PATH",
        "PWD",
        "SHELL",
        "USER",
        "LOGNAME",
        "SHLVL",
        "OLDPWD",
        "PYTHONPATH",
        "VIRTUAL_ENV",
        "LD_LIBRARY_PATH",
        "LD_PRELOAD",
        "DYLD_INSERT_LIBRARIES",
        "XDG_CONFIG_HOME",
        "HERMES_HOME",
        "HERMES_WEBUI_ISOLATED_PROFILE",
    ];
    let text: String = denied.iter().map(|name| format!("{name}=v\n")).collect();
    let profile = load(&format!("{text}HOMEPAGE=v\npath=v\n"), "").unwrap();
    let names: Vec<String> = profile.iter().map(|(key, _)| key.to_string()).collect();
    assert_eq!(names, ["HOMEPAGE", "path"]);
    let warned: Vec<_> = profile
        .diagnostics()
        .iter()
        .filter_map(|w| w.key.as_deref())
        .collect();
    assert_eq!(warned, denied);
}

#[test]
fn a_broken_file_refuses_the_whole_profile_with_all_problems() {
    let error = load("A=1\nB=\"x\nC='y' z\n", "terminal: 3\n").unwrap_err();
    assert!(error.is_syntax());
    let places: Vec<String> = error
        .problems()
        .iter()
        .map(|p| p.location().unwrap().to_string())
        .collect();
    assert_eq!(
        places,
        ["/h/p1/.env:2:3", "/h/p1/.env:3:7", "/h/p1/config.yaml:1:11"]
    );
    assert_eq!(error.problems()[0].variable(), Some("B"));
}

#[test]
fn yaml_that_is_not_valid_is_an_error_with_its_place() {
    for (config, place) in [
        ("terminal:\n  cwd: /a\n  cwd: /b\n", ":3:3"),
        ("a: [1, 2\n", ""),
        ("a: 1\n---\nb: 2\n", ":2:1"),
        ("- a\n", ":1:1"),
        ("terminal: [a]\n", ":1:11"),
        ("a: !odd x\n", ""),
        ("a: &x [*x]\n", ":1:"),
        ("terminal:\n  docker_env: [2026-01-02]\n", ":2:"),
        ("a: 2026-13-45\n", ":1:4"),
    ] {
        let error = load("", config).unwrap_err();
        assert!(error.is_syntax(), "{config:?}");
        let problem = error.problems()[0].to_string();
        let expected = format!("/h/p1/config.yaml{place}");
        assert!(problem.starts_with(&expected), "{config:?}: {problem}");
    }
}

#[test]
fn an_empty_config_contributes_nothing() {
    for config in [
        "",
        "\n# c\n",
        "null\n",
        "---\n",
        "terminal:\n",
        "terminal: ~\n",
        "a: 1\n",
    ] {
        assert_eq!(load("", config).unwrap().iter().count(), 0, "{config:?}");
    }
}

#[test]
fn a_bomb_of_aliases_is_refused_at_once() {
    let mut wide = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    let mut deep = "a0: &a0 [x]\n".to_owned();
    for level in 1..200 {
        let before = level - 1;
        let nine = vec![format!("*a{before}"); 9].join(", ");
        wide += &format!("a{level}: &a{level} [{nine}]\n");
        deep += &format!("a{level}: &a{level} [*a{before}]\n");
    }
    assert!(load("", &wide).unwrap_err().is_syntax());
    assert!(load("", &deep).unwrap_err().is_syntax());
    assert!(load("", &"[".repeat(100_000)).unwrap_err().is_syntax());
}

#[test]
fn null_is_skipped_and_empty_is_a_value() {
    let profile = load("", "terminal:\n  cwd: ''\n  timeout: ~\n  ssh_port: 0\n").unwrap();
    assert_eq!(text(&profile, "TERMINAL_CWD").as_deref(), Some(""));
    assert_eq!(text(&profile, "TERMINAL_TIMEOUT"), None);
    assert_eq!(text(&profile, "TERMINAL_SSH_PORT").as_deref(), Some("0"));
}

#[test]
fn env_type_wins_over_backend_in_any_order() {
    for config in [
        "terminal: {env_type: a, backend: b}\n",
        "terminal: {backend: b, env_type: a}\n",
    ] {
        assert_eq!(
            text(&load("", config).unwrap(), "TERMINAL_ENV").as_deref(),
            Some("a")
        );
    }
}

#[test]
fn references_are_expanded_once_from_the_profile_alone() {
    let profile = load(
        "A=one\nB=${A}\nEMPTY=\n",
        "terminal: {cwd: '/w/${A}'}\nmodel:\n  key: ${A}\n  env: x${env:B}y\n  none: ${HOME}\n  \
         empty: '<${EMPTY}>'\n  list: [a, 2]\n  flag: yes\n",
    )
    .unwrap();
    assert_eq!(text(&profile, "TERMINAL_CWD").as_deref(), Some("/w/one"));
    for (path, expected) in [
        ("model.key", Some("one")),
        ("model.env", Some("x${A}y")),
        ("model.none", Some("${HOME}")),
        ("model.empty", Some("<>")),
        ("model.list.1", Some("2")),
        ("model.flag", Some("true")),
        ("model", None),
        ("nowhere", None),
    ] {
        assert_eq!(profile.config_value(path), expected, "{path}");
    }
    let unresolved: Vec<_> = profile
        .diagnostics()
        .iter()
        .filter(|w| w.code == "unresolved")
        .collect();
    assert_eq!(unresolved.len(), 1);
    assert_eq!(
        (unresolved[0].key.as_deref(), unresolved[0].line),
        (Some("HOME"), 5)
    );
    assert_eq!(unresolved[0].severity, Severity::Warning);
}

#[test]
fn a_credential_that_a_profile_lacks_is_isolated() {
    let config = "custom_providers:\n  - {name: a, key_env: ' GW_LOGIN '}\n  - {name: b, \
                  api_key: '${RAW_LOGIN}'}\n  - {name: c, api_key: 'x${OTHER_LOGIN}'}\n  - 3\n";
    let profile = load("OPENAI_API_KEY=own\nANTHROPIC_API_KEY=\n", config).unwrap();
    for (name, expected) in [
        ("OPENROUTER_API_KEY", true),
        ("AWS_PROFILE", true),
        ("GW_LOGIN", true),
        ("RAW_LOGIN", true),
        ("OTHER_LOGIN", true),
        ("OPENAI_API_KEY", false),
        ("ANTHROPIC_API_KEY", false),
        ("AWS_REGION", false),
        ("LANG", false),
    ] {
        assert_eq!(profile.isolates(&key(name)), expected, "{name}");
    }
    let webui = Settings {
        dialect: Dialect::Webui,
        ..Settings::default()
    };
    let profile = load_as("p1", "ANTHROPIC_API_KEY=\n", config, &webui).unwrap();
    assert!(
        profile.isolates(&key("ANTHROPIC_API_KEY")),
        "an empty value is absent there"
    );
}

#[test]
fn shared_profiles_and_the_default_one_isolate_nothing() {
    let shared = Settings {
        isolation: Isolation::Shared,
        ..Settings::default()
    };
    let profile = load_as("p1", "", "", &shared).unwrap();
    assert_eq!(profile.isolation(), Isolation::Shared);
    assert!(!profile.isolates(&key("OPENROUTER_API_KEY")));
    let default = load_as("default", "", "", &Settings::default()).unwrap();
    assert!(!default.isolates(&key("OPENROUTER_API_KEY")));
}

#[test]
fn a_profile_can_be_made_of_ready_values() {
    let values = BTreeMap::from([
        (key("A_TOKEN"), Value::new("v")),
        (key("B"), Value::new("")),
    ]);
    let name = ProfileName::new("p1").unwrap();
    let profile = Profile::with_values(name, "/h".into(), values, Isolation::Isolated);
    assert!(profile.get(&key("A_TOKEN")).unwrap().is_secret());
    assert!(!profile.get(&key("B")).unwrap().is_secret());
    assert!(!profile.isolates(&key("A_TOKEN")));
    assert!(profile.isolates(&key("OTHER_TOKEN")));
    assert_eq!(profile.home(), Path::new("/h"));
}

#[test]
fn credentials_are_known_by_name() {
    for name in [
        "ANTHROPIC_TOKEN",
        "AWS_PROFILE",
        "AWS_BEARER_TOKEN_BEDROCK",
        "AZURE_TENANT_ID",
        "AWS_WEB_IDENTITY_TOKEN_FILE",
        "IDENTITY_ENDPOINT",
        "MSI_ENDPOINT",
        "Z_AI_API_KEY",
        "SLACK_BOT_TOKEN",
        "TELEGRAM_WEBHOOK_SECRET",
        "DB_PASSWORD",
        "my_api_key",
        "GITHUB_PAT",
        "ELEVENLABS_API_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
    ] {
        assert!(is_credential_name(&key(name)), "{name}");
    }
    for name in [
        "AWS_REGION",
        "AWS_DEFAULT_REGION",
        "AZURE_FOUNDRY_BASE_URL",
        "OPENAI_BASE_URL",
        "HOME",
        "LANG",
        "KEY",
        "K",
        "MONKEY",
        "HERMES_MAX_TOKENS",
        "HERMES_SESSION_KEY",
        "TERMINAL_SSH_KEY",
        "TOKENIZERS_PARALLELISM",
        "TERMINAL_CWD",
        "MY_SETTING",
    ] {
        assert!(!is_credential_name(&key(name)), "{name}");
    }
}

proptest! {
    // The failing input is in the message; no file is kept beside the source.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_config_is_read_without_a_panic(text in config_text()) {
        if let Err(error) = load("", &text) {
            prop_assert!(error.is_syntax());
            for problem in error.problems() {
                prop_assert!(problem.location().unwrap().line() > 0, "{problem}");
            }
        }
    }
}

/// Text made of what a YAML reader could stumble over.
fn config_text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "terminal:\n  ",
        "cwd: ",
        "a: ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "&x ",
        "*x",
        "<<: ",
        "!!int ",
        "!!str ",
        "!odd ",
        "\"",
        "'",
        "\n",
        "\n  ",
        "\t",
        "#",
        "|\n",
        ">\n",
        "010",
        "1:30",
        "yes",
        "~",
        "2026-01-02",
        ".5",
        "---\n",
        "%YAML 1.1\n",
        "? ",
        "é",
        "\0",
        "\u{feff}",
        "=",
        ":",
        "custom_providers:\n",
        "api_key: ${A}\n",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}
