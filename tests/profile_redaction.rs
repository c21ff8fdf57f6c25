//! No error, warning or `Debug` text ever holds a value.

#![allow(clippy::unwrap_used, reason = "a helper of a test may panic")]

use std::fmt::Write;
use std::path::Path;

use isolane::profile::dotenv;
use isolane::{Dialect, Profile, ProfileName, Settings};

/// Never to be seen in any text.
const CANARY: &str = "c4n4ryS3cret";

const DOTENVS: [&str; 24] = [
    "A=CANARY\n",
    "A=\"CANARY\n",
    "A='CANARY\n",
    "A=\"x\" CANARY\n",
    "A=\"CANARY\" CANARY\n",
    "A=CANARY\0CANARY\n",
    "A=CANARY\rB=CANARY\n",
    "=CANARY\n",
    "CANARY\n",
    "CANARY=\n",
    "CANARY==\n",
    "export CANARY\n",
    "CANARY CANARY=CANARY\n",
    "sk-CANARY=CANARY\n",
    "A=${CANARY}\n",
    "A=CANARY # CANARY\n",
    "A=CANARY\nA=CANARY # CANARY\n",
    "A=1 CANARY_B=CANARY\n",
    "A=\"first\nCANARY=\nCANARY=x\nCANARY\nlast\"\n",
    "A='first\nCANARY= x\nexport CANARY=y\n",
    "PATH=CANARY\n",
    "HERMES_HOME=CANARY\n",
    "A-B=CANARY\n",
    "\u{feff}A=CANARY\n",
];

const CONFIGS: [&str; 18] = [
    "terminal:\n  cwd: CANARY\n",
    "terminal: CANARY\n",
    "CANARY\n",
    "- CANARY\n",
    "a: CANARY: CANARY\n",
    "a: [CANARY\n",
    "a: \"CANARY\n",
    "a: *CANARY\n",
    "a: !CANARY x\n",
    "a: !!int CANARY\n",
    "a: &CANARY [*CANARY]\n",
    "%CANARY\n---\na: 1\n",
    "a: 1\n---\nb: CANARY\n",
    "a:\n\t- CANARY\n",
    "a: \"\\qCANARY\"\n",
    "sk-CANARY: 1\nsk-CANARY: 2\n",
    "a: ${sk-CANARY}\n",
    "custom_providers:\n  - key_env: CANARY\n  - api_key: ${CANARY}CANARY\n",
];

fn seen(dotenv: &[u8], config: &[u8], dialect: Dialect) -> String {
    let settings = Settings {
        dialect,
        ..Settings::default()
    };
    let mut seen = String::new();
    let loaded = Profile::from_sources(
        ProfileName::new("p1").unwrap(),
        "/h/p1".into(),
        Some((Path::new("/h/p1/.env"), dotenv)),
        Some((Path::new("/h/p1/config.yaml"), config)),
        &settings,
    );
    match loaded {
        Err(error) => {
            write!(seen, "{error} {error:?} {error:#?}").unwrap();
            for problem in error.problems() {
                write!(seen, "{problem} {problem:?}").unwrap();
            }
        }
        Ok(profile) => {
            write!(seen, "{profile:?} {profile:#?}").unwrap();
            for warning in profile.diagnostics() {
                write!(seen, "{warning} {warning:?}").unwrap();
            }
            for (_, entry) in profile.iter() {
                write!(seen, "{entry:?} {}", entry.origin()).unwrap();
            }
        }
    }
    write!(seen, "{:?}", dotenv::parse(dotenv, dialect)).unwrap();
    seen
}

#[test]
fn a_value_is_never_shown() {
    for dialect in [Dialect::Hermes, Dialect::Webui, Dialect::PythonDotenv] {
        for dotenv in DOTENVS {
            let text = dotenv.replace("CANARY", CANARY);
            let seen = seen(text.as_bytes(), b"", dialect);
            assert!(!seen.contains(CANARY), "{dotenv:?} {dialect:?}: {seen}");
        }
        let seen = seen(format!("A={CANARY}\nB=x\u{0}").as_bytes(), b"", dialect);
        assert!(!seen.contains(CANARY));
    }
    for config in CONFIGS {
        let seen = seen(
            b"",
            config.replace("CANARY", CANARY).as_bytes(),
            Dialect::Hermes,
        );
        assert!(!seen.contains(CANARY), "{config:?}: {seen}");
    }
}

#[test]
fn bytes_that_are_no_text_are_not_shown_either() {
    let mut bytes = format!("A={CANARY}").into_bytes();
    bytes.extend(b"\xff\n");
    for dialect in [Dialect::Hermes, Dialect::Webui, Dialect::PythonDotenv] {
        let seen = seen(&bytes, &bytes, dialect);
        assert!(!seen.contains(CANARY), "{seen}");
    }
}
