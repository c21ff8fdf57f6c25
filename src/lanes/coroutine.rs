//! Stackful coroutines with pooled stacks; the only unsafe code of the engine.
//!
//! Rules:
//!
//! 1. A coroutine is resumed and suspended on one OS thread; it never moves.
//! 2. `YIELDER` is the yielder of the coroutine that is running right now, or
//!    null outside every coroutine. `resume` restores it for its caller and
//!    `suspend` restores it for itself, so nested resumes keep it true.
//! 3. A coroutine that must be given up is abandoned, never unwound.
#![expect(
    unsafe_code,
    reason = "the yielder of the running coroutine lives on its own stack"
)]

use std::cell::Cell;
use std::fmt;
use std::ptr;

use corosensei::stack::DefaultStack;
use corosensei::{CoroutineResult, Yielder};

/// Bytes of each stack; mapped at once, committed page by page when touched.
const STACK_BYTES: usize = 1 << 20;

thread_local! {
    static YIELDER: Cell<*const Yielder<(), ()>> = const { Cell::new(ptr::null()) };
}

type Raw = corosensei::Coroutine<(), (), (), DefaultStack>;

/// Stacks that no coroutine uses at the moment.
#[derive(Default)]
pub(super) struct Pool(Vec<Stack>);

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pool").field(&self.0.len()).finish()
    }
}

impl Pool {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// A stack, reused when there is one.
    ///
    /// # Panics
    ///
    /// When the system has no memory left to map.
    pub(super) fn take(&mut self) -> Stack {
        self.0.pop().unwrap_or_else(|| Stack {
            stack: DefaultStack::new(STACK_BYTES)
                .expect("no memory for the stack of a lane"),
            shell: Box::new(None),
        })
    }

    pub(super) fn give(&mut self, stack: Stack) {
        self.0.push(stack);
    }
}

/// One stack, on its way between the pool and a coroutine, with the box that
/// coroutines on it live in.
pub(super) struct Stack {
    stack: DefaultStack,
    shell: Box<Option<Raw>>,
}

/// A function that can be suspended in the middle.
pub(super) struct Coroutine(Box<Option<Raw>>);

impl fmt::Debug for Coroutine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = self.0.as_ref().as_ref().is_none_or(Raw::done);
        f.debug_struct("Coroutine").field("done", &done).finish()
    }
}

impl Coroutine {
    /// `body` starts at the first `resume`; it must not unwind.
    pub(super) fn new(stack: Stack, body: impl FnOnce() + 'static) -> Self {
        let Stack { stack, mut shell } = stack;
        *shell = Some(Raw::with_stack(stack, move |yielder, ()| {
            YIELDER.set(yielder);
            body();
        }));
        Self(shell)
    }

    /// Runs until the next `suspend` (false) or the end (true).
    pub(super) fn resume(&mut self) -> bool {
        let Some(raw) = self.0.as_mut() else {
            return true;
        };
        let outer = YIELDER.get();
        let result = raw.resume(());
        YIELDER.set(outer);
        matches!(result, CoroutineResult::Return(()))
    }

    /// The stack, once `resume` has said that the coroutine has ended.
    pub(super) fn into_stack(mut self) -> Option<Stack> {
        let stack = self.0.take()?.into_stack();
        Some(Stack {
            stack,
            shell: self.0,
        })
    }

    /// Gives a suspended coroutine up: what lives on its stack is leaked.
    pub(super) fn abandon(mut self) -> Option<Stack> {
        if let Some(raw) = self.0.as_mut() {
            // SAFETY: forgetting the frames is sound as long as nothing outside
            // the stack still points into it. The closures of lanes are
            // `'static`, so what a lane shares with other lanes it owns through
            // reference counts, which are leaked and stay valid; the engine
            // itself keeps no reference into the stack of a suspended lane other
            // than the yielder, and `YIELDER` is not this one, because this
            // coroutine is not running.
            unsafe { raw.force_reset() };
        }
        self.into_stack()
    }
}

/// Suspends the running coroutine until somebody resumes it.
///
/// # Panics
///
/// When no coroutine is running.
pub(super) fn suspend() {
    let yielder = YIELDER.get();
    assert!(!yielder.is_null(), "only a lane can be suspended");
    // SAFETY: by rule 2 the pointer is the yielder of the coroutine that runs
    // this very call. The yielder lives in the first frame of its stack, below
    // the frame of this function, so it outlives this call; it is only ever
    // used through shared references.
    unsafe { (*yielder).suspend(()) };
    YIELDER.set(yielder);
}
