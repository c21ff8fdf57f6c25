//! Everything that a profile contributes, as plain data.
//!
//! A *profile* is a home directory whose `.env` and `config.yaml` give variables
//! and credentials. This module reads and resolves them; it does not enter them.
//!
//! 1. Pure: nothing here reads or writes the process environment or the working
//!    directory, and no file is ever written.
//! 2. Atomic: a profile with a problem is refused as a whole, with all problems
//!    of its files in one error.
//! 3. Contained: a profile's folder lies inside the home's `profiles`, whatever
//!    its name or a link says.
//! 4. Silent about values: errors, warnings and `Debug` name places and keys.
//!
//! Place in the import order: after `value`, beside `session`; before `context`.

mod config;
mod credentials;
mod denied;
mod diagnostic;
pub mod dotenv;
mod entry;
mod home;
mod launch;
#[cfg(feature = "yaml")]
pub mod lenient;
mod name;
mod redact;
mod resolve;
mod settings;
mod snapshot;

#[cfg(feature = "harness")]
pub(crate) use credentials::is_usable;
pub use credentials::{Auth, Credential, Found, Provider, Providers, is_credential_name};
#[cfg(feature = "harness")]
pub(crate) use diagnostic::is_plain_name;
pub use diagnostic::{Diagnostic, Severity};
pub use entry::Entry;
pub use home::Home;
pub use launch::Launch;
pub use name::ProfileName;
pub use redact::Redactor;
pub use settings::{Dialect, Isolation, Settings};
pub use snapshot::Profile;
