//! The command: parse arguments, call the library, print.
//!
//! 1. What was asked for goes to standard output, diagnostics to standard error.
//! 2. Exit status: 0 all as expected, 1 something was not, 2 bad input or usage;
//!    with 2 nothing is on standard output.
//! 3. Colour only on a terminal, and never where `NO_COLOR` is set.

mod args;
mod audit;
mod check;
mod explore;
mod print;
mod reading;
mod resolve;

pub(crate) use args::main;
