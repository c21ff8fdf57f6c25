//! `isolane check`.

use std::path::Path;

use isolane::harness::{self, Options, Report};
use isolane::profile::Settings;
use isolane::{Error, Key};

pub(super) fn run(
    home: &Path,
    home_variable: Key,
    options: &Options,
) -> Result<(Report, String), Error> {
    let settings = Settings {
        home_variable: Some(home_variable),
        ..Settings::default()
    };
    let checked = harness::check(home, &settings, options)?;
    let text = harness::check_text(home, &checked);
    let notes = checked
        .pairs
        .into_iter()
        .chain(checked.stands_for)
        .collect();
    Ok((
        Report {
            rows: checked.rows,
            titles: Vec::new(),
            notes,
        },
        text,
    ))
}
