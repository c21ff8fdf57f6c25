//! `config.yaml`: the `terminal:` part, provider key names, and single values.
//!
//! 1. YAML is read in one place (`yaml`), into a tree that keeps places and is
//!    bounded in depth and size; without the feature `yaml` the file is ignored
//!    with a warning.
//! 2. Scalars mean what they mean in YAML 1.1 (`yes`, `010`, `12:30:45`), because
//!    the programs that share these files read them so.
//! 3. Problems name line, column and dotted path, never the text.
//!
//! Place in the import order: after `diagnostic`; knows nothing of files.

mod expand;
#[cfg(feature = "yaml")]
mod json;
#[cfg(feature = "yaml")]
mod number;
#[cfg(feature = "yaml")]
mod read;
#[cfg(feature = "yaml")]
mod scalar;
mod settings;
#[cfg(feature = "yaml")]
mod terminal;
#[cfg(feature = "yaml")]
mod time;
#[cfg(feature = "yaml")]
mod tree;
#[cfg(feature = "yaml")]
mod yaml;

pub(super) use expand::expand;
#[cfg(feature = "yaml")]
pub(super) use read::read;
#[cfg(not(feature = "yaml"))]
pub(super) use settings::read;
pub(super) use settings::{Config, Strictness};
