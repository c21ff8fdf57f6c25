//! The resolved environment of one profile.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::credentials::{Providers, is_credential_name};
use super::diagnostic::Diagnostic;
use super::entry::Entry;
use super::name::ProfileName;
use super::resolve::{self, Sources};
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
    /// Names that hold the keys of providers, beyond those that their look tells.
    pub(super) key_names: BTreeSet<Key>,
    pub(super) providers: Providers,
    /// Every scalar of `config.yaml` by its dotted path, expanded, with its line.
    pub(super) config: BTreeMap<String, (String, u32)>,
    pub(super) config_file: Option<Arc<Path>>,
    /// Where `config.yaml` itself holds a secret.
    pub(super) config_secrets: Vec<String>,
    /// The variables that a scalar names and that the profile does not set.
    pub(super) unresolved: BTreeMap<String, Vec<String>>,
    pub(super) diagnostics: Vec<Diagnostic>,
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
        let sources = Sources {
            dotenv,
            config,
            unreadable: Vec::new(),
        };
        Self::resolve(name, home, sources, settings)
    }

    pub(super) fn resolve(
        name: ProfileName,
        home: PathBuf,
        sources: Sources<'_>,
        settings: &Settings,
    ) -> Result<Arc<Self>, Error> {
        resolve::resolve(name, home, sources, settings).map(Arc::new)
    }

    /// A profile that contributes nothing.
    pub(super) fn empty(name: ProfileName, home: PathBuf, settings: &Settings) -> Self {
        Self {
            name,
            home,
            entries: BTreeMap::new(),
            isolation: settings.isolation,
            key_names: BTreeSet::new(),
            providers: settings.providers.clone(),
            config: BTreeMap::new(),
            config_file: None,
            config_secrets: Vec::new(),
            unresolved: BTreeMap::new(),
            diagnostics: Vec::new(),
        }
    }

    /// A profile with ready values, as if its `.env` held them.
    pub fn with_values(
        name: ProfileName,
        home: PathBuf,
        values: BTreeMap<Key, Value>,
        isolation: Isolation,
    ) -> Arc<Self> {
        let settings = Settings {
            isolation,
            ..Settings::default()
        };
        let mut profile = Self::empty(name, home, &settings);
        let origin = Origin::layer(Layer::DotEnv);
        profile.entries = values
            .into_iter()
            .map(|(key, value)| {
                let entry = Entry::new(&key, value, origin.clone(), Vec::new());
                (key, entry)
            })
            .collect();
        Arc::new(profile)
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
    /// True for credentials by name, for the key variables of the providers, and for
    /// those that the profile's own `config.yaml` names (`key_env`, or `${NAME}` in
    /// an `api_key`), under [`Isolation::Isolated`]. Never true for
    /// the default profile: the base is its own.
    pub fn isolates(&self, key: &Key) -> bool {
        self.isolation == Isolation::Isolated
            && !self.name.is_default()
            && !self.entries.contains_key(key)
            && self.is_credential(key)
    }

    /// Whether a variable holds a credential: by its name, as the key variable of a
    /// provider, or because the profile's own `config.yaml` says so.
    pub fn is_credential(&self, key: &Key) -> bool {
        is_credential_name(key) || self.key_names.contains(key)
    }

    /// What a missing credential reads as.
    pub fn isolation(&self) -> Isolation {
        self.isolation
    }

    /// The providers that are known to the profile.
    pub fn providers(&self) -> &Providers {
        &self.providers
    }

    /// What somebody should look at in the profile's files, by file and line.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// A scalar of `config.yaml` as text, with `${NAME}` expanded.
    ///
    /// The path is dotted (`model.default`); items of lists are numbered from 0.
    /// Null and a path that is not there give nothing.
    pub fn config_value(&self, path: &str) -> Option<&str> {
        self.config.get(path).map(|(text, _)| text.as_str())
    }

    /// Whether `config.yaml` itself holds a secret, not a reference to one.
    #[cfg(feature = "harness")]
    pub(crate) fn config_holds_secrets(&self) -> bool {
        !self.config_secrets.is_empty()
    }

    /// Where a scalar of `config.yaml` stands.
    pub(super) fn config_origin(&self, path: &str) -> Origin {
        let line = self.config.get(path).map_or(0, |(_, line)| *line);
        match &self.config_file {
            Some(file) => Origin::file(Layer::Config, file, line),
            None => Origin::layer(Layer::Config),
        }
    }

    /// The entries of `custom_providers`: path and name of each that has a name.
    pub(super) fn custom_providers(&self) -> Vec<(String, &str)> {
        let start = "custom_providers.";
        let inside = self.config.range(start.to_owned()..);
        inside
            .take_while(|(path, _)| path.starts_with(start))
            .filter_map(|(path, (name, _))| {
                let number = path.strip_prefix(start)?.strip_suffix(".name")?;
                let plain = number.bytes().all(|byte| byte.is_ascii_digit());
                plain.then(|| (format!("{start}{number}"), name.as_str()))
            })
            .collect()
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
            .field("diagnostics", &self.diagnostics.len())
            .finish()
    }
}

const _: () = {
    const fn shared_between_threads<T: Send + Sync>() {}
    shared_between_threads::<Profile>();
};
