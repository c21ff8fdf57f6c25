//! Statements that may span lines, as python-dotenv reads them.

use super::quote::{Closing, closing, is_quoted};
use super::scan::{Fault, Statement};
use super::text::{is_blank, is_inline_blank};

pub(super) struct Stream<'t> {
    pub(super) text: &'t str,
    /// Where the next statement is looked for.
    pub(super) at: usize,
}

impl<'t> Iterator for Stream<'t> {
    type Item = Statement<'t>;

    fn next(&mut self) -> Option<Statement<'t>> {
        loop {
            self.skip(is_blank);
            if self.rest().is_empty() {
                return None;
            }
            let at = self.at;
            self.skip_export();
            if self.rest().starts_with('#') {
                self.skip_line();
                continue;
            }
            let statement = self.binding(at);
            if statement.dropped {
                self.skip_line();
            }
            return Some(statement);
        }
    }
}

impl<'t> Stream<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip(&mut self, taken: impl Fn(char) -> bool) {
        self.at = self.text.len() - self.rest().trim_start_matches(taken).len();
    }

    /// Moves to the end of the line.
    fn skip_line(&mut self) {
        self.at += self.rest().find('\n').unwrap_or(self.rest().len());
    }

    fn skip_export(&mut self) {
        let rest = self.rest().strip_prefix("export");
        if let Some(rest) = rest.filter(|rest| rest.starts_with(is_inline_blank)) {
            self.at = self.text.len() - rest.len();
            self.skip(is_inline_blank);
        }
    }

    fn binding(&mut self, at: usize) -> Statement<'t> {
        let dropped = |fault, place| Statement {
            at,
            key: "",
            raw: None,
            fault: Some((fault, place)),
            dropped: true,
        };
        let Some(key) = self.key() else {
            let fault = if self.rest().starts_with('=') {
                Fault::NoKey
            } else {
                Fault::Dropped
            };
            return dropped(fault, self.at);
        };
        self.skip(is_inline_blank);
        let mut raw = None;
        if self.rest().starts_with('=') {
            self.at += 1;
            self.skip(is_inline_blank);
            let Some(value) = self.value() else {
                return Statement {
                    key,
                    raw: Some(&self.rest()[..1]),
                    ..dropped(Fault::Unterminated, self.at)
                };
            };
            raw = Some(value);
        }
        self.skip(is_inline_blank);
        if self.rest().starts_with('#') {
            self.skip_line();
        }
        if !self.rest().is_empty() && !self.rest().starts_with('\n') {
            let fault = if raw.is_some_and(is_quoted) {
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

    fn key(&mut self) -> Option<&'t str> {
        if let Some(quoted) = self.rest().strip_prefix('\'') {
            let length = quoted.find('\'')?;
            self.at += 1 + length + usize::from(length > 0);
            return (length > 0).then(|| &quoted[..length]);
        }
        let rest = self.rest();
        self.skip(|c| c != '=' && c != '#' && !is_blank(c));
        let key = &rest[..rest.len() - self.rest().len()];
        (!key.is_empty()).then_some(key)
    }

    /// Moves over a value; stays where its quote never closes.
    fn value(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        if is_quoted(rest) {
            self.at += closing(rest, Closing::SparesQuote)? + 1;
        } else {
            self.skip_line();
        }
        Some(&rest[..rest.len() - self.rest().len()])
    }
}
