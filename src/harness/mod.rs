//! The harness: scenarios, strategies and invariants over any engine.
//!
//! It runs the *production* core on a simulated process environment under every
//! interleaving of a scenario's workers and says which invariant breaks.
//!
//! 1. What a reader must give is computed by one small reference model that
//!    knows nothing of the core (`reference`).
//! 2. A verdict says how far it looked; nothing that was cut off is a "holds".
//! 3. No value of a real home enters an exploration: `check` works on stand-ins.
//!
//! Place in the import order: last before the command.

mod builtin;
mod calibrate;
mod check;
mod check_text;
mod explore;
mod history;
mod invariant;
mod load;
mod reach;
mod reference;
mod report;
mod roles;
mod run;
mod scenario;
mod scheme;
mod trace;
mod verify;

pub use builtin::{builtin_names, builtin_scenarios};
pub use calibrate::{Calibration, self_check, trust_engine};
pub use check::{Checked, check};
pub use check_text::check_text;
pub use explore::{Finding, Options, Outcome, Row, explore};
pub use invariant::{Invariant, Reader};
pub use load::load_scenarios;
pub use report::{Report, to_json, to_text};
pub use scenario::{Answer, Expect, Op, Reach, Scenario, Step, Thread, Worker};
pub use scheme::names as strategies;
pub use trace::{TraceRow, table};
