//! Names, values, three states and origins: plain data that everything shares.
//!
//! 1. A [`Key`] is a name that every platform accepts: not empty, no NUL, no `=`.
//! 2. A [`Value`] is bytes that may be a secret: its `Debug` never shows them.
//! 3. [`State`] keeps *never bound*, *explicitly empty* and *set* apart (I3).
//!
//! Place in the import order: after `error`.

mod event;
mod key;
mod origin;
mod state;
#[expect(
    clippy::module_inception,
    reason = "the type `Value` has a file of its own name"
)]
mod value;

pub use event::Event;
pub use key::Key;
pub use origin::{Layer, Origin};
pub use state::State;
pub use value::Value;
