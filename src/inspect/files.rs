//! What the files themselves give away: who may read and change them.

use std::path::Path;

/// What is wrong with a file's permissions, as code and message.
#[cfg(unix)]
pub(super) fn permissions(file: &Path, secret: bool) -> Vec<(&'static str, &'static str)> {
    use std::os::unix::fs::PermissionsExt;

    let Ok(about) = std::fs::metadata(file) else {
        return Vec::new();
    };
    let mode = about.permissions().mode();
    let mut found = Vec::new();
    if secret && mode & 0o004 != 0 {
        found.push(("world-readable", "every user can read the secrets in it"));
    }
    if mode & 0o002 != 0 {
        found.push(("writable", "every user can change it"));
    }
    found
}

/// Permissions of this platform are no bits of the file.
#[cfg(not(unix))]
pub(super) fn permissions(_: &Path, _: bool) -> Vec<(&'static str, &'static str)> {
    Vec::new()
}
