//! The process environment, real and simulated.
//!
//! 1. [`ProcessEnv`] is all that the core knows of it: read one, read all at one
//!    moment, write one.
//! 2. [`OsEnv`] is the real one and the only module of the crate with `unsafe`;
//!    it writes only after an `unsafe` opt-in.
//! 3. [`SimEnv`] is a map whose every operation is one step that names its key.
//!
//! Place in the import order: after `sync`.

mod os;
mod process;
mod sim;

pub use os::OsEnv;
pub use process::ProcessEnv;
pub use sim::SimEnv;
