//! Names that a profile's files may not set.

use super::settings::Settings;
use crate::value::Key;

/// The identity of the shell, and what decides which code runs.
const SHELL: [&str; 11] = [
    "HOME",
    "LD_LIBRARY_PATH",
    "LOGNAME",
    "OLDPWD",
    "PATH",
    "PWD",
    "PYTHONPATH",
    "SHELL",
    "SHLVL",
    "USER",
    "VIRTUAL_ENV",
];

/// Whole families of the same kind: desktop directories and the loaders.
const PREFIXES: [&str; 3] = ["XDG_", "LD_", "DYLD_"];

/// What steers the host itself; a profile that could set one of these could
/// leave its own home or switch its isolation off.
const CONTROL: [&str; 4] = [
    "HERMES_BASE_HOME",
    "HERMES_CONFIG_PATH",
    "HERMES_HOME",
    "HERMES_WEBUI_ISOLATED_PROFILE",
];

/// Why a file may not set a variable, if it may not.
pub(super) enum Denied {
    /// It steers the host.
    Control,
    /// It is the shell's or the loader's.
    Shell,
}

impl Denied {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::Shell => "denied",
        }
    }

    pub(super) fn message(&self) -> &'static str {
        match self {
            Self::Control => "a variable that steers the host; the file's value is dropped",
            Self::Shell => {
                "a variable of the shell or the loader; the file's value is dropped"
            }
        }
    }
}

/// Whether a file may set a variable.
pub(super) fn denied(name: &str, settings: &Settings) -> Option<Denied> {
    let is = |key: &Key| key.as_os_str() == name;
    let home = settings.home_variable.as_ref().is_some_and(is);
    if home || settings.control.iter().any(is) || CONTROL.contains(&name) {
        return Some(Denied::Control);
    }
    let shell =
        SHELL.contains(&name) || PREFIXES.iter().any(|start| name.starts_with(start));
    shell.then_some(Denied::Shell)
}
