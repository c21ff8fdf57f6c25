//! What the tests of the `profile` module share.

#![allow(dead_code, reason = "no test binary uses all of it")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "only tests call this"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

/// The rows of a vector file: the fixture, or the file that a variable names.
pub(crate) fn vectors(fixture: &str, variable: &str) -> Vec<Json> {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(fixture);
    #[expect(
        clippy::disallowed_methods,
        reason = "a test may be pointed at another file"
    )]
    let path = std::env::var_os(variable).map_or(fixture, PathBuf::from);
    let rows: Vec<Json> = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert!(!rows.is_empty(), "{} holds no row", path.display());
    rows
}

/// The bytes of a base64 text field; nothing where the field is null.
pub(crate) fn bytes(row: &Json, field: &str) -> Option<Vec<u8>> {
    let text = row[field].as_str()?;
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("not base64: {byte}"),
    };
    let digits: Vec<u8> = text
        .bytes()
        .filter(|&byte| byte != b'=')
        .map(digit)
        .collect();
    let mut decoded = Vec::new();
    for group in digits.chunks(4) {
        let mut bits = [0; 4];
        bits[..group.len()].copy_from_slice(group);
        let [a, b, c, d] = bits;
        let three = [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d];
        decoded.extend(&three[..group.len() - 1]);
    }
    Some(decoded)
}

/// A JSON object of texts as a map.
pub(crate) fn texts(object: &Json) -> BTreeMap<String, Option<String>> {
    let object = object.as_object().unwrap();
    object
        .iter()
        .map(|(key, value)| (key.clone(), value.as_str().map(str::to_owned)))
        .collect()
}

/// The shared sample home, where it is there.
pub(crate) fn public_home() -> Option<PathBuf> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/homes/public");
    let found = Path::new(path).is_dir();
    if !found {
        println!("skipped: no sample home at {path}");
    }
    found.then(|| PathBuf::from(path))
}

/// A home in a temporary directory, from paths and contents.
pub(crate) fn home(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    dir
}
