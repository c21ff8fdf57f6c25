//! Installing a context on the current thread.

use std::marker::PhantomData;

use super::Context;
use crate::sync::{Backend, FrameId};

/// A context in force on this thread until the frame is dropped.
///
/// It can not move to another thread: the slot that it will take its context out
/// of is this thread's. Dropping runs no code that can panic apart from the
/// destructors of what the context held.
#[derive(Debug)]
pub(crate) struct Frame<B: Backend> {
    id: Option<FrameId>,
    not_send: PhantomData<(*const (), B)>,
}

impl<B: Backend> Frame<B> {
    /// Puts a context in force. The empty context installs nothing.
    #[inline]
    pub(crate) fn install(context: &Context) -> Self {
        let id = context
            .installed()
            .map(|installed| B::with_slot(|slot| slot.push(installed)));
        Self {
            id,
            not_send: PhantomData,
        }
    }
}

impl<B: Backend> Drop for Frame<B> {
    #[inline]
    fn drop(&mut self) {
        if let Some(id) = self.id {
            B::with_slot(|slot| slot.end(id));
        }
    }
}
