//! The immutable context that a scope installs, and the frame that holds it.
//!
//! 1. A [`Context`] never changes; a new scope makes a new one.
//! 2. It is read from the slot of the current thread and from nowhere else, so
//!    a worker sees its own session's values or none.
//! 3. A worker takes its context when it is spawned (I4): it is a value that is
//!    captured, not something that is looked up later.
//! 4. Contexts of several hosts share a slot; each host sees only its own.
//!
//! Place in the import order: after `session` and `profile`; knows no files.

mod frame;
mod immutable;

pub(crate) use frame::Frame;
pub use immutable::Context;
pub(crate) use immutable::HostId;
