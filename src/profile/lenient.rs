//! What the Python web host makes of a profile's two files.
//!
//! It passes over in silence what [`Home::load`](super::Home::load) refuses: a
//! broken `config.yaml` is an empty one, the last of two equal keys counts, an
//! unterminated quote is a value. Kept as a reference to compare with.

use std::collections::BTreeMap;

use super::config::{self, Strictness};
use super::dotenv;
use super::settings::Dialect;
use crate::value::Value;

/// The variables of a profile before the host's filter.
pub fn runtime(dotenv: Option<&[u8]>, config: Option<&[u8]>) -> BTreeMap<String, Value> {
    let config = config.map(|bytes| config::read(bytes, Strictness::Lenient));
    let terminal = config.map(|config| config.terminal).unwrap_or_default();
    let mut values: BTreeMap<String, Value> = terminal
        .into_iter()
        .map(|(name, (text, _))| (name.to_owned(), Value::new(text)))
        .collect();
    let parsed = dotenv::parse(dotenv.unwrap_or_default(), Dialect::Webui);
    for entry in parsed.entries {
        if let Some(value) = entry.value.filter(|_| entry.key != ISOLATED) {
            values.insert(entry.key, value);
        }
    }
    values
}

/// The variables that the host mirrors: [`runtime`] without the names of the
/// shell and without the switch of its isolation.
pub fn filtered(dotenv: Option<&[u8]>, config: Option<&[u8]>) -> BTreeMap<String, Value> {
    let mut values = runtime(dotenv, config);
    values.retain(|name, _| !name.starts_with("XDG_") && !BLOCKED.contains(&&**name));
    values
}

const ISOLATED: &str = "HERMES_WEBUI_ISOLATED_PROFILE";

const BLOCKED: [&str; 11] = [
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
];
