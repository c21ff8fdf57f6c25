//! Carrying a context to another worker.

use super::Host;
use crate::context::{Context, Frame};
use crate::env::ProcessEnv;
use crate::sync::Backend;

/// The handle of a worker that a host spawned.
type Handle<E, T> = <<E as ProcessEnv>::Sync as Backend>::Join<T>;

impl<E: ProcessEnv> Host<E> {
    /// What is in force on this thread, as a value.
    pub fn capture(&self) -> Context {
        Context::current::<E::Sync>()
    }

    /// Runs `body` with this context in force, on whatever thread this is.
    pub fn run_in<R>(&self, context: &Context, body: impl FnOnce() -> R) -> R {
        let _frame = Frame::<E::Sync>::install(context);
        body()
    }

    /// Starts a worker in the context that is in force here and now.
    ///
    /// The context is taken when `spawn` is called, not when the worker first
    /// runs. It carries values, not the mirror: a legacy reader in the worker
    /// sees the process environment as it is.
    pub fn spawn<T: Send + 'static>(
        &self,
        name: &str,
        body: impl FnOnce() -> T + Send + 'static,
    ) -> Handle<E, T> {
        self.spawn_in(&self.capture(), name, body)
    }

    /// Starts a worker with nothing in force: for a dispatcher that creates work
    /// for another session.
    pub fn spawn_fresh<T: Send + 'static>(
        &self,
        name: &str,
        body: impl FnOnce() -> T + Send + 'static,
    ) -> Handle<E, T> {
        E::Sync::spawn(name, body)
    }

    /// Starts a worker in a context that was captured earlier.
    pub fn spawn_in<T: Send + 'static>(
        &self,
        context: &Context,
        name: &str,
        body: impl FnOnce() -> T + Send + 'static,
    ) -> Handle<E, T> {
        let context = context.clone();
        E::Sync::spawn(name, move || {
            let _frame = Frame::<E::Sync>::install(&context);
            body()
        })
    }
}
