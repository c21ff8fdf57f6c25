//! The invariants and the readers, by the names that reports use.

use std::fmt;

/// What must hold in every interleaving; the numbers are those of DESIGN.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Invariant {
    /// I1: a read inside a profile gives its value, unset or an error.
    OwnOrRefuse,
    /// I2: after the last scope the environment is what it was.
    Restore,
    /// I3: never bound, explicitly empty and set are different.
    ThreeStates,
    /// I4: a worker takes its context when it is spawned.
    CaptureAtSpawn,
    /// I6: outside named profiles no named profile's value is seen.
    Bystander,
    /// I7: what can not be resolved is an error and changes nothing.
    FailClosed,
    /// I8: no deadlock, and no panic that nobody asked for.
    Progress,
}

impl Invariant {
    /// All of them, in the order of their numbers.
    pub const ALL: [Invariant; 7] = [
        Invariant::OwnOrRefuse,
        Invariant::Restore,
        Invariant::ThreeStates,
        Invariant::CaptureAtSpawn,
        Invariant::Bystander,
        Invariant::FailClosed,
        Invariant::Progress,
    ];

    /// The name in reports and scenario files.
    pub fn name(self) -> &'static str {
        match self {
            Invariant::OwnOrRefuse => "own-or-refuse",
            Invariant::Restore => "restore",
            Invariant::ThreeStates => "three-states",
            Invariant::CaptureAtSpawn => "capture-at-spawn",
            Invariant::Bystander => "bystander",
            Invariant::FailClosed => "fail-closed",
            Invariant::Progress => "progress",
        }
    }

    /// The number in DESIGN.md.
    pub fn number(self) -> &'static str {
        match self {
            Invariant::OwnOrRefuse => "I1",
            Invariant::Restore => "I2",
            Invariant::ThreeStates => "I3",
            Invariant::CaptureAtSpawn => "I4",
            Invariant::Bystander => "I6",
            Invariant::FailClosed => "I7",
            Invariant::Progress => "I8",
        }
    }
}

impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Who reads: results are told apart by it, because a strategy's declared limits
/// are about readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reader {
    /// The library's readers.
    Scoped,
    /// Code that reads the process environment itself, inside a scope.
    Legacy,
    /// Code that reads the process environment itself, outside any scope.
    Bystander,
}

impl Reader {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Reader::Scoped => "scoped",
            Reader::Legacy => "legacy",
            Reader::Bystander => "bystander",
        }
    }
}

impl fmt::Display for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
