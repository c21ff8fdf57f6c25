//! Quotes: where one closes, and what is inside.

use std::borrow::Cow;

/// Which quote inside a quoted value does not close it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closing {
    /// None: the next quote closes.
    Plain,
    /// One after a backslash, where a backslash also protects a backslash.
    Escaped,
    /// One right after a backslash, unless no other quote is left.
    SparesQuote,
}

/// Whether a text begins with a quote.
pub(super) fn is_quoted(text: &str) -> bool {
    text.starts_with(['"', '\''])
}

/// Where the quote closes that a text begins with.
pub(super) fn closing(text: &str, rule: Closing) -> Option<usize> {
    // All that counts is ASCII, so bytes do.
    let bytes = text.as_bytes();
    let quote = *bytes.first()?;
    let mut at = 1;
    let mut last_escaped = None;
    while let Some(&byte) = bytes.get(at) {
        match rule {
            _ if byte == quote => return Some(at),
            Closing::Escaped if byte == b'\\' => at += 1,
            Closing::SparesQuote if byte == b'\\' && bytes.get(at + 1) == Some(&quote) => {
                at += 1;
                last_escaped = Some(at);
            }
            _ => {}
        }
        at += 1;
    }
    last_escaped
}

/// Takes a backslash away where `replaced` knows the ASCII character after it.
pub(super) fn unescape(inner: &str, replaced: impl Fn(u8) -> Option<char>) -> Cow<'_, str> {
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut value = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        value.push_str(before);
        let known = escape.as_bytes().get(1).copied().and_then(&replaced);
        value.push(known.unwrap_or('\\'));
        rest = &escape[1 + usize::from(known.is_some())..];
    }
    value.push_str(rest);
    Cow::Owned(value)
}
