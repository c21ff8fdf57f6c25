//! Resolved profiles as lines that a POSIX shell reads back.

use std::sync::Arc;

use crate::profile::{Profile, is_plain_name};

/// Variables that a shell does not let anybody set.
const READ_ONLY: [&str; 7] = [
    "BASHOPTS",
    "BASH_VERSINFO",
    "EUID",
    "GROUPS",
    "PPID",
    "SHELLOPTS",
    "UID",
];

/// Lines of the form `KEY='value'`, and the names for which there is none.
///
/// Every byte of a value comes back exactly: within single quotes a POSIX shell
/// reads everything as it is.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shell {
    /// The lines. They hold values.
    pub lines: Vec<u8>,
    /// The names that no shell can set.
    pub left_out: Vec<String>,
}

impl Shell {
    pub(super) fn of(profiles: &[Arc<Profile>]) -> Self {
        let mut shell = Self {
            lines: Vec::new(),
            left_out: Vec::new(),
        };
        for profile in profiles {
            if profiles.len() > 1 {
                let line = format!("# profile {}\n", profile.name());
                shell.lines.extend(line.as_bytes());
            }
            for (key, entry) in profile.iter() {
                let name = key.to_string();
                if !settable(&name) {
                    shell.left_out.push(name);
                    continue;
                }
                shell.lines.extend(name.as_bytes());
                shell.lines.extend(b"='");
                for &byte in entry.value().expose().as_encoded_bytes() {
                    match byte {
                        b'\'' => shell.lines.extend(br"'\''"),
                        byte => shell.lines.push(byte),
                    }
                }
                shell.lines.extend(b"'\n");
            }
        }
        shell
    }
}

/// Values are left out.
impl std::fmt::Debug for Shell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shell")
            .field("left_out", &self.left_out)
            .finish_non_exhaustive()
    }
}

fn settable(name: &str) -> bool {
    is_plain_name(name) && !READ_ONLY.contains(&name)
}
