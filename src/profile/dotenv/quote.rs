//! Quotes: where one closes, and what is inside.

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

/// Where the quote that opens at `open` closes.
pub(super) fn closing(chars: &[char], open: usize, rule: Closing) -> Option<usize> {
    let quote = chars[open];
    let mut at = open + 1;
    let mut last_escaped = None;
    while let Some(&c) = chars.get(at) {
        let next = chars.get(at + 1);
        match rule {
            _ if c == quote => return Some(at),
            Closing::Escaped if c == '\\' => at += 1,
            Closing::SparesQuote if c == '\\' && next == Some(&quote) => {
                at += 1;
                last_escaped = Some(at);
            }
            _ => {}
        }
        at += 1;
    }
    last_escaped
}

/// Takes a backslash away where `replaced` knows the character after it.
pub(super) fn unescape(inner: &[char], replaced: impl Fn(char) -> Option<char>) -> String {
    let mut value = String::new();
    let mut rest = inner.iter().copied().peekable();
    while let Some(c) = rest.next() {
        let escaped = rest
            .peek()
            .copied()
            .filter(|_| c == '\\')
            .and_then(&replaced);
        value.push(escaped.unwrap_or(c));
        if escaped.is_some() {
            rest.next();
        }
    }
    value
}
