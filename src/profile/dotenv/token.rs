//! Statements to assignments that borrow from the text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::interpolate::interpolate;
use super::scan::{Statement, Statements};
use super::text::Text;
use super::value::decode;
use crate::profile::settings::Dialect;

/// One assignment, borrowed from a [`Text`].
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Token<'t> {
    /// The name as the dialect reads it; any text.
    pub key: &'t str,
    /// The value; `None` for a name without `=` (python-dotenv only).
    pub value: Option<Cow<'t, str>>,
    /// The byte at which it begins, with every line end counted as one byte.
    pub at: usize,
}

/// Names are left out as well: what looks like one may be a piece of a value.
impl fmt::Debug for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token(at {})", self.at)
    }
}

/// The assignments of a [`Text`], in file order; see [`Text::tokens`].
pub struct Tokens<'t> {
    statements: Statements<'t>,
    values: Values<'t>,
}

impl fmt::Debug for Tokens<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}

impl<'t> Tokens<'t> {
    pub(super) fn new(
        text: &'t Text<'_>,
        dialect: Dialect,
        outer: Option<&'t BTreeMap<String, String>>,
    ) -> Self {
        Self {
            statements: Statements::new(text, dialect),
            values: Values::new(text, dialect, outer),
        }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        self.statements
            .find_map(|statement| self.values.take(&statement))
    }
}

/// What statements assign, one after the other.
pub(super) struct Values<'t> {
    dialect: Dialect,
    outer: Option<&'t BTreeMap<String, String>>,
    /// What `${NAME}` may refer to; nothing where there is no such reference.
    known: Option<BTreeMap<&'t str, Option<Cow<'t, str>>>>,
}

impl<'t> Values<'t> {
    pub(super) fn new(
        text: &Text<'_>,
        dialect: Dialect,
        outer: Option<&'t BTreeMap<String, String>>,
    ) -> Self {
        let refers = dialect == Dialect::PythonDotenv && text.whole().contains("${");
        Self {
            dialect,
            outer,
            known: refers.then(BTreeMap::new),
        }
    }

    /// What a statement assigns, if the dialect takes it.
    pub(super) fn take(&mut self, statement: &Statement<'t>) -> Option<Token<'t>> {
        if statement.dropped {
            return None;
        }
        let mut value = match statement.raw {
            Some(raw) => Some(decode(raw, self.dialect)?),
            None => None,
        };
        if let Some(known) = &mut self.known {
            value = value.map(|value| {
                interpolate(value, |name| match known.get(name) {
                    Some(value) => Some(value.as_deref().unwrap_or_default()),
                    None => self.outer?.get(name).map(|value| &**value),
                })
            });
            known.insert(statement.key, value.clone());
        }
        Some(Token {
            key: statement.key,
            value,
            at: statement.at,
        })
    }
}
