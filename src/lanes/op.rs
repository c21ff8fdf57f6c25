//! What lanes do to shared objects, and which of these steps commute.

use std::fmt;
use std::panic::Location;

/// A lane: one worker of the program under test.
///
/// The main lane is 0; the others are numbered in the order in which they were
/// spawned in this execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaneId(pub u32);

impl fmt::Display for LaneId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The kind of a visible operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum OpKind {
    /// Takes a mutex; it waits while another lane, or this one, holds it.
    Lock,
    /// Takes a mutex if it is free.
    TryLock,
    /// Gives a mutex back.
    Unlock,
    /// Reads an atomic.
    Load,
    /// Writes an atomic.
    Store,
    /// Reads and writes an atomic in one step.
    Update,
    /// Reads one key of a keyed store.
    Read,
    /// Writes one key of a keyed store.
    Write,
    /// Reads every key of a keyed store.
    ReadAll,
    /// Writes every key of a keyed store.
    WriteAll,
    /// Does nothing; it depends on nothing.
    Yield,
}

impl OpKind {
    fn word(self) -> &'static str {
        match self {
            Self::Lock => "lock",
            Self::TryLock => "try_lock",
            Self::Unlock => "unlock",
            Self::Load => "load",
            Self::Store => "store",
            Self::Update => "update",
            Self::Read => "read",
            Self::Write => "write",
            Self::ReadAll => "read all of",
            Self::WriteAll => "write all of",
            Self::Yield => "yield",
        }
    }

    /// Whether the step leaves its object as it was.
    pub fn is_read(self) -> bool {
        matches!(self, Self::Load | Self::Read | Self::ReadAll | Self::Yield)
    }

    /// Whether the step touches the whole object, not one key of it.
    fn is_whole(self) -> bool {
        !matches!(self, Self::Read | Self::Write)
    }
}

/// What decides whether two operations commute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Core {
    /// The stable number of the object.
    pub(super) object: u64,
    /// The hash of the key; 0 where there is none.
    pub(super) key: u64,
    pub(super) kind: OpKind,
}

/// One visible operation: what a lane does, or is about to do, in one step.
#[derive(Clone, Copy)]
pub struct Op {
    pub(super) core: Core,
    pub(super) name: &'static str,
    pub(super) at: &'static Location<'static>,
    /// Where the run keeps the state of the mutex; unused for other objects.
    pub(super) slot: u32,
}

impl Op {
    /// The operation that touches nothing.
    #[track_caller]
    pub(super) fn nothing() -> Self {
        let at = Location::caller();
        Self {
            core: Core::NOTHING,
            name: "",
            at,
            slot: u32::MAX,
        }
    }

    /// What is done.
    pub fn kind(&self) -> OpKind {
        self.core.kind
    }

    /// The name that the object was given; empty for a yield.
    pub fn object_name(&self) -> &'static str {
        self.name
    }

    /// Which object it is: equal in all executions of one exploration.
    pub fn object_id(&self) -> u64 {
        self.core.object
    }

    /// The hash of the key, where the operation is on one key.
    pub fn key_hash(&self) -> Option<u64> {
        (!self.core.kind.is_whole()).then_some(self.core.key)
    }

    /// The line of the program under test that does it.
    pub fn at(&self) -> &'static Location<'static> {
        self.at
    }

    /// Whether the order of the two matters: they touch the same object (and
    /// key), and one of them writes.
    pub fn depends_on(&self, other: &Self) -> bool {
        self.core.depends_on(&other.core)
    }

    /// Whether it is the same operation, wherever it was written.
    pub fn same_as(&self, other: &Self) -> bool {
        self.core == other.core
    }
}

impl Core {
    /// Touches nothing.
    pub(super) const NOTHING: Self = Self {
        object: u64::MAX,
        key: 0,
        kind: OpKind::Yield,
    };

    /// As [`Op::depends_on`].
    #[inline]
    pub(super) fn depends_on(&self, other: &Self) -> bool {
        self.object == other.object
            && (self.key == other.key || self.kind.is_whole() || other.kind.is_whole())
            && !(self.kind.is_read() && other.kind.is_read())
    }

    /// Writes what is done to the object called `name`.
    fn show(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.kind.word();
        match self.kind {
            OpKind::Yield => f.write_str(word),
            OpKind::Read | OpKind::Write => {
                write!(f, "{word} key {:016x} of {name:?}", self.key)
            }
            _ => write!(f, "{word} {name:?}"),
        }
    }

    /// The same as text.
    pub(super) fn describe(&self, name: &str) -> String {
        struct Shown<'a>(&'a Core, &'a str);
        impl fmt::Display for Shown<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.show(self.1, f)
            }
        }
        Shown(self, name).to_string()
    }

    /// Whether everything earlier that `later` depends on comes before `self`.
    pub(super) fn covers(&self, later: &Self) -> bool {
        !self.kind.is_read()
            && (self.kind.is_whole() || self.key == later.key && !later.kind.is_whole())
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.core.show(self.name, f)
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} at {}:{}", self.at.file(), self.at.line())
    }
}

/// Which part of a keyed store an access touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access<'a> {
    /// Reads one key.
    Read(&'a [u8]),
    /// Writes, or reads and writes, one key.
    Write(&'a [u8]),
    /// Reads every key.
    ReadAll,
    /// Writes every key.
    WriteAll,
}

impl Access<'_> {
    /// The kind of the step and the FNV-1a hash (64 bits) of its key.
    pub(super) fn parts(self) -> (OpKind, u64) {
        match self {
            Self::Read(key) => (OpKind::Read, hash(key)),
            Self::Write(key) => (OpKind::Write, hash(key)),
            Self::ReadAll => (OpKind::ReadAll, 0),
            Self::WriteAll => (OpKind::WriteAll, 0),
        }
    }
}

/// FNV-1a, 64 bits: <http://www.isthe.com/chongo/tech/comp/fnv/>.
fn hash(key: &[u8]) -> u64 {
    key.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// One scheduled step of an execution.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Who does it.
    pub lane: LaneId,
    /// What is done.
    pub op: Op,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "lane {}: {}", self.lane, self.op)
    }
}
