//! isolane

pub mod error;
#[cfg(feature = "harness")]
pub mod lanes;
pub mod value;

pub use error::{Error, Location};
pub use value::{Event, Key, Layer, Origin, State, Value};
