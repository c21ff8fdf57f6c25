//! Credentials: which variables hold them, and how one is looked up.
//!
//! Being too generous about names hides a harmless variable from a profile; being
//! too narrow hands it somebody else's key. So a suffix of a name is enough, and
//! the exceptions are named one by one.

mod lookup;
mod names;
mod providers;
mod usable;

pub use lookup::{Credential, Found};
pub use names::is_credential_name;
pub use providers::{Auth, Provider, Providers};
pub(crate) use usable::is_usable;
pub(super) use usable::looks_secret;
