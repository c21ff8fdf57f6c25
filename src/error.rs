//! The one error type of the crate.
//!
//! It is opaque: one word wide, cheap to clone, with predicates instead of
//! public variants, so that a new kind of failure is not a breaking change.
//! A message names file, line, column and key; it never holds a value, because
//! a value may be a secret (invariant I9).
//!
//! Place in the import order: first; it imports nothing of the crate.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What kind of thing went wrong; callers ask through the `is_` predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A profile or variable name that the rules do not allow.
    BadName,
    /// A home or profile that does not exist or lies outside the root.
    NoHome,
    /// A file that exists and can not be read.
    Unreadable,
    /// A file whose text is not valid.
    Syntax,
    /// The platform would refuse this name or value in an environment.
    Refused,
    /// A secret was read where no scope is in force.
    Unscoped,
    /// A scope ended out of order or on the wrong thread.
    Order,
    /// The host or the call does not allow what was asked.
    NotAllowed,
    /// The command line or a scenario asks for something that does not exist.
    #[cfg_attr(not(feature = "harness"), expect(dead_code, reason = "harness only"))]
    Usage,
    /// The engine found that a run did not repeat, or may not be believed.
    #[cfg_attr(not(feature = "harness"), expect(dead_code, reason = "harness only"))]
    Engine,
}

/// Why an operation of this crate failed.
///
/// Messages are lower-case fragments that fit after "failed to ...: ". They name
/// file, line, column and key, never a value.
///
/// # Examples
///
/// ```
/// let error = isolane::ProfileName::new("../evil").unwrap_err();
/// assert!(error.is_bad_name());
/// ```
#[derive(Clone)]
pub struct Error(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    kind: Kind,
    message: String,
    location: Option<Location>,
    key: Option<String>,
    causes: Vec<Error>,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    file: PathBuf,
    line: u32,
    column: u32,
}

impl Location {
    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The line, counted from 1; 0 where the whole file is meant.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The column in characters, counted from 1; 0 where the whole line is meant.
    pub fn column(&self) -> u32 {
        self.column
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        if self.line > 0 && self.column > 0 {
            write!(f, ":{}", self.column)?;
        }
        Ok(())
    }
}

impl Error {
    #[cold]
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Arc::new(Inner {
            kind,
            message: message.into(),
            location: None,
            key: None,
            causes: Vec::new(),
        }))
    }

    /// Adds the place; `line` and `column` count from 1, 0 means "not known".
    pub(crate) fn at(mut self, file: &Path, line: u32, column: u32) -> Self {
        Arc::make_mut(&mut self.0).location = Some(Location {
            file: file.to_path_buf(),
            line,
            column,
        });
        self
    }

    /// Adds the key that is meant.
    pub(crate) fn key(mut self, key: impl Into<String>) -> Self {
        Arc::make_mut(&mut self.0).key = Some(key.into());
        self
    }

    /// One error for several problems that were found together.
    pub(crate) fn all(kind: Kind, message: impl Into<String>, causes: Vec<Error>) -> Self {
        let mut error = Self::new(kind, message);
        Arc::make_mut(&mut error.0).causes = causes;
        error
    }

    /// One error for several that are alike; each one's problems are its own.
    #[cfg(feature = "harness")]
    pub(crate) fn together(message: impl Into<String>, errors: &[Error]) -> Self {
        let kind = errors.first().map_or(Kind::Syntax, |error| error.0.kind);
        let all = errors.iter().flat_map(Error::problems);
        Self::all(kind, message, all.cloned().collect())
    }

    /// What went wrong, without the place and the variable.
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    /// A name that the rules for profile or variable names do not allow.
    pub fn is_bad_name(&self) -> bool {
        self.0.kind == Kind::BadName
    }

    /// A home or profile that does not exist or lies outside the root.
    pub fn is_no_home(&self) -> bool {
        self.0.kind == Kind::NoHome
    }

    /// A file that exists and can not be read.
    pub fn is_unreadable(&self) -> bool {
        self.0.kind == Kind::Unreadable
    }

    /// A file whose text is not valid; [`Error::problems`] lists all of it.
    pub fn is_syntax(&self) -> bool {
        self.0.kind == Kind::Syntax
    }

    /// A name or value that the platform refuses in an environment.
    pub fn is_refused(&self) -> bool {
        self.0.kind == Kind::Refused
    }

    /// A secret that was read where no scope is in force.
    pub fn is_unscoped(&self) -> bool {
        self.0.kind == Kind::Unscoped
    }

    /// A scope that ended out of order or on the wrong thread.
    pub fn is_out_of_order(&self) -> bool {
        self.0.kind == Kind::Order
    }

    /// Something that the host's settings do not allow.
    pub fn is_not_allowed(&self) -> bool {
        self.0.kind == Kind::NotAllowed
    }

    /// Where it happened, if it happened in a file.
    pub fn location(&self) -> Option<&Location> {
        self.0.location.as_ref()
    }

    /// The variable that is meant, if one is.
    pub fn variable(&self) -> Option<&str> {
        self.0.key.as_deref()
    }

    /// All problems that were found together; just this one where it stands alone.
    pub fn problems(&self) -> Vec<&Error> {
        if self.0.causes.is_empty() {
            vec![self]
        } else {
            self.0.causes.iter().collect()
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = &self.0.location {
            write!(f, "{location}: ")?;
        }
        if let Some(key) = &self.0.key {
            write!(f, "{key}: ")?;
        }
        f.write_str(&self.0.message)?;
        for cause in &self.0.causes {
            write!(f, "\n  {cause}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}: {self})", self.0.kind)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.causes.first().map(|cause| cause as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_word_and_names_place_and_key() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        let error = Error::new(Kind::Syntax, "a closing quote is missing")
            .at(Path::new("/h/.env"), 3, 5)
            .key("TOKEN");
        assert_eq!(
            error.to_string(),
            "/h/.env:3:5: TOKEN: a closing quote is missing"
        );
    }

    #[test]
    fn several_problems_are_listed_together() {
        let one = Error::new(Kind::Syntax, "one").at(Path::new("f"), 1, 0);
        let two = Error::new(Kind::Syntax, "two").at(Path::new("f"), 2, 0);
        let error = Error::all(Kind::Syntax, "2 problems", vec![one, two]);
        assert_eq!(error.problems().len(), 2);
        assert_eq!(error.to_string(), "2 problems\n  f:1: one\n  f:2: two");
    }
}
