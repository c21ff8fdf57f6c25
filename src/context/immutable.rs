//! The context as a value.

use std::fmt;
use std::sync::Arc;

use crate::profile::Profile;
use crate::session::Session;
use crate::sync::{Backend, Installed};

/// Tells the hosts of one process apart.
///
/// The address of a token that every context of the host keeps alive: a context
/// that outlives its host can not come to mean a later one.
#[derive(Debug, Clone, Default)]
pub(crate) struct HostId(Arc<()>);

impl PartialEq for HostId {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What is in force: a session, a profile, both or neither.
///
/// Immutable and cheap to clone. Capture it with [`crate::Host::capture`] where
/// work is created, and run the work in it wherever that happens.
#[derive(Clone, Default)]
pub struct Context(Option<Arc<Node>>);

struct Node {
    host: HostId,
    session: Option<Arc<Session>>,
    profile: Option<Arc<Profile>>,
    /// The nearest context below that belongs to another host.
    other: Context,
}

impl Context {
    /// What is in force on this thread.
    #[inline]
    pub(crate) fn current<B: Backend>() -> Self {
        B::with_slot(|slot| {
            slot.current(|installed| match installed {
                Some(installed) => Self::from_installed(installed),
                None => Self(None),
            })
        })
    }

    fn from_installed(installed: &Installed) -> Self {
        Self(Arc::clone(installed).downcast::<Node>().ok())
    }

    /// The form that goes into a slot; `None` for the context that holds nothing.
    pub(crate) fn installed(&self) -> Option<Installed> {
        self.0.clone().map(|node| node as Installed)
    }

    /// The session that is in force for a host.
    pub(crate) fn session(&self, host: &HostId) -> Option<&Arc<Session>> {
        self.of(host).and_then(|node| node.session.as_ref())
    }

    /// The profile that is in force for a host.
    pub(crate) fn profile(&self, host: &HostId) -> Option<&Arc<Profile>> {
        self.of(host).and_then(|node| node.profile.as_ref())
    }

    /// The same context with another session for this host.
    pub(crate) fn with_session(&self, host: &HostId, session: Arc<Session>) -> Self {
        let profile = self.profile(host).cloned();
        self.with(host, Some(session), profile)
    }

    /// The same context with another profile for this host.
    pub(crate) fn with_profile(&self, host: &HostId, profile: Arc<Profile>) -> Self {
        let session = self.session(host).cloned();
        self.with(host, session, Some(profile))
    }

    fn with(
        &self,
        host: &HostId,
        session: Option<Arc<Session>>,
        profile: Option<Arc<Profile>>,
    ) -> Self {
        // Skipping this host's own older node keeps the chain as long as there
        // are hosts, however deep scopes nest.
        let other = match &self.0 {
            Some(node) if node.host == *host => node.other.clone(),
            _ => self.clone(),
        };
        Self(Some(Arc::new(Node {
            host: host.clone(),
            session,
            profile,
            other,
        })))
    }

    fn of(&self, host: &HostId) -> Option<&Node> {
        let mut context = self;
        while let Some(node) = &context.0 {
            if node.host == *host {
                return Some(node);
            }
            context = &node.other;
        }
        None
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(node) = &self.0 else {
            return f.write_str("Context(nothing)");
        };
        f.debug_struct("Context")
            .field("session", &node.session)
            .field(
                "profile",
                &node.profile.as_ref().map(|profile| profile.name()),
            )
            .finish()
    }
}
