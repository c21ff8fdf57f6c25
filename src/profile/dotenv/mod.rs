//! `.env` files: one tokenizer, three dialects, and what is wrong with a file.
//!
//! 1. Reading is pure: bytes in, values and diagnostics out. Nothing is written,
//!    and no variable of the process is looked at.
//! 2. The values of a dialect are those of the real reader, byte for byte.
//! 3. A diagnostic names line, column and key, never a value; what only looks
//!    like a key (a line inside an unterminated quote) is not named either.
//!
//! Place in the import order: after `value`; knows nothing of homes or files.

mod check;
mod interpolate;
mod parsed;
mod quote;
mod scan;
mod text;
mod value;

pub use parsed::{Assignment, Parsed, parse, parse_in};
