//! A TOML document with places: the one module that knows the TOML crate.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Error, Kind};

/// A file and its text, for places in messages.
pub(super) struct Source<'a> {
    pub(super) file: &'a Path,
    pub(super) text: &'a str,
}

/// A table whose entries are taken out one by one; what is left is unknown.
pub(super) struct Table<'s, 'd> {
    source: &'s Source<'d>,
    entries: Vec<(Spanned<String>, Spanned<DeValue<'d>>)>,
    at: usize,
}

/// A text and where it stands.
pub(super) struct Text {
    pub(super) text: String,
    pub(super) at: usize,
}

impl Source<'_> {
    pub(super) fn error(&self, at: usize, message: impl Into<String>) -> Error {
        // Places come from the parser, so they lie between characters.
        let before = self.text.get(..at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        Error::new(Kind::Usage, message).at(self.file, line as u32, column as u32)
    }
}

impl<'s, 'd> Table<'s, 'd> {
    pub(super) fn document(source: &'s Source<'d>) -> Result<Self, Error> {
        let document = DeTable::parse(source.text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            // The first line only: the rest of the message quotes the source.
            source.error(at, error.message().lines().next().unwrap_or("is not TOML"))
        })?;
        Ok(Self::new(source, document.into_inner(), 0))
    }

    fn new(source: &'s Source<'d>, table: DeTable<'d>, at: usize) -> Self {
        let mut entries: Vec<_> = table
            .into_iter()
            .map(|(key, value)| {
                let span = key.span();
                (Spanned::new(span, key.into_inner().into_owned()), value)
            })
            .collect();
        entries.sort_by(|a, b| a.0.get_ref().cmp(b.0.get_ref()));
        Self {
            source,
            entries,
            at,
        }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    fn take(&mut self, name: &str) -> Option<Spanned<DeValue<'d>>> {
        let at = self
            .entries
            .iter()
            .position(|(key, _)| key.get_ref() == name)?;
        Some(self.entries.remove(at).1)
    }

    /// A text, if it is there.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<Text>, Error> {
        self.take(name)
            .map(|value| text(self.source, value))
            .transpose()
    }

    /// A list of texts; empty where it is not there.
    pub(super) fn texts(&mut self, name: &str) -> Result<Vec<Text>, Error> {
        self.take(name)
            .map_or(Ok(Vec::new()), |value| texts(self.source, value))
    }

    /// A table; empty where it is not there.
    pub(super) fn table(&mut self, name: &str) -> Result<Table<'s, 'd>, Error> {
        match self.take(name) {
            None => Ok(Self {
                source: self.source,
                entries: Vec::new(),
                at: self.at,
            }),
            Some(value) => sub_table(self.source, value),
        }
    }

    /// All entries as texts.
    pub(super) fn into_texts(self) -> Result<Vec<(Text, Text)>, Error> {
        let source = self.source;
        self.entries
            .into_iter()
            .map(|(key, value)| Ok((name(key), text(source, value)?)))
            .collect()
    }

    /// All entries as lists of texts.
    pub(super) fn into_lists(self) -> Result<Vec<(Text, Vec<Text>)>, Error> {
        let source = self.source;
        self.entries
            .into_iter()
            .map(|(key, value)| Ok((name(key), texts(source, value)?)))
            .collect()
    }

    /// All entries as tables.
    pub(super) fn into_tables(self) -> Result<Vec<(Text, Table<'s, 'd>)>, Error> {
        let source = self.source;
        self.entries
            .into_iter()
            .map(|(key, value)| Ok((name(key), sub_table(source, value)?)))
            .collect()
    }

    /// Refuses what was not taken.
    pub(super) fn end(self, what: &str, known: &str) -> Result<(), Error> {
        match self.entries.first() {
            None => Ok(()),
            Some((key, _)) => {
                let message = format!(
                    "unknown key `{}` in {what}; known are {known}",
                    key.get_ref()
                );
                Err(self.source.error(key.span().start, message))
            }
        }
    }
}

fn name(key: Spanned<String>) -> Text {
    Text {
        at: key.span().start,
        text: key.into_inner(),
    }
}

fn text(source: &Source<'_>, value: Spanned<DeValue<'_>>) -> Result<Text, Error> {
    let at = value.span().start;
    match value.into_inner() {
        DeValue::String(text) => Ok(Text {
            text: text.into_owned(),
            at,
        }),
        other => Err(source.error(
            at,
            format!("a text is wanted here, not {}", other.type_str()),
        )),
    }
}

fn texts(source: &Source<'_>, value: Spanned<DeValue<'_>>) -> Result<Vec<Text>, Error> {
    let at = value.span().start;
    match value.into_inner() {
        DeValue::Array(items) => items.into_iter().map(|item| text(source, item)).collect(),
        other => {
            let message =
                format!("a list of texts is wanted here, not {}", other.type_str());
            Err(source.error(at, message))
        }
    }
}

fn sub_table<'s, 'd>(
    source: &'s Source<'d>,
    value: Spanned<DeValue<'d>>,
) -> Result<Table<'s, 'd>, Error> {
    let at = value.span().start;
    match value.into_inner() {
        DeValue::Table(table) => Ok(Table::new(source, table, at)),
        other => Err(source.error(
            at,
            format!("a table is wanted here, not {}", other.type_str()),
        )),
    }
}
