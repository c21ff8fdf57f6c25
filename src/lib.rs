#![doc = include_str!("../README.md")]
#![warn(clippy::unwrap_used)]

pub mod error;
#[cfg(feature = "harness")]
pub mod lanes;
pub mod value;

mod context;
mod env;
mod guard;
#[cfg(feature = "harness")]
pub mod harness;
mod host;
#[cfg(feature = "harness")]
pub mod inspect;
pub mod profile;
mod session;
pub mod sync;

pub use context::Context;
pub use env::{OsEnv, ProcessEnv, SimEnv};
pub use error::{Error, Location};
pub use guard::Strategy;
pub use host::{Builder, Fallback, Host, Scope};
pub use profile::{
    Diagnostic, Dialect, Entry, Home, Isolation, Profile, ProfileName, Settings, Severity,
    is_credential_name,
};
pub use session::{Catalog, Session};
pub use value::{Event, Key, Layer, Origin, State, Value};
