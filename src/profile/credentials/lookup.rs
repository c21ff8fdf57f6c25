//! The look-up of a provider's key for one profile; the order is documented at
//! [`Profile::credential`], once.
//!
//! What the profile itself says comes before anything of the base: a second key
//! of its own beats a first one that is only shared.

use crate::profile::diagnostic::in_capitals;
use crate::profile::settings::Isolation;
use crate::profile::snapshot::Profile;
use crate::value::{Key, Layer, Origin, Value};

use super::{Provider, Providers, is_usable};

/// What the look-up of a provider's key gave.
///
/// The fourth case, a look-up where no profile is in force, is an error of the
/// host: [`crate::Error::is_unscoped`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Credential {
    /// A usable key.
    Found(Found),
    /// There is none.
    Absent,
    /// There is none, and something that should give one names variables that are
    /// not set; or the name of a custom provider stands for two entries.
    Unresolved {
        /// The variables or the places in `config.yaml`.
        names: Vec<String>,
    },
}

/// A usable key and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// The key itself.
    pub value: Value,
    /// The variable, or the dotted path in `config.yaml`.
    pub name: String,
    /// Layer, file and line.
    pub origin: Origin,
}

impl Credential {
    /// What was found, if anything was.
    pub fn found(self) -> Option<Found> {
        match self {
            Self::Found(found) => Some(found),
            Self::Absent | Self::Unresolved { .. } => None,
        }
    }
}

impl Profile {
    /// The key of a provider for this profile; `base` gives the base environment's
    /// variables and is asked for nothing that the profile isolates.
    ///
    /// The id is one of [`Settings::providers`](crate::Settings::providers) or the
    /// name of a `custom_providers` entry, with or without `custom:` before it.
    ///
    /// | | where | for which providers |
    /// |---|---|---|
    /// | 1 | its key variables in their order, as the profile sets them | those of the table |
    /// | 2 | `model.api_key`, then the variable that `model.key_env` names | the one that `model.provider` names |
    /// | 3 | `providers.<id>.api_key`, then the variable that its `key_env` names | any |
    /// | 4 | `api_key`, `key_env`, then `CUSTOM_<NAME>_API_KEY` | the entry of `custom_providers` with that name |
    /// | 5 | the same variables in the same order, in the base environment | where the base is the profile's own or shared |
    ///
    /// The first *usable* text counts: not a placeholder, four characters or more,
    /// no unresolved reference.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::path::Path;
    /// # use isolane::{Profile, ProfileName, Settings};
    /// # fn main() -> Result<(), isolane::Error> {
    /// let file = (Path::new("/h/.env"), &b"GEMINI_API_KEY=g-1234\nGOOGLE_API_KEY=changeme\n"[..]);
    /// let work = ProfileName::new("work")?;
    /// let work = Profile::from_sources(work, "/h".into(), Some(file), None, &Settings::default())?;
    /// let found = work.credential("gemini", |_| None).found().unwrap();
    /// assert_eq!(found.name, "GEMINI_API_KEY");
    /// # Ok(())
    /// # }
    /// ```
    pub fn credential(
        &self,
        provider: &str,
        base: impl Fn(&Key) -> Option<Value>,
    ) -> Credential {
        let mut search = Search {
            profile: self,
            variables: Vec::new(),
            unresolved: Vec::new(),
        };
        if let Some(found) = search.own(provider) {
            return Credential::Found(found);
        }
        if self.isolation() == Isolation::Shared || self.name().is_default() {
            let mut open = search
                .variables
                .iter()
                .filter(|key| self.get(key).is_none());
            if let Some(found) = open.find_map(|key| in_base(key, &base)) {
                return Credential::Found(found);
            }
        }
        match search.unresolved.is_empty() {
            true => Credential::Absent,
            false => Credential::Unresolved {
                names: search.unresolved,
            },
        }
    }
}

impl Providers {
    /// The key of a provider where no profile is in force: the first usable one of
    /// its variables in the base environment.
    pub(crate) fn credential(
        &self,
        id: &str,
        base: impl Fn(&Key) -> Option<Value>,
    ) -> Credential {
        let keys = self.get(id).map(Provider::keys).unwrap_or_default();
        let found = keys.iter().find_map(|key| in_base(key, &base));
        found.map_or(Credential::Absent, Credential::Found)
    }
}

fn in_base(key: &Key, base: impl Fn(&Key) -> Option<Value>) -> Option<Found> {
    Some(Found {
        value: base(key).filter(usable)?,
        name: key.to_string(),
        origin: Origin::layer(Layer::Base),
    })
}

/// The variable that holds the key of a custom provider without any setting.
pub(in crate::profile) fn custom_key_name(name: &str) -> String {
    let upper = |c: char| match c.is_ascii_alphanumeric() {
        true => c.to_ascii_uppercase(),
        false => '_',
    };
    let slug: String = name.trim().chars().map(upper).collect();
    format!("CUSTOM_{slug}_API_KEY")
}

fn usable(value: &Value) -> bool {
    value.expose().to_str().is_some_and(is_usable)
}

/// A look-up under way.
struct Search<'p> {
    profile: &'p Profile,
    /// The variables that were asked for, in order.
    variables: Vec<Key>,
    unresolved: Vec<String>,
}

impl Search<'_> {
    fn own(&mut self, id: &str) -> Option<Found> {
        let known = self.profile.providers.get(id);
        for key in known.map(|provider| provider.keys()).unwrap_or_default() {
            if let Some(found) = self.variable(key.clone()) {
                return Some(found);
            }
        }
        let model = self.profile.config_value("model.provider");
        if model.is_some_and(|model| same(model, id))
            && let Some(found) = self.section("model")
        {
            return Some(found);
        }
        self.section(&format!("providers.{id}"))
            .or_else(|| self.custom(id))
    }

    fn variable(&mut self, key: Key) -> Option<Found> {
        let entry = self.profile.get(&key).cloned();
        let name = key.to_string();
        self.variables.push(key);
        let entry = entry.filter(|entry| usable(entry.value()))?;
        Some(Found {
            value: entry.value().clone(),
            name,
            origin: entry.origin().clone(),
        })
    }

    /// `api_key`, then the variable that `key_env` names, of a part of the file.
    fn section(&mut self, path: &str) -> Option<Found> {
        let api_key = format!("{path}.api_key");
        if let Some(names) = self.profile.unresolved.get(&api_key) {
            self.unresolved.extend(names.iter().cloned());
        } else if let Some(text) = self.profile.config_value(&api_key)
            && is_usable(text)
        {
            return Some(Found {
                value: Value::new(text),
                origin: self.profile.config_origin(&api_key),
                name: api_key,
            });
        }
        let key_env = format!("{path}.key_env");
        let name = self.profile.config_value(&key_env)?.trim();
        let found = self.variable(Key::new(name).ok()?);
        if found.is_none() {
            // A key that somebody put here by mistake is no name, and not shown.
            self.unresolved.push(match in_capitals(name) {
                true => name.to_owned(),
                false => key_env,
            });
        }
        found
    }

    /// The entry of `custom_providers` with this name.
    fn custom(&mut self, id: &str) -> Option<Found> {
        let id = id.strip_prefix("custom:").unwrap_or(id);
        let entries = self.profile.custom_providers();
        let mut named = entries.iter().filter(|(_, name)| same(name, id));
        let (path, name) = named.next()?;
        let mut others: Vec<String> = named.map(|(path, _)| path.clone()).collect();
        if !others.is_empty() {
            // Two endpoints of one name: guessing could send a key to the wrong one.
            self.unresolved.push(path.clone());
            self.unresolved.append(&mut others);
            return None;
        }
        if let Some(found) = self.section(path) {
            return Some(found);
        }
        self.variable(Key::new(custom_key_name(name)).ok()?)
    }
}

/// Whether two names mean the same provider: case, blanks and `_` do not count.
fn same(one: &str, two: &str) -> bool {
    let plain = |name: &str| -> String {
        let name = name.trim();
        let name = name.strip_prefix("custom:").unwrap_or(name);
        let even = |c: char| match c {
            ' ' | '_' => '-',
            c => c.to_ascii_lowercase(),
        };
        name.chars().map(even).collect()
    };
    plain(one) == plain(two)
}
