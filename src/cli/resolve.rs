//! `isolane resolve`.

use isolane::inspect::{Resolved, Show};
use isolane::profile::Settings;
use isolane::{Error, Home, Key, ProfileName};

use super::args::Format;
use super::print;
use super::reading::Reading;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Without --profile and --all the active profile is shown. No value is printed without \
                  --reveal; a secret has a stand-in, the same for equal secrets.\n\n\
                  Examples:\n  isolane resolve --home ~/.hermes --profile work\n  \
                  isolane resolve --home ~/.hermes --all --explain OPENROUTER_API_KEY\n  \
                  set -a; eval \"$(isolane resolve --home ~/.hermes -p work --reveal)\"\n\n\
                  Exit status: 0 resolved; 2 bad input, a refused profile (all its problems are listed)."
)]
pub(super) struct Resolve {
    #[command(flatten)]
    reading: Reading,
    /// This profile; `default` is the root
    #[arg(short, long, value_name = "NAME", conflicts_with = "all")]
    profile: Option<String>,
    /// Every profile of the home
    #[arg(long)]
    all: bool,
    /// Why one variable reads as it does: origin, what it hides, readers, providers
    #[arg(long, value_name = "KEY", conflicts_with = "reveal")]
    explain: Option<String>,
    /// Take what lenient readers make of a broken file instead of refusing it
    #[arg(long)]
    lenient: bool,
    /// Print values: `KEY='value'` lines for a shell, or `value` in JSON
    #[arg(long)]
    reveal: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

impl Resolve {
    pub(super) fn run(&self) -> Result<(), Error> {
        let settings = Settings {
            lenient: self.lenient,
            ..self.reading.settings()?
        };
        let key = self.explain.as_ref().map(Key::new).transpose()?;
        let home = self.reading.open()?;
        let resolved = Resolved::load(&home, &self.names(&home)?, &settings)?;
        match (&key, self.format) {
            (Some(key), Format::Text) => print::text(&resolved.explain(key).text()),
            (Some(key), Format::Json) => print::json(&resolved.explain(key).json()),
            (None, Format::Json) => print::json(&resolved.json(self.show())),
            (None, Format::Text) => self.text(&resolved),
        }
        Ok(())
    }

    fn names(&self, home: &Home) -> Result<Vec<ProfileName>, Error> {
        match &self.profile {
            _ if self.all => Ok(home.profiles().to_vec()),
            Some(name) => Ok(vec![ProfileName::normalized(name)?]),
            None => Ok(vec![home.active_profile().clone()]),
        }
    }

    fn show(&self) -> Show {
        match self.reveal {
            true => Show::Everything,
            false => Show::Nothing,
        }
    }

    fn text(&self, resolved: &Resolved) {
        match self.reveal {
            false => print::text(&resolved.text(Show::Nothing)),
            true => {
                let shell = resolved.shell();
                print::bytes(&shell.lines);
                for name in shell.left_out {
                    print::warning(&format!("{name}: left out, no shell can set it"));
                }
            }
        }
        for found in resolved.diagnostics() {
            print::diagnostic(found);
        }
    }
}
