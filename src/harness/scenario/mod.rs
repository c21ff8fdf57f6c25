//! Scenario files: a small world and the workers that share it.
//!
//! 1. A [`Scenario`] is complete before anything runs: profiles are resolved,
//!    steps are parsed, every name that a step uses exists.
//! 2. Anything unknown is an error with file, line and column.
//!
//! The format is described in CONTRIBUTING.md.

mod model;
mod parse;
mod step;
mod table;

pub use model::{Expect, Reach, Scenario, Worker};
pub(super) use step::shown;
pub use step::{Answer, Op, Step, Thread};
