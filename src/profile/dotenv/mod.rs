//! `.env` files: one tokenizer, three dialects, and what is wrong with a file.
//!
//! 1. Reading is pure: bytes in, values and diagnostics out. Nothing is written,
//!    and no variable of the process is looked at.
//! 2. The values of a dialect are those of the real reader, byte for byte.
//! 3. A diagnostic names line, column and key, never a value; what only looks
//!    like a key (a line inside an unterminated quote) is not named either.
//! 4. The time is linear in the size of the file, whatever it holds.
//!
//! Place in the import order: after `value`; knows nothing of homes or files.

mod check;
mod interpolate;
mod parsed;
mod places;
mod quote;
mod reading;
mod scan;
mod stream;
mod text;
mod token;
mod value;

pub use parsed::{Assignment, Parsed, parse, parse_in};
pub use text::Text;
pub use token::{Token, Tokens};
