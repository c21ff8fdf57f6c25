//! Resolved profiles, for people and for programs.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::json::{diagnostics_json, entry_json, text_of};
use super::shell::Shell;
use super::table::table;
use crate::error::Error;
use crate::profile::{Diagnostic, Entry, Home, Profile, ProfileName, Redactor, Settings};
use crate::value::{Key, Origin, State, Value};

/// How much of the values an output shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Show {
    /// No value; a stand-in for each secret.
    #[default]
    Nothing,
    /// Values, and a stand-in for each secret. What is no secret by name or look is
    /// printed, so only for homes whose secrets are known.
    Plain,
    /// Every value.
    Everything,
}

/// Some profiles of a home, resolved.
///
/// # Examples
///
/// ```
/// # use std::path::Path;
/// # use isolane::{Profile, ProfileName, Settings};
/// use isolane::inspect::{Resolved, Show};
///
/// # fn main() -> Result<(), isolane::Error> {
/// let file = (Path::new("/h/.env"), &b"MODEL=large\nMY_TOKEN=s3cret-s3cret\n"[..]);
/// let work = ProfileName::new("work")?;
/// let work = Profile::from_sources(work, "/h".into(), Some(file), None, &Settings::default())?;
/// let text = Resolved::new(vec![work]).text(Show::Nothing);
/// assert!(text.contains("MY_TOKEN  set  .env:2  <work/MY_TOKEN>"), "{text}");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Resolved {
    profiles: Vec<Arc<Profile>>,
    redactor: Redactor,
}

impl Resolved {
    /// From profiles that are loaded.
    pub fn new(profiles: Vec<Arc<Profile>>) -> Self {
        let redactor = Redactor::new(&profiles);
        Self { profiles, redactor }
    }

    /// Loads profiles.
    ///
    /// # Errors
    ///
    /// Those of [`Home::load`], of all profiles together.
    pub fn load(
        home: &Home,
        names: &[ProfileName],
        settings: &Settings,
    ) -> Result<Self, Error> {
        let (mut loaded, mut refused) = (Vec::new(), Vec::new());
        for name in names {
            match home.load(name, settings) {
                Ok(profile) => loaded.push(profile),
                Err(error) => refused.push(error),
            }
        }
        match refused.len() {
            0 => Ok(Self::new(loaded)),
            1 => Err(refused.remove(0)),
            count => Err(Error::together(
                format!("{count} of {} profiles are refused", names.len()),
                &refused,
            )),
        }
    }

    /// The profiles.
    pub fn profiles(&self) -> &[Arc<Profile>] {
        &self.profiles
    }

    /// What is wrong with the files of all profiles.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.profiles
            .iter()
            .flat_map(|profile| profile.diagnostics())
    }

    /// The stand-in of a secret.
    pub(super) fn stand_in(&self, value: &Value) -> Option<&str> {
        self.redactor.stand_in(value)
    }

    /// As a table for people, a part for each profile.
    pub fn text(&self, show: Show) -> String {
        let parts = self.profiles.iter().map(|profile| self.part(profile, show));
        parts.collect::<Vec<_>>().join("\n")
    }

    /// As lines that a POSIX shell can read back.
    pub fn shell(&self) -> Shell {
        Shell::of(&self.profiles)
    }

    /// As JSON: one object for one profile, else a list under `profiles`.
    pub fn json(&self, show: Show) -> Json {
        let mut all: Vec<Json> = self
            .profiles
            .iter()
            .map(|profile| self.profile_json(profile, show))
            .collect();
        match all.len() {
            1 => {
                let mut one = all.remove(0);
                one["version"] = json!(1);
                one
            }
            _ => json!({"version": 1, "profiles": all}),
        }
    }

    fn profile_json(&self, profile: &Profile, show: Show) -> Json {
        let entries: Vec<Json> = profile
            .iter()
            .map(|(key, entry)| {
                let mut row = entry_json(key, entry);
                match show {
                    Show::Nothing => {}
                    Show::Plain => row["value"] = json!(self.redactor.shown(entry)),
                    Show::Everything => row["value"] = text_of(entry.value()),
                }
                row
            })
            .collect();
        json!({
            "profile": profile.name().as_str(),
            "home": profile.home().to_string_lossy(),
            "entries": entries,
            "diagnostics": diagnostics_json(profile.diagnostics()),
        })
    }

    fn part(&self, profile: &Profile, show: Show) -> String {
        let mut text = format!("{}  {}\n", profile.name(), profile.home().display());
        let rows: Vec<_> = profile
            .iter()
            .map(|(key, entry)| self.row(profile, key, entry, show))
            .collect();
        text.push_str(&table("  ", &rows));
        let count = |test: &dyn Fn(&Entry) -> bool| {
            profile.iter().filter(|(_, entry)| test(entry)).count()
        };
        let secrets = count(&Entry::is_secret);
        let empty = count(&|entry| entry.value().is_empty());
        let all = rows.len();
        text.push_str(&format!(
            "  {all} variables, {secrets} secret, {empty} empty\n"
        ));
        text
    }

    fn row(&self, profile: &Profile, key: &Key, entry: &Entry, show: Show) -> [String; 4] {
        let state = match entry.state() {
            State::Empty => "empty",
            _ => "set",
        };
        let mut from = place(profile, entry.origin());
        for hidden in entry.shadows() {
            from.push_str(&format!(" over {}", place(profile, hidden)));
        }
        let shown = match show {
            Show::Everything => format!("{:?}", entry.value().expose()),
            Show::Plain if !entry.is_secret() => {
                format!("{:?}", self.redactor.shown(entry))
            }
            _ if entry.is_secret() => self.redactor.shown(entry),
            _ => String::new(),
        };
        [key.to_string(), state.to_owned(), from, shown]
    }
}

/// An origin as it is called inside the profile's own home.
pub(super) fn place(profile: &Profile, origin: &Origin) -> String {
    let whole = origin.to_string();
    let home = profile.home().display().to_string();
    let inside = whole.strip_prefix(&home);
    let inside = inside.and_then(|path| path.strip_prefix(['/', '\\']));
    inside.unwrap_or(&whole).to_owned()
}
