//! `isolane audit`.

use clap::ValueEnum;
use isolane::{Error, Severity, inspect};

use super::args::Format;
use super::print;
use super::reading::Reading;

#[derive(Debug, clap::Args)]
#[command(after_help = "No value is printed. Nothing is written.\n\n\
                  Examples:\n  isolane audit --home ~/.hermes\n  \
                  isolane audit --home ~/.hermes --fail-on warning --format json\n\n\
                  Exit status: 0 nothing as bad as --fail-on; 1 a finding that is; 2 bad input.")]
pub(super) struct Audit {
    #[command(flatten)]
    reading: Reading,
    /// End with status 1 where a finding is this bad or worse
    #[arg(long, value_enum, default_value_t = FailOn::Error)]
    fail_on: FailOn,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Note,
    Warning,
    Error,
}

impl Audit {
    /// Gives whether nothing as bad as asked for was found.
    pub(super) fn run(&self) -> Result<bool, Error> {
        let audit = inspect::audit(&self.reading.home, &self.reading.settings()?)?;
        match self.format {
            Format::Text => print::text(&audit.text()),
            Format::Json => print::json(&audit.json()),
        }
        let limit = match self.fail_on {
            FailOn::Note => Severity::Note,
            FailOn::Warning => Severity::Warning,
            FailOn::Error => Severity::Error,
        };
        Ok(audit.worst().is_none_or(|worst| worst < limit))
    }
}
