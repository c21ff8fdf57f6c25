//! Which names are session variables.

use std::collections::BTreeSet;
use std::sync::Arc;

/// The session variables of gateway hosts, by the names that existing code uses.
const GATEWAY: [&str; 15] = [
    "HERMES_CRON_AUTO_DELIVER_CHAT_ID",
    "HERMES_CRON_AUTO_DELIVER_PLATFORM",
    "HERMES_CRON_AUTO_DELIVER_THREAD_ID",
    "HERMES_SESSION_CHAT_ID",
    "HERMES_SESSION_CHAT_NAME",
    "HERMES_SESSION_ID",
    "HERMES_SESSION_KEY",
    "HERMES_SESSION_MESSAGE_ID",
    "HERMES_SESSION_PLATFORM",
    "HERMES_SESSION_PROFILE",
    "HERMES_SESSION_SOURCE",
    "HERMES_SESSION_THREAD_ID",
    "HERMES_SESSION_USER_ID",
    "HERMES_SESSION_USER_NAME",
    "HERMES_UI_SESSION_ID",
];

/// The names that a bind covers as a whole.
///
/// Data, not an enum: a host has variables of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog(Arc<BTreeSet<String>>);

impl Catalog {
    /// A catalog of these names and no others.
    pub fn of(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self(Arc::new(names.into_iter().map(Into::into).collect()))
    }

    /// Whether a bind covers this name.
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// The names, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl Default for Catalog {
    /// The variables of gateway hosts.
    fn default() -> Self {
        Self::of(GATEWAY)
    }
}
