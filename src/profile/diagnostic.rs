//! What is wrong or dangerous in a profile's files.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Error, Kind};

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// Good to know; nothing has to be done.
    Note,
    /// The profile loads; somebody should look.
    Warning,
    /// The profile is refused.
    Error,
}

impl Severity {
    /// The name in reports: `note`, `warning` or `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A problem at a place in a file. It names the key and never holds a value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A short name of the kind of problem, stable across versions.
    pub code: &'static str,
    /// The file; `None` where only bytes were given.
    pub file: Option<Arc<Path>>,
    /// The line, counted from 1; 0 where the whole file is meant.
    pub line: u32,
    /// The column in characters, counted from 1; 0 where the whole line is meant.
    pub column: u32,
    /// The variable or the dotted path, where it is safe to print.
    pub key: Option<String>,
    /// What is wrong, as a lower-case fragment.
    pub message: String,
}

impl Diagnostic {
    pub(crate) fn new(
        severity: Severity,
        code: &'static str,
        (line, column): (u32, u32),
        message: impl Into<String>,
    ) -> Self {
        let message = message.into();
        Self {
            severity,
            code,
            file: None,
            line,
            column,
            key: None,
            message,
        }
    }

    pub(crate) fn key(mut self, key: Option<String>) -> Self {
        self.key = key;
        self
    }

    pub(crate) fn file(mut self, file: &Arc<Path>) -> Self {
        self.file = Some(Arc::clone(file));
        self
    }

    /// Whether the profile is refused because of this.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// A file that can not be read, where that refuses nothing.
    pub(crate) fn unreadable(error: &Error) -> Self {
        let message = error.message();
        let found = Self::new(Severity::Error, "unreadable", (0, 0), message);
        Self {
            file: error.location().map(|at| Arc::from(at.file())),
            ..found
        }
    }

    /// The same problem as an error of the crate.
    pub(crate) fn to_error(&self) -> Error {
        let mut error = Error::new(Kind::Syntax, &self.message);
        if let Some(file) = &self.file {
            error = error.at(file, self.line, self.column);
        }
        match &self.key {
            Some(key) => error.key(key),
            None => error,
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
        }
        if self.line > 0 {
            write!(f, "{}:", self.line)?;
            if self.column > 0 {
                write!(f, "{}:", self.column)?;
            }
        }
        if self.file.is_some() || self.line > 0 {
            f.write_str(" ")?;
        }
        if let Some(key) = &self.key {
            write!(f, "{key}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// A key as a message may show it: a plain variable name, or one of upper-case
/// letters, digits, `_`, `-` and `.`.
///
/// Text that only looks like a key may be a piece of a value (the rest of a
/// secret on a line of its own), so anything more unusual is left out.
pub(crate) fn printable(key: &str) -> Option<String> {
    let key = key.trim_start_matches('\u{feff}');
    let upper = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let odd = |byte: u8| upper(byte) || matches!(byte, b'_' | b'-' | b'.');
    let shown = is_plain_name(key) || key.bytes().all(odd);
    (shown && !key.is_empty() && key.len() <= 64).then(|| key.to_owned())
}

/// Whether a text has no lower-case letter. A secret that somebody put where a name
/// belongs is hardly in capitals, and a name nearly always is.
pub(crate) fn in_capitals(text: &str) -> bool {
    !text.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Whether a name is `[A-Za-z_][A-Za-z0-9_]*`.
pub(crate) fn is_plain_name(name: &str) -> bool {
    name.bytes().enumerate().all(|(at, byte)| {
        byte == b'_' || byte.is_ascii_alphabetic() || (at > 0 && byte.is_ascii_digit())
    }) && !name.is_empty()
}
