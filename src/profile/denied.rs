//! Names that a profile's files may not set.

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
pub(super) fn denied(name: &str, home_variable: Option<&Key>) -> Option<&'static str> {
    let home = home_variable.is_some_and(|key| key.as_os_str() == name);
    if home || CONTROL.contains(&name) {
        return Some("a variable that steers the host; the file's value is dropped");
    }
    let shell =
        SHELL.contains(&name) || PREFIXES.iter().any(|start| name.starts_with(start));
    shell.then_some("a variable of the shell or the loader; the file's value is dropped")
}
