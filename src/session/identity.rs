//! One session's variables.

use std::collections::BTreeMap;
use std::fmt;

use super::Catalog;
use crate::value::State;

/// The identity of a session: a state for each of its variables.
///
/// # Examples
///
/// ```
/// use isolane::{Session, State};
///
/// let session = Session::new().set("CHAT", "c1").empty("THREAD");
/// assert_eq!(session.get("CHAT"), State::Set("c1"));
/// assert_eq!(session.get("THREAD"), State::Empty);
/// assert_eq!(session.get("USER"), State::Unset);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Session {
    variables: BTreeMap<String, Bound>,
}

#[derive(Clone, PartialEq, Eq)]
enum Bound {
    Value(State<String>),
    Inherit,
}

impl Session {
    /// A session that gives nothing: every variable of the catalog is
    /// explicitly empty once it is bound.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a variable; an empty text makes it explicitly empty.
    #[must_use]
    pub fn set(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.with(name, Bound::Value(State::from_text(value)))
    }

    /// Makes a variable explicitly empty.
    #[must_use]
    pub fn empty(self, name: impl Into<String>) -> Self {
        self.with(name, Bound::Value(State::Empty))
    }

    /// Leaves a variable never-bound, so that it may fall back.
    #[must_use]
    pub fn unset(self, name: impl Into<String>) -> Self {
        self.with(name, Bound::Value(State::Unset))
    }

    /// Keeps what the enclosing scope has for this variable.
    #[must_use]
    pub fn inherit(self, name: impl Into<String>) -> Self {
        self.with(name, Bound::Inherit)
    }

    /// The state of a variable, as given.
    pub fn get(&self, name: &str) -> State<&str> {
        match self.variables.get(name) {
            Some(Bound::Value(state)) => state.as_ref().map(String::as_str),
            Some(Bound::Inherit) | None => State::Unset,
        }
    }

    /// The variables that have a value or are explicitly empty, in name order;
    /// an empty text stands for the latter.
    pub fn bound(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables
            .iter()
            .filter_map(|(name, bound)| match bound {
                Bound::Value(State::Set(value)) => Some((name.as_str(), value.as_str())),
                Bound::Value(State::Empty) => Some((name.as_str(), "")),
                Bound::Value(State::Unset) | Bound::Inherit => None,
            })
    }

    /// The whole identity: what this session gives, `inherit` taken from `outer`,
    /// and every other name of the catalog explicitly empty.
    pub(crate) fn complete(self, catalog: &Catalog, outer: Option<&Session>) -> Self {
        let mut variables = self.variables;
        for name in catalog.iter() {
            variables
                .entry(name.to_owned())
                .or_insert(Bound::Value(State::Empty));
        }
        for (name, bound) in &mut variables {
            if *bound == Bound::Inherit {
                let outer = outer.map_or(State::Unset, |outer| outer.get(name));
                *bound = Bound::Value(outer.map(str::to_owned));
            }
        }
        Self { variables }
    }

    /// Every variable of the catalog, and of this session, in one state.
    pub(crate) fn all(&self, catalog: &Catalog, state: &State<String>) -> Self {
        let names = catalog
            .iter()
            .chain(self.variables.keys().map(String::as_str));
        let variables = names
            .map(|name| (name.to_owned(), Bound::Value(state.clone())))
            .collect();
        Self { variables }
    }

    fn with(mut self, name: impl Into<String>, bound: Bound) -> Self {
        self.variables.insert(name.into(), bound);
        self
    }
}

impl fmt::Debug for Session {
    /// Names and states, no values: a user's name or chat is nobody's business.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = self.variables.iter().map(|(name, bound)| {
            let state = match bound {
                Bound::Value(State::Unset) => "unset",
                Bound::Value(State::Empty) => "empty",
                Bound::Value(State::Set(_)) => "set",
                Bound::Inherit => "inherit",
            };
            (name, state)
        });
        f.debug_map().entries(states).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bind_takes_the_whole_identity() {
        let catalog = Catalog::of(["A", "B", "C", "D"]);
        let outer = Session::new().set("C", "outer");
        let session = Session::new().set("A", "a").unset("B").inherit("C");
        let session = session.complete(&catalog, Some(&outer));
        let states = ["A", "B", "C", "D"].map(|name| session.get(name));
        assert_eq!(
            states,
            [
                State::Set("a"),
                State::Unset,
                State::Set("outer"),
                State::Empty
            ]
        );
    }

    #[test]
    fn debug_shows_no_value() {
        let session = Session::new().set("USER", "c4n4ry").empty("CHAT");
        assert_eq!(
            format!("{session:?}"),
            r#"{"CHAT": "empty", "USER": "set"}"#
        );
    }
}
