//! A `.env` file, read.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::check;
use super::interpolate::interpolate;
use super::quote::{Closing, closing};
use super::scan::{Fault, Statement, statements};
use super::text::Text;
use super::value::decode;
use crate::profile::diagnostic::{Diagnostic, in_capitals, printable};
use crate::profile::settings::Dialect;
use crate::value::Value;

/// One assignment of a `.env` file.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assignment {
    /// The name as the dialect reads it; any text.
    pub key: String,
    /// The value; `None` for a name without `=` (python-dotenv only).
    pub value: Option<Value>,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
    /// The name as a message may show it.
    pub(crate) printable: Option<String>,
    /// What looks like an assignment is a piece of a quoted value that the dialect
    /// does not see the end of.
    pub(crate) piece: bool,
}

/// Names are left out as well: what looks like one may be a piece of a value.
impl fmt::Debug for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Assignment({}:{})", self.line, self.column)
    }
}

/// What a reader makes of a `.env` file, and what is wrong with the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Parsed {
    /// The assignments in file order, with duplicates.
    pub entries: Vec<Assignment>,
    /// Problems in file order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// The values that count: the last assignment of a name wins.
    pub fn values(&self) -> BTreeMap<&str, Option<&Value>> {
        self.entries
            .iter()
            .map(|entry| (&*entry.key, entry.value.as_ref()))
            .collect()
    }

    /// Whether a profile with this file is refused.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Reads a `.env` file as `dialect` does, and says what is wrong with it.
///
/// Nothing outside `bytes` is looked at: under [`Dialect::PythonDotenv`] a
/// `${NAME}` that no earlier line sets is empty. Where a diagnostic is an error
/// the entries are still those of the real, lenient reader.
///
/// # Examples
///
/// ```
/// use isolane::Dialect;
/// use isolane::profile::dotenv;
///
/// let parsed = dotenv::parse(b"TOKEN=abc # mine\n", Dialect::Hermes);
/// assert_eq!(parsed.entries[0].value.as_ref().unwrap().expose(), "abc");
/// assert_eq!(parsed.diagnostics[0].code, "readers-disagree");
/// ```
pub fn parse(bytes: &[u8], dialect: Dialect) -> Parsed {
    parse_in(bytes, dialect, &BTreeMap::new())
}

/// [`parse`], with variables that `${NAME}` may fall back to.
pub fn parse_in(
    bytes: &[u8],
    dialect: Dialect,
    outer: &BTreeMap<String, String>,
) -> Parsed {
    let own = Reading::new(bytes, dialect, outer);
    let diagnostics = check::diagnostics(bytes, dialect, outer, &own);
    Parsed {
        entries: own.entries,
        diagnostics,
    }
}

/// One dialect's reading of a file, without the judgement.
pub(super) struct Reading {
    pub(super) text: Text,
    pub(super) statements: Vec<Statement>,
    pub(super) entries: Vec<Assignment>,
    /// The first quote that nothing in the rest of the file closes.
    open_quote: Option<usize>,
    /// The lines after an opening quote, up to the one with its closing quote,
    /// that the dialect takes for lines of their own.
    pub(super) inside_quotes: BTreeSet<u32>,
}

impl Reading {
    pub(super) fn new(
        bytes: &[u8],
        dialect: Dialect,
        outer: &BTreeMap<String, String>,
    ) -> Self {
        let text = Text::decode(bytes, dialect == Dialect::Hermes);
        let statements = statements(&text, dialect);
        let mut reading = Self {
            text,
            statements,
            entries: Vec::new(),
            open_quote: None,
            inside_quotes: BTreeSet::new(),
        };
        reading.find_quotes();
        reading.take_entries(dialect, outer);
        reading
    }

    fn find_quotes(&mut self) {
        for statement in &self.statements {
            let Some((Fault::Unterminated, open)) = statement.fault else {
                continue;
            };
            let line = self.text.place(open).0;
            match closing(&self.text.chars, open, Closing::SparesQuote) {
                None => self.open_quote = self.open_quote.or(Some(open)),
                Some(_) if self.inside_quotes.contains(&line) => {}
                Some(end) => {
                    let last = self.text.place(end).0;
                    self.inside_quotes.extend(line + 1..=last);
                }
            }
        }
    }

    fn take_entries(&mut self, dialect: Dialect, outer: &BTreeMap<String, String>) {
        let mut known: BTreeMap<String, Option<String>> = BTreeMap::new();
        for statement in self
            .statements
            .iter()
            .filter(|statement| !statement.dropped)
        {
            let key = self.key(statement);
            let value = match &statement.raw {
                None => None,
                Some(raw) => match decode(&self.text.chars[raw.clone()], dialect) {
                    None => continue,
                    Some(value) if dialect == Dialect::PythonDotenv => {
                        Some(interpolate(&value, |name| match known.get(name) {
                            Some(value) => Some(value.clone().unwrap_or_default()),
                            None => outer.get(name).cloned(),
                        }))
                    }
                    value => value,
                },
            };
            let (line, column) = self.text.place(statement.at);
            self.entries.push(Assignment {
                printable: self.printable(statement),
                piece: self.is_piece(statement),
                key: key.clone(),
                value: value.as_ref().map(Value::new),
                line,
                column,
            });
            if dialect == Dialect::PythonDotenv {
                known.insert(key, value);
            }
        }
    }

    /// Whether a statement is in the middle of a quoted value; after a quote that
    /// nothing closes, whether its name could be text of the value.
    fn is_piece(&self, statement: &Statement) -> bool {
        let inside = &self.inside_quotes;
        let line = (!inside.is_empty()).then(|| self.text.place(statement.at).0);
        line.is_some_and(|line| inside.contains(&line))
            || self.open_quote.is_some_and(|open| open < statement.at)
                && !in_capitals(&self.key(statement))
    }

    /// The name of a statement where it is safe to print.
    ///
    /// A bare word may be a line of an encoded secret, and so may one that is not
    /// in capitals before nothing or a lone `=`, or after a quote that is open.
    pub(super) fn printable(&self, statement: &Statement) -> Option<String> {
        let raw = &self.text.chars[statement.raw.clone()?];
        let key = self.key(statement);
        let after_open = self.open_quote.is_some_and(|open| open < statement.at);
        let encoded = after_open || matches!(raw, [] | ['=']);
        printable(&key).filter(|_| in_capitals(&key) || !encoded)
    }

    pub(super) fn key(&self, statement: &Statement) -> String {
        self.text.chars[statement.key.clone()].iter().collect()
    }
}
