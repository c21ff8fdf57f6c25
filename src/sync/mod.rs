//! The seam: everything in the core that threads can see goes through a
//! [`Backend`], so that the production code itself runs under an engine.
//!
//! 1. [`Backend`] is a trait, not a `cfg`: std, loom and `lanes` live in one build.
//! 2. Only this module names `std::sync` (`Arc` aside), `std::thread` or `loom`.
//! 3. `Std` costs nothing: it is plain std types, and `TRACE` is a false constant.
//! 4. Everything is small and complete: a mutex that ignores poison, one atomic
//!    flag, a keyed cell whose every access is one step, a slot per thread, spawn.
//!
//! Place in the import order: after `error`, `value` and `lanes`.

mod backend;
#[cfg(feature = "harness")]
mod lanes;
#[cfg(feature = "loom")]
mod loom;
#[cfg(any(feature = "harness", feature = "loom"))]
mod record;
mod slot;
mod std;

pub use backend::{Access, Backend, Flag, Join, Keyed, Lock};
#[cfg(feature = "harness")]
pub use lanes::Lanes;
#[cfg(feature = "loom")]
pub use loom::Loom;
#[cfg(any(feature = "harness", feature = "loom"))]
pub use record::{Recorded, Recording};
pub use slot::{FrameId, Installed, Slot};
pub use std::Std;
