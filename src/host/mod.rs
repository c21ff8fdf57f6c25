//! The host: the process-wide object that ties context, guard and readers.
//!
//! 1. A host is a handle; clones share one state.
//! 2. Readers ask the context of the current thread first; what a scope lacks
//!    falls back to the *base*, never to another profile's mirror.
//! 3. The launch root is captured when the host is built and never re-read.
//! 4. Everything a scope changed is undone when it ends, by any route.
//!
//! Place in the import order: after `guard`.

mod builder;
mod core;
mod readers;
mod scope;
mod spawn;

pub use builder::{Builder, Fallback};
pub use core::Host;
pub use scope::Scope;
