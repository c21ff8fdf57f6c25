//! Where a value comes from.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The layer that contributed a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Layer {
    /// The process environment as the host found it.
    Base,
    /// The `terminal:` part of a profile's `config.yaml`.
    Config,
    /// A profile's `.env`.
    DotEnv,
    /// The host itself (the home variable).
    Host,
}

/// Layer, file and line of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The layer.
    pub layer: Layer,
    /// The file, where there is one.
    pub file: Option<Arc<Path>>,
    /// The line in that file, counted from 1; 0 where it is not known.
    pub line: u32,
}

impl Origin {
    /// An origin without a file.
    pub fn layer(layer: Layer) -> Self {
        Self {
            layer,
            file: None,
            line: 0,
        }
    }

    /// An origin in a file.
    pub fn file(layer: Layer, file: &Arc<Path>, line: u32) -> Self {
        Self {
            layer,
            file: Some(Arc::clone(file)),
            line,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) if self.line > 0 => write!(f, "{}:{}", file.display(), self.line),
            Some(file) => write!(f, "{}", file.display()),
            None => f.write_str(match self.layer {
                Layer::Base => "the process environment",
                Layer::Config => "config.yaml",
                Layer::DotEnv => ".env",
                Layer::Host => "the host",
            }),
        }
    }
}
