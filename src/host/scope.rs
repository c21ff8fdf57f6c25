//! A scope in force.

use std::fmt;
use std::sync::Arc;

use super::Host;
use crate::context::{Context, Frame};
use crate::env::ProcessEnv;
use crate::guard::LayerId;
use crate::profile::Profile;
use crate::sync::{Backend, Lock};
use crate::value::Event;

/// A session or a profile in force on this thread, until it is dropped.
///
/// Not `Send`: it ends on the thread it began on. Two scopes that end in the
/// wrong order never restore wrongly: the outer one's end waits for the inner's.
#[must_use = "a scope ends when it is dropped"]
pub struct Scope<E: ProcessEnv> {
    host: Host<E>,
    layer: Option<LayerId>,
    profile: Option<Arc<Profile>>,
    frame: Option<Frame<E::Sync>>,
}

impl<E: ProcessEnv> Scope<E> {
    pub(super) fn new(
        host: &Host<E>,
        context: &Context,
        layer: Option<LayerId>,
        profile: Option<Arc<Profile>>,
    ) -> Self {
        let frame = Some(Frame::install(context));
        Self {
            host: host.clone(),
            layer,
            profile,
            frame,
        }
    }
}

impl<E: ProcessEnv> Drop for Scope<E> {
    /// Takes the layer away first, while the context still says whose scope this
    /// is, and the context last.
    fn drop(&mut self) {
        match &self.profile {
            Some(profile) => {
                E::Sync::emit(|| Event::Exit {
                    profile: profile.name().to_string(),
                });
            }
            None => E::Sync::emit(|| Event::Unbind),
        }
        if let Some(layer) = self.layer {
            self.host.0.mirror.lock().leave(&self.host.0.env, layer);
        }
        self.frame.take();
    }
}

impl<E: ProcessEnv> fmt::Debug for Scope<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field(
                "profile",
                &self.profile.as_ref().map(|profile| profile.name()),
            )
            .field("mirrored", &self.layer.is_some())
            .finish_non_exhaustive()
    }
}
