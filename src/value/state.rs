//! The three states of a variable.

/// What a variable is: never bound, explicitly empty, or set (invariant I3).
///
/// Only [`State::Unset`] may fall back to anything else; an explicitly empty
/// variable reads as empty even where the process environment has a value.
///
/// # Examples
///
/// ```
/// use isolane::State;
///
/// assert_eq!(State::from_text(""), State::Empty);
/// assert_eq!(State::from_text("v").as_ref().set(), Some(&"v".to_owned()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum State<T> {
    /// Never bound.
    #[default]
    Unset,
    /// Bound to nothing, on purpose.
    Empty,
    /// Bound to a value that is not empty.
    Set(T),
}

impl<T> State<T> {
    /// The value, where there is one.
    pub fn set(self) -> Option<T> {
        match self {
            State::Set(value) => Some(value),
            State::Unset | State::Empty => None,
        }
    }

    /// The same state with the value borrowed.
    pub fn as_ref(&self) -> State<&T> {
        match self {
            State::Unset => State::Unset,
            State::Empty => State::Empty,
            State::Set(value) => State::Set(value),
        }
    }

    /// The same state with another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> State<U> {
        match self {
            State::Unset => State::Unset,
            State::Empty => State::Empty,
            State::Set(value) => State::Set(change(value)),
        }
    }
}

impl State<String> {
    /// `Empty` for no text, `Set` for any other.
    pub fn from_text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() {
            State::Empty
        } else {
            State::Set(text)
        }
    }
}

impl State<crate::Value> {
    /// `Unset` for nothing, `Empty` for an empty value, `Set` for any other.
    pub fn from_value(value: Option<crate::Value>) -> Self {
        match value {
            None => State::Unset,
            Some(value) if value.is_empty() => State::Empty,
            Some(value) => State::Set(value),
        }
    }
}
