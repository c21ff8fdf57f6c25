//! What every command that reads a home takes.

use std::path::PathBuf;

use clap::ValueEnum;
use isolane::profile::Settings;
use isolane::{Dialect, Error, Home, Key};

#[derive(Debug, clap::Args)]
pub(super) struct Reading {
    /// The home: a folder with `.env`, `config.yaml` and `profiles/`
    #[arg(long, value_name = "DIR")]
    pub(super) home: PathBuf,
    /// Whose reading of `.env` counts
    #[arg(long, value_enum, default_value_t = Reader::Hermes)]
    dialect: Reader,
    /// A variable that holds the profile's home; the host sets it, no file can
    #[arg(long, value_name = "NAME")]
    home_variable: Option<String>,
}

/// The real programs that read the same files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Reader {
    /// quotes, `\\"` in double quotes, ` # comments`, `export `
    Hermes,
    /// outer quotes cut off, no comments, an empty value is absent
    Webui,
    /// values over several lines, all escapes, `${NAME}` of earlier lines
    PythonDotenv,
}

impl Reading {
    pub(super) fn open(&self) -> Result<Home, Error> {
        Home::open(&self.home)
    }

    pub(super) fn settings(&self) -> Result<Settings, Error> {
        Ok(Settings {
            dialect: match self.dialect {
                Reader::Hermes => Dialect::Hermes,
                Reader::Webui => Dialect::Webui,
                Reader::PythonDotenv => Dialect::PythonDotenv,
            },
            home_variable: self.home_variable.as_ref().map(Key::new).transpose()?,
            ..Settings::default()
        })
    }
}
