//! isolane

pub mod error;
#[cfg(feature = "harness")]
pub mod lanes;
pub mod value;

mod env;
pub mod profile;
mod session;
pub mod sync;

pub use env::{OsEnv, ProcessEnv, SimEnv};
pub use error::{Error, Location};
pub use profile::{
    Diagnostic, Dialect, Entry, Home, Isolation, Profile, ProfileName, Settings, Severity,
    is_credential_name,
};
pub use session::{Catalog, Session};
pub use value::{Event, Key, Layer, Origin, State, Value};
