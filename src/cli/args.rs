//! Arguments and exit statuses.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand, ValueEnum};
use isolane::harness::{Options, Report};
use isolane::{Error, Key};

use super::{audit, check, explore, print, resolve};

#[derive(Debug, Parser)]
#[command(
    name = "isolane",
    version,
    about = "Find out what leaks between concurrent sessions and profiles",
    long_about = "Runs the library's production code, and the schemes that failed before it, \
                  through every interleaving of concurrent workers, and prints the simplest \
                  schedule that breaks an invariant. Reads real homes: what their profiles resolve to, \
                  and what in them is dangerous.",
    after_help = "Exit status: 0 all as expected; 1 a finding that was not expected, or an expected \
                  one that was not found; 2 bad input or usage."
)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Explore scenarios: TOML files, or folders of them
    #[command(
        after_help = "Examples:\n  isolane explore\n  isolane explore models/scenarios/overlapping-guards.toml\n  \
                            isolane explore --strategy history/snapshot-restore --format json\n  isolane explore --self-check"
    )]
    Explore {
        /// Scenario files or folders; without any, the built-in scenarios
        paths: Vec<PathBuf>,
        /// Run the calibration models instead: programs whose classes are known
        #[arg(long, conflicts_with = "paths")]
        self_check: bool,
        #[command(flatten)]
        common: Common,
    },
    /// Check a real home: which of its keys leak, under which strategy
    #[command(
        after_help = "No value of the home is printed, nor does one enter the exploration.\n\n\
                            Example:\n  isolane check --home ~/.hermes"
    )]
    Check {
        /// The home: a folder with `.env`, `config.yaml` and `profiles/`
        #[arg(long, value_name = "DIR")]
        home: PathBuf,
        /// The variable that legacy code finds its home by
        #[arg(long, value_name = "NAME", default_value = "HERMES_HOME")]
        home_variable: String,
        #[command(flatten)]
        common: Common,
    },
    /// Show what a profile resolves to, and where each value comes from
    Resolve(resolve::Resolve),
    /// List what in a home is dangerous or read differently by different readers
    Audit(audit::Audit),
}

#[derive(Debug, clap::Args)]
struct Common {
    /// Only this strategy (repeatable): scoped, mirrored, history/snapshot-restore, ...
    #[arg(long, value_name = "NAME")]
    strategy: Vec<String>,
    /// How many executions one exploration may take before it is `incomplete`
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    budget: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
}

impl Common {
    fn options(&self) -> Options {
        Options {
            strategies: self.strategy.clone(),
            budget: self.budget,
        }
    }
}

pub(crate) fn main() -> ExitCode {
    // clap prints usage errors to standard error and ends with status 2 itself.
    match run(Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            print::error(&error);
            ExitCode::from(2)
        }
    }
}

/// Runs a command; gives whether all was as expected.
fn run(args: Args) -> Result<bool, Error> {
    match args.command {
        Command::Explore {
            paths,
            self_check,
            common,
        } => {
            let report = match self_check {
                true => explore::self_check()?,
                false => explore::run(&paths, &common.options())?,
            };
            let text = isolane::harness::to_text(&report);
            Ok(show(&report, &text, common.format))
        }
        Command::Check {
            home,
            home_variable,
            common,
        } => {
            let (report, text) =
                check::run(&home, Key::new(home_variable)?, &common.options())?;
            Ok(show(&report, &text, common.format))
        }
        Command::Resolve(asked) => asked.run().map(|()| true),
        Command::Audit(asked) => asked.run(),
    }
}

fn show(report: &Report, text: &str, format: Format) -> bool {
    match format {
        Format::Text => print::text(text),
        Format::Json => print::json(&isolane::harness::to_json(report)),
    }
    report.unexpected() == 0
}
