//! Stand-ins for secrets.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::sync::Arc;

use super::entry::Entry;
use super::snapshot::Profile;
use crate::value::{Key, Value};

/// Shorter secrets are not looked for inside other texts: `1` is everywhere.
const TELLING: usize = 8;

/// Replaces secrets by stand-ins such as `<work/OPENROUTER_API_KEY>`, named after the
/// first holder of a value, so that equal secrets look equal within one output and
/// nothing else of them can be told.
///
/// # Examples
///
/// ```
/// # use std::path::Path;
/// # use isolane::{Key, Profile, ProfileName, Settings};
/// use isolane::profile::Redactor;
///
/// # fn main() -> Result<(), isolane::Error> {
/// let file = (Path::new("/h/.env"), &b"MY_TOKEN=t0p-s3cret\nURL=http://h/?t=t0p-s3cret\n"[..]);
/// let work = ProfileName::new("work")?;
/// let work = Profile::from_sources(work, "/h".into(), Some(file), None, &Settings::default())?;
/// let redactor = Redactor::new(std::slice::from_ref(&work));
/// let shown = |key| redactor.shown(work.get(&Key::new(key).unwrap()).unwrap());
/// assert_eq!(shown("MY_TOKEN"), "<work/MY_TOKEN>");
/// assert_eq!(shown("URL"), "http://h/?t=<work/MY_TOKEN>");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Redactor {
    holders: BTreeMap<Value, String>,
    /// Secrets to look for inside texts, the longest first.
    texts: Vec<(String, String)>,
}

impl Redactor {
    /// Learns the secrets of all profiles that one output shows, in that order.
    pub fn new(profiles: &[Arc<Profile>]) -> Self {
        let mut redactor = Self::default();
        for profile in profiles {
            for (key, entry) in profile.iter().filter(|(_, entry)| entry.is_secret()) {
                redactor.learn(profile.name().as_str(), key, entry.value());
            }
        }
        let known = redactor.holders.iter();
        redactor.texts = known
            .filter_map(|(value, holder)| Some((value.expose().to_str()?, holder)))
            .filter(|(text, _)| text.len() >= TELLING)
            .map(|(text, holder)| (text.to_owned(), holder.clone()))
            .collect();
        redactor
            .texts
            .sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        redactor
    }

    fn learn(&mut self, owner: &str, key: &Key, value: &Value) {
        if !value.is_empty() {
            let holder = || format!("<{owner}/{key}>");
            self.holders.entry(value.clone()).or_insert_with(holder);
        }
    }

    /// The stand-in of a value that some profile holds as a secret.
    pub fn stand_in(&self, value: &Value) -> Option<&str> {
        self.holders.get(value).map(String::as_str)
    }

    /// An entry for people: a stand-in for a secret, else its text with every known
    /// secret inside it replaced.
    pub fn shown(&self, entry: &Entry) -> String {
        match entry.is_secret() {
            true => self.stand_in(entry.value()).unwrap_or_default().to_owned(),
            false => self.redact(entry.value().expose()),
        }
    }

    /// A text with every known secret replaced by its stand-in. Secrets of fewer than
    /// eight bytes are not looked for inside it.
    pub fn redact(&self, text: impl AsRef<OsStr>) -> String {
        let mut text = text.as_ref().to_string_lossy().into_owned();
        for (secret, holder) in &self.texts {
            if text.contains(secret) {
                text = text.replace(secret, holder);
            }
        }
        text
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Redactor({} secrets)", self.holders.len())
    }
}
