//! The tokenizer: characters to statements, under the rules of a dialect.
//!
//! Every statement knows where it is and what a careful reader would object to,
//! so that values and diagnostics come from one scan.

use std::ops::Range;

use super::quote::{Closing, closing};
use super::text::{Text, is_blank, is_inline_blank, is_line_break};
use crate::profile::settings::Dialect;

/// Why a statement is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// A quote that never closes.
    Unterminated,
    /// Text after a closing quote that is no comment.
    AfterQuote,
    /// Nothing before the `=`.
    NoKey,
    /// A line that the dialect drops for another reason.
    Dropped,
}

/// One statement; ranges are positions in [`Text::chars`].
#[derive(Debug, Clone)]
pub(super) struct Statement {
    /// Where the statement begins.
    pub(super) at: usize,
    /// The name; empty where there is none.
    pub(super) key: Range<usize>,
    /// What follows the `=`; `None` without one.
    pub(super) raw: Option<Range<usize>>,
    /// What is wrong and where.
    pub(super) fault: Option<(Fault, usize)>,
    /// The dialect does not take the statement.
    pub(super) dropped: bool,
}

/// All statements of a file.
pub(super) fn statements(text: &Text, dialect: Dialect) -> Vec<Statement> {
    match dialect {
        Dialect::PythonDotenv => Stream {
            chars: &text.chars,
            at: 0,
        }
        .collect(),
        Dialect::Hermes => lines(&text.chars, true),
        Dialect::Webui => lines(&text.chars, false),
    }
}

/// One statement a line; `export` says whether the word may precede the name.
fn lines(chars: &[char], export: bool) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut start = 0;
    for end in 0..=chars.len() {
        if end == chars.len() || is_line_break(chars[end]) {
            found.extend(line(chars, start..end, export));
            start = end + 1;
        }
    }
    found
}

fn line(chars: &[char], span: Range<usize>, export: bool) -> Option<Statement> {
    let mut span = trim(chars, span);
    if span.is_empty() || chars[span.start] == '#' {
        return None;
    }
    let at = span.start;
    if export && starts_with(&chars[span.clone()], "export ") {
        span = trim(chars, span.start + "export ".len()..span.end);
    }
    let Some(equals) = chars[span.clone()].iter().position(|&c| c == '=') else {
        return Some(Statement {
            at,
            key: span,
            raw: None,
            fault: None,
            dropped: true,
        });
    };
    let key = trim(chars, span.start..span.start + equals);
    let raw = trim(chars, span.start + equals + 1..span.end);
    let fault = if key.is_empty() {
        Some((Fault::NoKey, at))
    } else {
        quoting_fault(chars, raw.clone())
    };
    let dropped = key.is_empty();
    Some(Statement {
        at,
        key,
        raw: Some(raw),
        fault,
        dropped,
    })
}

/// What is wrong with the quotes of a value on one line. A backslash before the
/// value's own quote is taken for an escape, whatever the dialect makes of it.
fn quoting_fault(chars: &[char], raw: Range<usize>) -> Option<(Fault, usize)> {
    let quote = *chars[raw.clone()]
        .first()
        .filter(|&&c| c == '"' || c == '\'')?;
    let rule = if quote == '"' {
        Closing::Escaped
    } else {
        Closing::SparesQuote
    };
    let Some(end) = closing(&chars[..raw.end], raw.start, rule) else {
        return Some((Fault::Unterminated, raw.start));
    };
    let rest = trim(chars, end + 1..raw.end);
    let junk = !rest.is_empty() && chars[rest.start] != '#';
    junk.then_some((Fault::AfterQuote, rest.start))
}

/// Cuts blanks off both ends.
pub(super) fn trim(chars: &[char], span: Range<usize>) -> Range<usize> {
    let Range { mut start, mut end } = span;
    while start < end && is_blank(chars[start]) {
        start += 1;
    }
    while start < end && is_blank(chars[end - 1]) {
        end -= 1;
    }
    start..end.max(start)
}

fn starts_with(chars: &[char], word: &str) -> bool {
    let mut rest = chars.iter();
    word.chars().all(|c| rest.next() == Some(&c))
}

/// Statements that may span lines, as python-dotenv reads them.
struct Stream<'t> {
    chars: &'t [char],
    at: usize,
}

impl Iterator for Stream<'_> {
    type Item = Statement;

    fn next(&mut self) -> Option<Statement> {
        loop {
            self.skip(is_blank);
            self.peek()?;
            let at = self.at;
            self.skip_export();
            if self.peek() == Some('#') {
                self.skip(|c| c != '\n');
                continue;
            }
            let statement = self.binding(at);
            if statement.dropped {
                self.skip(|c| c != '\n');
            }
            return Some(statement);
        }
    }
}

impl Stream<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn skip(&mut self, taken: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&taken) {
            self.at += 1;
        }
    }

    fn skip_export(&mut self) {
        let rest = &self.chars[self.at..];
        let blank = rest
            .get("export".len())
            .is_some_and(|&c| is_inline_blank(c));
        if blank && starts_with(rest, "export") {
            self.at += "export".len();
            self.skip(is_inline_blank);
        }
    }

    fn binding(&mut self, at: usize) -> Statement {
        let dropped = |fault, place| Statement {
            at,
            key: at..at,
            raw: None,
            fault: Some((fault, place)),
            dropped: true,
        };
        let Some(key) = self.key() else {
            let fault = if self.peek() == Some('=') {
                Fault::NoKey
            } else {
                Fault::Dropped
            };
            return dropped(fault, self.at);
        };
        self.skip(is_inline_blank);
        let mut raw = None;
        let mut quoted = false;
        if self.peek() == Some('=') {
            self.at += 1;
            self.skip(is_inline_blank);
            let start = self.at;
            quoted = matches!(self.peek(), Some('"' | '\''));
            if !self.value(quoted) {
                return Statement {
                    key,
                    raw: Some(start..start + 1),
                    ..dropped(Fault::Unterminated, start)
                };
            }
            raw = Some(start..self.at);
        }
        self.skip(is_inline_blank);
        if self.peek() == Some('#') {
            self.skip(|c| c != '\n');
        }
        if self.peek().is_some_and(|c| c != '\n') {
            let fault = if quoted {
                Fault::AfterQuote
            } else {
                Fault::Dropped
            };
            return Statement {
                key,
                raw,
                ..dropped(fault, self.at)
            };
        }
        Statement {
            at,
            key,
            raw,
            fault: None,
            dropped: false,
        }
    }

    fn key(&mut self) -> Option<Range<usize>> {
        if self.peek() == Some('\'') {
            let start = self.at + 1;
            let length = self.chars[start..].iter().position(|&c| c == '\'')?;
            self.at = start + length + usize::from(length > 0);
            return (length > 0).then_some(start..start + length);
        }
        let start = self.at;
        self.skip(|c| c != '=' && c != '#' && !is_blank(c));
        (self.at > start).then_some(start..self.at)
    }

    /// Moves over a value; false where its quote never closes.
    fn value(&mut self, quoted: bool) -> bool {
        if !quoted {
            self.skip(|c| c != '\n');
            return true;
        }
        match closing(self.chars, self.at, Closing::SparesQuote) {
            Some(end) => {
                self.at = end + 1;
                true
            }
            None => false,
        }
    }
}
