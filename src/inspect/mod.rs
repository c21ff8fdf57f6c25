//! What a person sees of a home: resolved environments, and what is dangerous.
//!
//! 1. Pure: a home is read; nothing is written and no process state is touched.
//! 2. No value is shown, save where [`Show`] asks for it; a secret is a stand-in
//!    that is the same for equal values within one output.
//! 3. The same input gives the same bytes.
//!
//! Place in the import order: after `profile`, beside `harness`.

mod advice;
mod audit;
mod audit_text;
mod compare;
mod explain;
mod files;
mod json;
mod resolved;
mod shell;
mod table;

pub use audit::{Audit, Finding, Summary, audit};
pub use explain::Explained;
pub use resolved::{Resolved, Show};
pub use shell::Shell;
