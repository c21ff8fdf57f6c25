//! isolane

pub mod error;
#[cfg(feature = "harness")]
pub mod lanes;
pub mod profile;
pub mod value;

pub use error::{Error, Location};
pub use profile::{
    Diagnostic, Dialect, Entry, Home, Isolation, Profile, ProfileName, Settings, Severity,
    is_credential_name,
};
pub use value::{Event, Key, Layer, Origin, State, Value};
