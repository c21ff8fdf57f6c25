//! A deterministic, exhaustive explorer of interleavings.
//!
//! A *body* is a small program of *lanes* that share mutexes, atomics and keyed
//! stores. Every operation on them is a *step*. [`explore`] runs the body under
//! every order of its steps, up to the order of steps that commute, and shows
//! each execution to a visitor.
//!
//! ```
//! use std::collections::BTreeSet;
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicU64 as Observed, Ordering::SeqCst};
//!
//! use isolane::lanes::{AtomicU64, Config, Control, Coverage, explore, spawn};
//!
//! let total = Arc::new(Observed::new(0));
//! let observed = Arc::clone(&total);
//! let body = move || {
//!     let number = Arc::new(AtomicU64::new("number", 0));
//!     let lanes = [1, 2].map(|_| {
//!         let number = Arc::clone(&number);
//!         spawn("worker", move || number.store(number.load() + 1))
//!     });
//!     lanes.map(|lane| lane.join().unwrap());
//!     observed.store(number.load(), SeqCst);
//! };
//! let mut totals = BTreeSet::new();
//! let summary = explore(&Config::default(), body, |_execution| {
//!     totals.insert(total.load(SeqCst));
//!     Control::Continue
//! })?;
//! assert_eq!(summary.coverage, Coverage::Exhaustive);
//! assert_eq!(totals, BTreeSet::from([1, 2])); // one update may be lost
//! # Ok::<(), isolane::lanes::Nondeterminism>(())
//! ```
//!
//! # What is explored
//!
//! Two steps *depend* on each other when they touch the same object (the same
//! key of a keyed store; [`Access::ReadAll`] and [`Access::WriteAll`] touch all
//! keys) and are not both reads. Executions that differ only in the order of
//! independent steps form a *class*: they compute the same. [`explore`] runs
//! exactly one execution of each class (optimal partial-order reduction; see
//! `search_optimal`); [`explore_by_sleep_sets`] is an older and simpler search
//! that finds the same classes, kept to check the first.
//!
//! `lock` can only go on while the mutex is free. Spawning and joining are no
//! steps: a new lane runs at once up to its first step, and a join goes on as
//! soon as its lane has ended; neither could make a difference later.
//!
//! An execution ends when all lanes have ended, when none can go on
//! ([`End::Deadlock`]; lanes that are not part of a cycle run on until then, so
//! that what they do is part of the class), or at [`Config::max_steps`]
//! ([`End::StepLimit`]).
//!
//! # What a body must keep to
//!
//! 1. All that lanes share goes through the types of this module, is never
//!    changed while it is shared, or is only looked at by the visitor.
//! 2. It does the same whenever the choices are the same: no clocks, no random
//!    numbers, no hash maps in their random order, no state that survives an
//!    execution. The engine compares every operation with what it has seen at
//!    the same place before, and reports a [`Nondeterminism`].
//! 3. Objects are made in the body, or outside of every execution; then they
//!    keep their contents from one execution to the next.
//!
//! # Panics
//!
//! A panic ends its lane: [`JoinHandle::join`] gives the payload, the execution
//! lists the message, nothing is printed. Guards give their mutexes back while
//! the lane unwinds, and drop code may take steps like any other code; other
//! lanes run, panic and unwind meanwhile. `std::thread::panicking` then says yes
//! to all of them, because one OS thread runs all lanes; [`panicking`] is right.
//!
//! # What it does not do
//!
//! - Weak memory: all operations are sequentially consistent. (`loom` knows
//!   more of them.)
//! - Data races on plain memory: between two steps a lane runs alone.
//! - Loops that wait without bound: each turn is a class of its own, so the
//!   search meets a limit and says so. A loop without steps hangs.
//! - Unwinding what is given up: at a deadlock or a limit the remaining lanes are
//!   forgotten, and what they own is leaked.
//! - More than one OS thread: an exploration stays on the thread that called it.
//!   Several explorations may run on several threads.

mod atomic;
pub mod calibration;
mod coroutine;
mod deadlock;
mod explore;
mod history;
mod hook;
mod keyed;
mod lane;
mod mutex;
mod object;
mod op;
mod report;
mod run;
mod runtime;
mod schedule;
mod search;
mod search_optimal;
mod search_sleep;
mod trail;
mod wakeup;

pub use atomic::{AtomicBool, AtomicU64};
pub use explore::{explore, explore_by_sleep_sets, replay};
pub use keyed::Keyed;
pub use lane::{
    JoinHandle, current, current_name, in_execution, is_replaying, panicking, spawn,
    step_index, with_local, yield_now,
};
pub use mutex::{Mutex, MutexGuard};
pub use op::{Access, LaneId, Op, OpKind, Step};
pub use report::{
    Config, Control, Coverage, Deadlock, End, Execution, Nondeterminism, Summary, Wait,
};
