//! A `.env` file, read.

use std::collections::BTreeMap;
use std::fmt;

use super::check;
use super::places::Places;
use super::reading::Reading;
use super::text::Text;
use crate::profile::diagnostic::Diagnostic;
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
/// The file is read as every dialect reads it, to say where they disagree; for one
/// dialect's values alone there is [`Text`].
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
    let text = Text::decode(bytes);
    let places = Places::new(text.whole());
    let read = |dialect| Reading::new(&text, &places, dialect, outer);
    let readings = Dialect::ALL.map(read);
    let own = &readings[dialect as usize];
    Parsed {
        entries: own.assignments().collect(),
        diagnostics: check::diagnostics(own, &readings),
    }
}
