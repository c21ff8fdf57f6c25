//! `isolane explore`.

use std::path::PathBuf;

use isolane::Error;
use isolane::harness::{self, Options, Report, Scenario};

pub(super) fn run(paths: &[PathBuf], options: &Options) -> Result<Report, Error> {
    let scenarios = match paths.is_empty() {
        true => harness::builtin_scenarios()?,
        false => harness::load_scenarios(paths)?,
    };
    let titles = scenarios.iter().map(title).collect();
    let rows = harness::explore(&scenarios, options)?;
    Ok(Report {
        rows,
        titles,
        notes: Vec::new(),
    })
}

pub(super) fn self_check() -> Result<Report, Error> {
    let rows = harness::self_check()?;
    let titles = rows
        .iter()
        .map(|row| (row.scenario.clone(), String::new()))
        .collect();
    Ok(Report {
        rows,
        titles,
        notes: Vec::new(),
    })
}

fn title(scenario: &Scenario) -> (String, String) {
    let from = match scenario.source.as_str() {
        "" => String::new(),
        source => format!(" [{source}]"),
    };
    (scenario.id.clone(), format!("{}{from}", scenario.title))
}
