//! isolane

mod env;
pub mod error;
#[cfg(feature = "harness")]
pub mod lanes;
mod session;
pub mod sync;
pub mod value;

pub use env::{OsEnv, ProcessEnv, SimEnv};
pub use error::{Error, Location};
pub use session::{Catalog, Session};
pub use value::{Event, Key, Layer, Origin, State, Value};
