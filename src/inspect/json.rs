//! The parts that the JSON outputs share.

use serde_json::{Value as Json, json};

use crate::profile::{Diagnostic, Entry};
use crate::value::{Key, Layer, Origin, State, Value};

/// An entry without its value.
pub(super) fn entry_json(key: &Key, entry: &Entry) -> Json {
    json!({
        "key": key.to_string(),
        "state": match entry.state() { State::Empty => "empty", _ => "set" },
        "secret": entry.is_secret(),
        "origin": origin_json(entry.origin()),
        "shadows": entry.shadows().iter().map(origin_json).collect::<Vec<_>>(),
    })
}

pub(super) fn origin_json(origin: &Origin) -> Json {
    json!({
        "layer": layer(origin.layer),
        "file": origin.file.as_ref().map(|file| file.to_string_lossy()),
        "line": number(origin.line),
    })
}

/// The name of a layer in JSON.
pub(super) fn layer(layer: Layer) -> &'static str {
    match layer {
        Layer::Base => "base",
        Layer::Config => "config",
        Layer::DotEnv => "dotenv",
        Layer::Host => "host",
    }
}

pub(super) fn diagnostics_json(found: &[Diagnostic]) -> Vec<Json> {
    let one = |found: &Diagnostic| {
        json!({
            "severity": found.severity.as_str(),
            "code": found.code,
            "file": found.file.as_ref().map(|file| file.to_string_lossy()),
            "line": number(found.line),
            "column": number(found.column),
            "key": found.key,
            "message": found.message,
        })
    };
    found.iter().map(one).collect()
}

/// A line or column; 0 is "not known".
pub(super) fn number(number: u32) -> Option<u32> {
    (number > 0).then_some(number)
}

/// A value as text; one that is no UTF-8 as the list of its bytes.
pub(super) fn text_of(value: &Value) -> Json {
    match value.expose().to_str() {
        Some(text) => json!(text),
        None => json!(value.expose().as_encoded_bytes()),
    }
}
