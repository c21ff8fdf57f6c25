//! A deterministic, exhaustive explorer of interleavings.
//!
//! A *body* is a program of *lanes* that share mutexes, atomics and keyed
//! stores. Every operation on them is a *step*; [`explore`] runs the body under
//! every order of the steps, up to the order of steps that commute.

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
