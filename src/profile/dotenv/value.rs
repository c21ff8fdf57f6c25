//! What the text after `=` means in each dialect.

use std::borrow::Cow;

use super::quote::{Closing, closing, unescape};
use super::text::is_blank;
use crate::profile::settings::Dialect;

/// The value of a raw text; `None` where the dialect treats it as absent.
pub(super) fn decode(raw: &str, dialect: Dialect) -> Option<Cow<'_, str>> {
    match dialect {
        Dialect::Hermes => Some(unquote(before_comment(raw))),
        Dialect::Webui => {
            let value = raw.trim_matches('"').trim_matches('\'');
            (!value.is_empty()).then_some(Cow::Borrowed(value))
        }
        Dialect::PythonDotenv => Some(python_value(raw)),
    }
}

/// Cuts a comment: after a closing quote, or after a blank outside quotes.
fn before_comment(raw: &str) -> &str {
    let rule = match raw.as_bytes().first() {
        Some(b'"') => Closing::Escaped,
        Some(b'\'') => Closing::Plain,
        _ => return before_blank_hash(raw),
    };
    let Some(end) = closing(raw, rule) else {
        return raw;
    };
    let (value, rest) = raw.split_at(end + 1);
    if rest.trim_start_matches(is_blank).starts_with('#') {
        value
    } else {
        raw
    }
}

/// Cuts at the first `#` that follows a blank, and the blanks before it.
fn before_blank_hash(raw: &str) -> &str {
    let mut hashes = raw.match_indices('#').map(|(at, _)| &raw[..at]);
    let cut = hashes.find(|before| before.ends_with(is_blank));
    cut.unwrap_or(raw).trim_end_matches(is_blank)
}

/// Takes one pair of equal outer quotes off, whatever lies between.
fn unquote(raw: &str) -> Cow<'_, str> {
    if let Some(inner) = inside(raw, '"') {
        return unescape(inner, |c| matches!(c, b'"' | b'\\').then_some(c.into()));
    }
    Cow::Borrowed(inside(raw, '\'').unwrap_or(raw))
}

/// What one pair of outer quotes encloses.
fn inside(raw: &str, quote: char) -> Option<&str> {
    raw.strip_prefix(quote)?.strip_suffix(quote)
}

fn python_value(raw: &str) -> Cow<'_, str> {
    if let Some(inner) = inside(raw, '"') {
        return unescape(inner, |c| {
            Some(match c {
                b'\\' | b'\'' | b'"' => c.into(),
                b'a' => '\u{7}',
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'v' => '\u{b}',
                _ => return None,
            })
        });
    }
    match inside(raw, '\'') {
        Some(inner) => unescape(inner, |c| matches!(c, b'\'' | b'\\').then_some(c.into())),
        None => Cow::Borrowed(before_blank_hash(raw)),
    }
}
