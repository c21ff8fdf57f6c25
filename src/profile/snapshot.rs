//! The resolved environment of one profile.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::credentials::is_credential_name;
use super::diagnostic::Diagnostic;
use super::entry::Entry;
use super::name::ProfileName;
use super::resolve;
use super::settings::{Isolation, Settings};
use crate::error::Error;
use crate::value::{Key, Layer, Origin, Value};

/// Everything that one profile contributes, resolved once and then immutable.
///
/// A file that changes later is not seen; load the profile again.
///
/// # Examples
///
/// ```
/// use std::path::Path;
///
/// use isolane::{Key, Profile, ProfileName, Settings};
///
/// # fn main() -> Result<(), isolane::Error> {
/// let file = (Path::new("/h/.env"), &b"TOKEN=abc\n"[..]);
/// let name = ProfileName::new("work")?;
/// let profile =
///     Profile::from_sources(name, "/h".into(), Some(file), None, &Settings::default())?;
///
/// assert_eq!(profile.get(&Key::new("TOKEN")?).unwrap().value().expose(), "abc");
/// assert!(profile.isolates(&Key::new("OPENAI_API_KEY")?));
/// # Ok(())
/// # }
/// ```
pub struct Profile {
    pub(super) name: ProfileName,
    pub(super) home: PathBuf,
    pub(super) entries: BTreeMap<Key, Entry>,
    pub(super) isolation: Isolation,
    /// Names that hold the keys of the profile's own providers.
    pub(super) key_names: BTreeSet<Key>,
    pub(super) config: BTreeMap<String, String>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl Profile {
    /// Resolves a profile from the bytes of its files. Nothing else is read.
    ///
    /// # Errors
    ///
    /// [`Error::is_syntax`] with every problem of both files, where one is an
    /// error; nothing of the profile is usable then.
    pub fn from_sources(
        name: ProfileName,
        home: PathBuf,
        dotenv: Option<(&Path, &[u8])>,
        config: Option<(&Path, &[u8])>,
        settings: &Settings,
    ) -> Result<Arc<Self>, Error> {
        resolve::resolve(name, home, dotenv, config, settings).map(Arc::new)
    }

    /// A profile with ready values, as if its `.env` held them.
    pub fn with_values(
        name: ProfileName,
        home: PathBuf,
        values: BTreeMap<Key, Value>,
        isolation: Isolation,
    ) -> Arc<Self> {
        let entries = values
            .into_iter()
            .map(|(key, value)| {
                let secret = is_credential_name(&key);
                let origin = Origin::layer(Layer::DotEnv);
                (
                    key,
                    Entry {
                        value,
                        origin,
                        secret,
                        shadows: Vec::new(),
                    },
                )
            })
            .collect();
        Arc::new(Self {
            name,
            home,
            entries,
            isolation,
            key_names: BTreeSet::new(),
            config: BTreeMap::new(),
            warnings: Vec::new(),
        })
    }

    /// This profile with other values and without its files' settings: what it
    /// isolates stays as it is.
    #[cfg(feature = "harness")]
    pub(crate) fn like(&self, values: BTreeMap<Key, Value>) -> Arc<Self> {
        let ready =
            Self::with_values(self.name.clone(), self.home.clone(), values, self.isolation);
        let mut profile = Arc::into_inner(ready).expect("nobody else has it yet");
        profile.key_names.clone_from(&self.key_names);
        Arc::new(profile)
    }

    /// The profile's name.
    pub fn name(&self) -> &ProfileName {
        &self.name
    }

    /// The profile's home directory.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// What the profile says about a variable, if it says anything.
    pub fn get(&self, key: &Key) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// All variables of the profile, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &Entry)> {
        self.entries.iter()
    }

    /// Whether a variable reads as unset inside the profile's scope because the
    /// profile lacks it and the base's value is somebody else's.
    ///
    /// True for credentials by name and for the key variables that the profile's
    /// own `custom_providers` name, under [`Isolation::Isolated`]. Never true for
    /// the default profile: the base is its own.
    pub fn isolates(&self, key: &Key) -> bool {
        self.isolation == Isolation::Isolated
            && !self.name.is_default()
            && !self.entries.contains_key(key)
            && (is_credential_name(key) || self.key_names.contains(key))
    }

    /// What a missing credential reads as.
    pub fn isolation(&self) -> Isolation {
        self.isolation
    }

    /// What somebody should look at in the profile's files.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// A scalar of `config.yaml` as text, with `${NAME}` expanded.
    ///
    /// The path is dotted (`model.default`); items of lists are numbered from 0.
    /// Null and a path that is not there give nothing.
    pub fn config_value(&self, path: &str) -> Option<&str> {
        self.config.get(path).map(String::as_str)
    }
}

/// Neither values nor names: a name that came out of a file by mistake may be a
/// piece of a value.
impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Profile")
            .field("name", &self.name)
            .field("home", &self.home)
            .field("entries", &self.entries.len())
            .field("isolation", &self.isolation)
            .field("warnings", &self.warnings.len())
            .finish()
    }
}

const _: () = {
    const fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<Profile>();
};
