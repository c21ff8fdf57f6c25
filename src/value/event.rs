//! Domain events: what the core did, in its own words.

use crate::value::{Key, Value};

/// Something that the core did and that a reader of a trace wants to see.
///
/// The core emits events itself, so that the execution of any engine can be
/// printed as the same lane table. In production nothing is built: the seam's
/// `TRACE` constant is false and the call compiles away.
///
/// An event holds values because a trace has to tell them apart; whoever prints
/// one decides how (the harness works on stand-ins for secrets).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A profile scope began.
    Enter {
        /// The profile.
        profile: String,
    },
    /// A profile scope ended.
    Exit {
        /// The profile.
        profile: String,
    },
    /// A profile could not be entered.
    Refused {
        /// The profile.
        profile: String,
    },
    /// Session variables were bound.
    Bind {
        /// Name and value; an empty value is "explicitly empty".
        variables: Vec<(String, String)>,
    },
    /// A session scope ended.
    Unbind,
    /// The session variables of the scope in force were made explicitly empty.
    Clear,
    /// The session variables of the scope in force were made never-bound.
    Reset,
    /// A variable of the process environment was read.
    EnvRead {
        /// Its name.
        key: Key,
        /// What it held.
        value: Option<Value>,
    },
    /// The whole process environment was read at one moment.
    EnvSnapshot,
    /// A variable of the process environment was set or removed.
    EnvWrite {
        /// Its name.
        key: Key,
        /// What it holds now; `None` where it was removed.
        value: Option<Value>,
    },
    /// Somebody outside the library wrote a variable of the process environment.
    OutsideWrite {
        /// Its name.
        key: Key,
        /// What it holds now; `None` where it was removed.
        value: Option<Value>,
    },
    /// A write by somebody else was found and kept.
    Conflict {
        /// The variable.
        key: Key,
    },
    /// A reader of the library gave an answer.
    Read {
        /// Which reader: `get`, `ctx`, `os`, ...
        reader: &'static str,
        /// What was asked for.
        name: String,
        /// What it gave; `None` is unset.
        value: Option<Value>,
    },
}
