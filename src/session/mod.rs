//! Session identity as plain data.
//!
//! 1. A [`Session`] is immutable; binding it takes the whole identity.
//! 2. A variable of the catalog that a session does not give is *explicitly
//!    empty*, unless it is inherited or left unset by name.
//! 3. Nothing here knows of threads or files.
//!
//! Place in the import order: after `value`.

mod catalog;
mod identity;

pub use catalog::Catalog;
pub use identity::Session;
