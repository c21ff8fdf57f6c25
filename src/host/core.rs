//! The handle and what its clones share.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Builder, Fallback, Scope};
use crate::context::{Context, HostId};
use crate::env::{OsEnv, ProcessEnv};
use crate::error::{Error, Kind};
use crate::guard::{Mirror, Strategy};
use crate::profile::{Profile, Providers};
use crate::session::{Catalog, Session};
use crate::sync::{Backend, Flag, Lock};
use crate::value::{Event, Key, State};

/// The process-wide object that sessions and profiles are entered on.
///
/// A handle: clones share one state and cost one reference count. `Send` and
/// `Sync`. `E` is the process environment, [`OsEnv`] in production.
///
/// # Examples
///
/// ```
/// use isolane::{Host, OsEnv, Session, State, Value};
///
/// let host = Host::builder(OsEnv::read_only()).build()?;
/// let scope = host.bind(Session::new().set("HERMES_SESSION_CHAT_ID", "c1"));
/// assert_eq!(host.session_var("HERMES_SESSION_CHAT_ID"), State::Set(Value::new("c1")));
/// drop(scope);
/// assert_eq!(host.session_var("HERMES_SESSION_CHAT_ID"), State::Unset);
/// # Ok::<(), isolane::Error>(())
/// ```
pub struct Host<E: ProcessEnv = OsEnv>(pub(super) Arc<Inner<E>>);

pub(super) struct Inner<E: ProcessEnv> {
    pub(super) id: HostId,
    pub(super) env: E,
    pub(super) mirror: <E::Sync as Backend>::Mutex<Mirror>,
    pub(super) engaged: <E::Sync as Backend>::Flag,
    pub(super) strategy: Strategy,
    pub(super) catalog: Catalog,
    pub(super) fallback: Fallback,
    pub(super) root: Option<PathBuf>,
    pub(super) providers: Providers,
}

impl<E: ProcessEnv> Host<E> {
    /// Settings for a host over this process environment.
    pub fn builder(env: E) -> Builder<E> {
        Builder::new(env)
    }

    /// The process environment, as a legacy reader sees it.
    pub fn env(&self) -> &E {
        &self.0.env
    }

    /// Enters a profile with the host's strategy.
    ///
    /// The profile is in force on this thread until the scope is dropped.
    ///
    /// # Errors
    ///
    /// [`Error::is_refused`] where the strategy writes the process environment
    /// and the platform refuses a value. Nothing has changed then.
    pub fn enter(&self, profile: &Arc<Profile>) -> Result<Scope<E>, Error> {
        self.enter_with(self.0.strategy, profile)
    }

    /// Enters a profile with a strategy of this call.
    ///
    /// # Errors
    ///
    /// As [`Host::enter`]; [`Error::is_not_allowed`] where the host was built for
    /// a strategy that never writes the process environment and this one does.
    pub fn enter_with(
        &self,
        strategy: Strategy,
        profile: &Arc<Profile>,
    ) -> Result<Scope<E>, Error> {
        let name = || profile.name().to_string();
        E::Sync::emit(|| Event::Enter { profile: name() });
        let layer = match strategy {
            Strategy::Scoped => None,
            Strategy::Mirrored => match self.put_layer(profile) {
                Ok(layer) => Some(layer),
                Err(error) => {
                    E::Sync::emit(|| Event::Refused { profile: name() });
                    return Err(error);
                }
            },
        };
        let context = self.capture().with_profile(self.id(), Arc::clone(profile));
        Ok(Scope::new(self, &context, layer, Some(Arc::clone(profile))))
    }

    /// Runs `body` inside a profile.
    ///
    /// # Errors
    ///
    /// As [`Host::enter`]; the body has not run then.
    pub fn run<R>(
        &self,
        profile: &Arc<Profile>,
        body: impl FnOnce() -> R,
    ) -> Result<R, Error> {
        let _scope = self.enter(profile)?;
        Ok(body())
    }

    /// Binds a session on this thread until the scope is dropped.
    ///
    /// A bind takes the whole identity: a variable of the host's catalog that the
    /// session does not give is explicitly empty. From the first bind on the host
    /// is *engaged*, which is visible before the values are.
    pub fn bind(&self, session: Session) -> Scope<E> {
        // Before the values: a reader in between sees "engaged and unset", and
        // refuses, rather than "not engaged", and falls back.
        if !self.0.engaged.is_up() {
            self.0.engaged.raise();
        }
        let context = self.capture();
        let outer = context.session(self.id());
        let session = session.complete(&self.0.catalog, outer.map(Arc::as_ref));
        E::Sync::emit(|| Event::Bind {
            variables: session
                .bound()
                .map(|(k, v)| (k.to_owned(), v.to_owned()))
                .collect(),
        });
        let context = context.with_session(self.id(), Arc::new(session));
        Scope::new(self, &context, None, None)
    }

    /// Makes every session variable of the scope in force explicitly empty.
    ///
    /// # Errors
    ///
    /// [`Error::is_not_allowed`] where no session is in force on this thread.
    pub fn clear(&self) -> Result<(), Error> {
        self.replace_session(&State::Empty)?;
        E::Sync::emit(|| Event::Clear);
        Ok(())
    }

    /// Makes every session variable of the scope in force never-bound.
    ///
    /// # Errors
    ///
    /// [`Error::is_not_allowed`] where no session is in force on this thread.
    pub fn reset(&self) -> Result<(), Error> {
        self.replace_session(&State::Unset)?;
        E::Sync::emit(|| Event::Reset);
        Ok(())
    }

    /// Keys that somebody else wrote while we had a value there, and that were
    /// kept as the new base; each is told once.
    pub fn take_conflicts(&self) -> BTreeSet<Key> {
        self.0.mirror.lock().take_conflicts()
    }

    pub(super) fn id(&self) -> &HostId {
        &self.0.id
    }

    fn put_layer(&self, profile: &Arc<Profile>) -> Result<crate::guard::LayerId, Error> {
        if self.0.strategy != Strategy::Mirrored {
            let message = "a mirror needs a host that was built with strategy `mirrored`";
            return Err(Error::new(Kind::NotAllowed, message));
        }
        self.0.mirror.lock().enter(&self.0.env, profile)
    }

    fn replace_session(&self, state: &State<String>) -> Result<(), Error> {
        let context = Context::current::<E::Sync>();
        let Some(session) = context.session(self.id()) else {
            let message = "no session is in force on this thread";
            return Err(Error::new(Kind::NotAllowed, message));
        };
        let session = session.all(&self.0.catalog, state);
        let context = context.with_session(self.id(), Arc::new(session));
        if let Some(installed) = context.installed() {
            E::Sync::with_slot(|slot| slot.replace(installed));
        }
        Ok(())
    }
}

impl<E: ProcessEnv> Clone for Host<E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<E: ProcessEnv> fmt::Debug for Host<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("strategy", &self.0.strategy)
            .field("fallback", &self.0.fallback)
            .field("root", &self.0.root)
            .finish_non_exhaustive()
    }
}
