//! What one dialect sees in a file, and which names of it are safe to show.

use std::collections::BTreeMap;

use super::parsed::Assignment;
use super::places::Places;
use super::quote::{Closing, closing};
use super::scan::{Fault, Statement, Statements};
use super::text::Text;
use super::token::{Token, Values};
use crate::profile::diagnostic::{in_capitals, printable};
use crate::profile::settings::Dialect;
use crate::value::Value;

/// A statement and what it assigns, if the dialect takes it.
pub(super) struct Read<'t> {
    pub(super) statement: Statement<'t>,
    pub(super) token: Option<Token<'t>>,
}

/// One dialect's reading of a file, without the judgement.
pub(super) struct Reading<'t> {
    pub(super) text: &'t Text<'t>,
    pub(super) dialect: Dialect,
    places: &'t Places<'t>,
    /// In file order.
    pub(super) lines: Vec<Read<'t>>,
    /// The first quote that nothing in the rest of the file closes.
    open_quote: Option<usize>,
    /// First and last of the lines after an opening quote, up to the one with its
    /// closing quote, that the dialect takes for lines of their own; ascending.
    inside_quotes: Vec<(u32, u32)>,
}

impl<'t> Reading<'t> {
    pub(super) fn new(
        text: &'t Text<'t>,
        places: &'t Places<'t>,
        dialect: Dialect,
        outer: &'t BTreeMap<String, String>,
    ) -> Self {
        let mut values = Values::new(text, dialect, Some(outer));
        let mut reading = Self {
            text,
            dialect,
            places,
            lines: Statements::new(text, dialect)
                .map(|statement| Read {
                    token: values.take(&statement),
                    statement,
                })
                .collect(),
            open_quote: None,
            inside_quotes: Vec::new(),
        };
        reading.find_quotes();
        reading
    }

    fn find_quotes(&mut self) {
        let whole = self.text.whole();
        for Read { statement, .. } in &self.lines {
            let Some((Fault::Unterminated, open)) = statement.fault else {
                continue;
            };
            let line = self.places.line(open);
            // Every such quote closes the one before it, so this takes linear time.
            match closing(&whole[open..], Closing::SparesQuote) {
                None => self.open_quote = self.open_quote.or(Some(open)),
                Some(_) if within(&self.inside_quotes, line) => {}
                Some(length) => {
                    let last = self.places.line(open + length);
                    if line < last {
                        self.inside_quotes.push((line + 1, last));
                    }
                }
            }
        }
    }

    /// Line and column of a byte, counted from 1.
    pub(super) fn place(&self, at: usize) -> (u32, u32) {
        self.places.place(self.text.begin(self.dialect), at)
    }

    /// The assignments in file order, with duplicates.
    pub(super) fn assignments(&self) -> impl Iterator<Item = Assignment> {
        self.assigned().map(|(statement, token)| {
            let (line, column) = self.place(token.at);
            Assignment {
                key: token.key.to_owned(),
                value: token.value.as_deref().map(Value::new),
                line,
                column,
                printable: self.printable(statement),
                piece: self.is_piece(statement),
            }
        })
    }

    /// What is assigned, with the statement that says it.
    pub(super) fn assigned(&self) -> impl Iterator<Item = (&Statement<'t>, &Token<'t>)> {
        let lines = self.lines.iter();
        lines.filter_map(|read| Some((&read.statement, read.token.as_ref()?)))
    }

    /// Whether a line is in the middle of a quoted value.
    pub(super) fn is_inside_quotes(&self, line: u32) -> bool {
        within(&self.inside_quotes, line)
    }

    /// Whether a statement is in the middle of a quoted value; after a quote that
    /// nothing closes, whether its name could be text of the value.
    fn is_piece(&self, statement: &Statement<'_>) -> bool {
        self.is_inside_quotes(self.places.line(statement.at))
            || self.is_after_open_quote(statement) && !in_capitals(statement.key)
    }

    fn is_after_open_quote(&self, statement: &Statement<'_>) -> bool {
        self.open_quote.is_some_and(|open| open < statement.at)
    }

    /// The name of a statement where it is safe to print.
    ///
    /// A bare word may be a line of an encoded secret, and so may one that is not
    /// in capitals before nothing or a lone `=`, or after a quote that is open.
    pub(super) fn printable(&self, statement: &Statement<'_>) -> Option<String> {
        let raw = statement.raw?;
        let encoded = self.is_after_open_quote(statement) || matches!(raw, "" | "=");
        printable(statement.key).filter(|_| in_capitals(statement.key) || !encoded)
    }
}

/// Whether a line is in one of some spans, which are ascending.
fn within(spans: &[(u32, u32)], line: u32) -> bool {
    let after = spans.partition_point(|&(first, _)| first <= line);
    spans[..after].last().is_some_and(|&(_, last)| line <= last)
}
