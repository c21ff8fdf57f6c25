//! Scenario files and folders of them.

use std::path::{Path, PathBuf};

use super::scenario::Scenario;
use crate::error::{Error, Kind};

/// Loads files, and every `*.toml` of folders, in name order.
///
/// # Errors
///
/// A path that does not exist or can not be read, a folder without a scenario, a
/// file that makes no sense.
pub fn load_scenarios(
    paths: impl IntoIterator<Item = impl AsRef<Path>>,
) -> Result<Vec<Scenario>, Error> {
    let mut scenarios = Vec::new();
    for path in paths {
        for file in files(path.as_ref())? {
            let scenario = Scenario::load(&file)?;
            if scenarios
                .iter()
                .any(|known: &Scenario| known.id == scenario.id)
            {
                let message =
                    format!("another scenario is called `{}` already", scenario.id);
                return Err(Error::new(Kind::Usage, message).at(&file, 0, 0));
            }
            scenarios.push(scenario);
        }
    }
    Ok(scenarios)
}

fn files(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let unreadable = |error: std::io::Error| {
        Error::new(Kind::Unreadable, format!("can not be read: {error}")).at(path, 0, 0)
    };
    if !std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|ending| ending == "toml") {
            files.push(file);
        }
    }
    if files.is_empty() {
        let message = "this folder holds no scenario (*.toml)";
        return Err(Error::new(Kind::Usage, message).at(path, 0, 0));
    }
    files.sort();
    Ok(files)
}
