//! isolane

pub mod error;
pub mod value;

pub use error::{Error, Location};
pub use value::{Event, Key, Layer, Origin, State, Value};
