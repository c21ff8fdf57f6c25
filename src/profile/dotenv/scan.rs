//! The tokenizer: text to statements, under the rules of a dialect.
//!
//! Every statement knows where it is and what a careful reader would object to,
//! so that values and diagnostics come from one scan.

use super::quote::{Closing, closing, is_quoted};
use super::stream::Stream;
use super::text::{Text, is_blank, is_line_break};
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

/// One statement; places are bytes of the whole text.
#[derive(Clone, Copy)]
pub(super) struct Statement<'t> {
    /// Where the statement begins.
    pub(super) at: usize,
    /// The name; empty where there is none.
    pub(super) key: &'t str,
    /// What follows the `=`; `None` without one.
    pub(super) raw: Option<&'t str>,
    /// What is wrong and where.
    pub(super) fault: Option<(Fault, usize)>,
    /// The dialect does not take the statement.
    pub(super) dropped: bool,
}

/// The statements of a file, in file order.
pub(super) enum Statements<'t> {
    Lines(Lines<'t>),
    Stream(Stream<'t>),
}

impl<'t> Statements<'t> {
    pub(super) fn new(text: &'t Text<'_>, dialect: Dialect) -> Self {
        let at = text.begin(dialect);
        let text = if text.is_utf8 { text.whole() } else { "" };
        match dialect {
            Dialect::PythonDotenv => Self::Stream(Stream { text, at }),
            Dialect::Hermes | Dialect::Webui => Self::Lines(Lines {
                rest: text.get(at..).unwrap_or_default(),
                at,
                export: dialect == Dialect::Hermes,
            }),
        }
    }
}

impl<'t> Iterator for Statements<'t> {
    type Item = Statement<'t>;

    fn next(&mut self) -> Option<Statement<'t>> {
        match self {
            Self::Lines(lines) => lines.next(),
            Self::Stream(stream) => stream.next(),
        }
    }
}

/// At most one statement a line.
pub(super) struct Lines<'t> {
    rest: &'t str,
    /// Where the rest begins.
    at: usize,
    /// Whether the word `export` may precede the name.
    export: bool,
}

impl<'t> Iterator for Lines<'t> {
    type Item = Statement<'t>;

    fn next(&mut self) -> Option<Statement<'t>> {
        while !self.rest.is_empty() {
            let (line, rest) = split_line(self.rest);
            let at = self.at;
            self.at += self.rest.len() - rest.len();
            self.rest = rest;
            if let Some(statement) = statement(line, at, self.export) {
                return Some(statement);
            }
        }
        None
    }
}

/// The first line of a text without its end, and the lines after it.
fn split_line(text: &str) -> (&str, &str) {
    let mut at = 0;
    while let Some(found) = text.as_bytes()[at..]
        .iter()
        .position(|&byte| MAY_BREAK[usize::from(byte)])
    {
        at += found;
        let mut rest = text[at..].chars();
        if rest.next().is_some_and(is_line_break) {
            return (&text[..at], rest.as_str());
        }
        at = text.len() - rest.as_str().len();
    }
    (text, "")
}

/// Which bytes a line break may begin with.
static MAY_BREAK: [bool; 256] = {
    let mut table = [false; 256];
    // U+0085 begins with the byte C2, U+2028 and U+2029 with E2.
    let breaks = [b'\n', 0xb, 0xc, 0x1c, 0x1d, 0x1e, 0xc2, 0xe2];
    let mut at = 0;
    while at < breaks.len() {
        table[breaks[at] as usize] = true;
        at += 1;
    }
    table
};

/// The statement of a line that begins at `at`.
fn statement(line: &str, at: usize, export: bool) -> Option<Statement<'_>> {
    let body = line.trim_start_matches(is_blank);
    let at = at + line.len() - body.len();
    let mut body = body.trim_end_matches(is_blank);
    let end = at + body.len();
    if body.is_empty() || body.starts_with('#') {
        return None;
    }
    if export && let Some(exported) = body.strip_prefix("export ") {
        body = exported.trim_start_matches(is_blank);
    }
    let Some((key, raw)) = body.split_once('=') else {
        return Some(Statement {
            at,
            key: body,
            raw: None,
            fault: None,
            dropped: true,
        });
    };
    let key = key.trim_end_matches(is_blank);
    let raw = raw.trim_start_matches(is_blank);
    let fault = if key.is_empty() {
        Some((Fault::NoKey, at))
    } else {
        quoting_fault(raw, end - raw.len())
    };
    Some(Statement {
        at,
        key,
        raw: Some(raw),
        fault,
        dropped: key.is_empty(),
    })
}

/// What is wrong with the quotes of a value on one line, at `at`. A backslash before
/// the value's own quote is taken for an escape, whatever the dialect makes of it.
fn quoting_fault(raw: &str, at: usize) -> Option<(Fault, usize)> {
    if !is_quoted(raw) {
        return None;
    }
    let rule = if raw.starts_with('"') {
        Closing::Escaped
    } else {
        Closing::SparesQuote
    };
    let Some(end) = closing(raw, rule) else {
        return Some((Fault::Unterminated, at));
    };
    let rest = raw[end + 1..].trim_start_matches(is_blank);
    let junk = !rest.is_empty() && !rest.starts_with('#');
    junk.then_some((Fault::AfterQuote, at + raw.len() - rest.len()))
}
