//! The profile guard: what happens to the process environment while profiles
//! are in force.
//!
//! The environment shows at every moment *base plus top layer*:
//!
//! 1. The **base** is the process environment as it would be without us.
//! 2. A **layer** is a profile in force; the one that entered last is on top.
//! 3. Entering and leaving recompute every key that the layer below or above
//!    touches. Nothing ever writes back "what I saw when I entered".
//! 4. A key whose value is not what we wrote was written by an outsider: that
//!    value becomes the base, and the write is reported as a conflict.
//! 5. A step that fails is undone before the error returns.
//!
//! Place in the import order: after `context`.

mod mirror;
mod strategy;

pub(crate) use mirror::{LayerId, Mirror};
pub use strategy::Strategy;
