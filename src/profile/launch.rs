//! What a process was started as.

use std::path::{Path, PathBuf};

use super::home::Home;
use super::name::ProfileName;
use super::settings::Settings;
use crate::error::Error;
use crate::value::{Key, Value};

/// The identity of a process: the home it was started for, and the profile that it
/// serves where no scope is in force.
///
/// Captured once and immutable. Whoever asks the environment again later may get
/// the home that a worker has just mirrored there, and then `profiles/a/profiles/a`.
///
/// # Examples
///
/// ```no_run
/// use isolane::{Host, OsEnv, ProcessEnv, Settings};
/// use isolane::profile::Launch;
///
/// # fn main() -> Result<(), isolane::Error> {
/// let env = OsEnv::read_only();
/// let launch = Launch::capture(|key| env.get(key), &Settings::default())?;
/// let host = Host::builder(env).launch(&launch).build()?;
/// assert_eq!(host.home().as_deref(), Some(launch.folder()));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    home: Home,
    profile: ProfileName,
    folder: PathBuf,
}

/// The variables that name a home, the strongest first.
const HOMES: [&str; 2] = ["HERMES_BASE_HOME", "HERMES_HOME"];

impl Launch {
    /// Finds the home with a look-up of the environment, which is asked now and
    /// never again.
    ///
    /// The home is the first of `HERMES_BASE_HOME` and `HERMES_HOME` that is not
    /// blank, else `.hermes` in the user's home directory (`hermes` in
    /// `LOCALAPPDATA` on Windows). The folder of a named profile stands for its
    /// root. The profile is the one whose folder `HERMES_HOME` is, else the one
    /// that the file `active_profile` names.
    ///
    /// # Errors
    ///
    /// [`Error::is_no_home`] where there is no such home or profile;
    /// [`Error::is_unreadable`] where the home can not be listed.
    pub fn capture(
        look_up: impl Fn(&Key) -> Option<Value>,
        settings: &Settings,
    ) -> Result<Self, Error> {
        let path = |name: &str| {
            let value = look_up(&Key::new(name).ok()?)?;
            let blank = value
                .expose()
                .to_str()
                .is_some_and(|text| text.trim().is_empty());
            let text = value
                .expose()
                .to_str()
                .map(|text| PathBuf::from(text.trim()));
            let path = text.unwrap_or_else(|| PathBuf::from(value.expose()));
            (!blank).then_some(path)
        };
        let named = HOMES.iter().find_map(|name| path(name));
        let root = named.unwrap_or_else(|| match cfg!(windows) {
            true => path("LOCALAPPDATA").unwrap_or_default().join("hermes"),
            false => path("HOME").unwrap_or_default().join(".hermes"),
        });
        let home = Home::open(&root)?;
        let own = path("HERMES_HOME").and_then(|path| home.profile_of(&path));
        let profile = own.unwrap_or_else(|| home.active_profile().clone());
        let folder = home.folder(&profile, settings)?;
        Ok(Self {
            home,
            profile,
            folder,
        })
    }

    /// The home, by its root.
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The profile that is served where no scope is in force.
    pub fn profile(&self) -> &ProfileName {
        &self.profile
    }

    /// The folder of that profile.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}
