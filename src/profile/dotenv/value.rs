//! What the text after `=` means in each dialect.

use super::quote::{Closing, closing, unescape};
use super::scan::trim;
use super::text::is_blank;
use crate::profile::settings::Dialect;

/// The value of a raw text; `None` where the dialect treats it as absent.
pub(super) fn decode(raw: &[char], dialect: Dialect) -> Option<String> {
    match dialect {
        Dialect::Hermes => Some(unquote(before_comment(raw))),
        Dialect::Webui => Some(without_outer_quotes(raw)).filter(|value| !value.is_empty()),
        Dialect::PythonDotenv => Some(python_value(raw)),
    }
}

/// Cuts a comment: after a closing quote, or after a blank outside quotes.
fn before_comment(raw: &[char]) -> &[char] {
    let rule = match raw.first() {
        Some('"') => Closing::Escaped,
        Some('\'') => Closing::Plain,
        _ => return before_blank_hash(raw),
    };
    let Some(end) = closing(raw, 0, rule) else {
        return raw;
    };
    let rest = trim(raw, end + 1..raw.len());
    if raw[rest].first() == Some(&'#') {
        &raw[..=end]
    } else {
        raw
    }
}

/// Cuts at the first `#` that follows a blank, and the blanks before it.
fn before_blank_hash(raw: &[char]) -> &[char] {
    let cut = (1..raw.len()).find(|&at| raw[at] == '#' && is_blank(raw[at - 1]));
    &raw[trim_end(raw, cut.unwrap_or(raw.len()))]
}

fn trim_end(raw: &[char], end: usize) -> std::ops::Range<usize> {
    let blanks = raw[..end]
        .iter()
        .rev()
        .take_while(|&&c| is_blank(c))
        .count();
    0..end - blanks
}

/// Takes one pair of equal outer quotes off, whatever lies between.
fn unquote(raw: &[char]) -> String {
    match raw {
        ['"', inner @ .., '"'] => unescape(inner, |c| matches!(c, '"' | '\\').then_some(c)),
        ['\'', inner @ .., '\''] => inner.iter().collect(),
        _ => raw.iter().collect(),
    }
}

/// Takes all `"` off both ends, then all `'`.
fn without_outer_quotes(raw: &[char]) -> String {
    let text: String = raw.iter().collect();
    text.trim_matches('"').trim_matches('\'').to_owned()
}

fn python_value(raw: &[char]) -> String {
    match raw {
        ['"', inner @ .., _] => unescape(inner, |c| {
            Some(match c {
                '\\' | '\'' | '"' => c,
                'a' => '\u{7}',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'v' => '\u{b}',
                _ => return None,
            })
        }),
        ['\'', inner @ .., _] => unescape(inner, |c| matches!(c, '\'' | '\\').then_some(c)),
        _ => before_blank_hash(raw).iter().collect(),
    }
}
