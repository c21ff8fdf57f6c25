//! Everything there is to say about one variable.

use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::compare::{Taken, readers};
use super::json::entry_json;
use super::resolved::{Resolved, place};
use crate::profile::{Dialect, Isolation, Profile};
use crate::value::{Key, State};

/// Why one variable reads as it does, in each of some profiles. Shows no value.
#[derive(Debug, Clone)]
pub struct Explained<'r> {
    resolved: &'r Resolved,
    key: Key,
}

/// One profile's part.
struct Part {
    profile: Arc<Profile>,
    readers: Option<[Taken; 3]>,
    /// Where the same secret is, if elsewhere and earlier.
    same_as: Option<String>,
    /// The providers whose key this is.
    providers: Vec<String>,
}

impl Resolved {
    /// Explains one variable.
    pub fn explain(&self, key: &Key) -> Explained<'_> {
        Explained {
            resolved: self,
            key: key.clone(),
        }
    }
}

impl Explained<'_> {
    fn parts(&self) -> Vec<Part> {
        let profiles = self.resolved.profiles().iter();
        profiles.map(|profile| self.part(profile)).collect()
    }

    fn part(&self, profile: &Arc<Profile>) -> Part {
        let key = &self.key;
        let own = format!("<{}/{key}>", profile.name());
        let same_as = profile.get(key).filter(|entry| entry.is_secret());
        let same_as = same_as.and_then(|entry| self.resolved.stand_in(entry.value()));
        let providers = profile.providers().iter();
        Part {
            profile: Arc::clone(profile),
            readers: readers(profile, key),
            same_as: same_as.filter(|holder| *holder != own).map(str::to_owned),
            providers: providers
                .filter(|provider| provider.keys().contains(key))
                .map(|provider| provider.id().to_owned())
                .collect(),
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let parts = self.parts();
        let parts = parts.iter().map(|part| part.text(&self.key));
        parts.collect::<Vec<_>>().join("\n")
    }

    /// As JSON.
    pub fn json(&self) -> Json {
        let parts = self.parts();
        let parts: Vec<Json> = parts.iter().map(|part| part.json(&self.key)).collect();
        json!({"version": 1, "key": self.key.to_string(), "profiles": parts})
    }
}

impl Part {
    /// What a reader in the profile's scope gets where the profile is silent.
    fn silent(&self, key: &Key) -> &'static str {
        match self.profile.isolates(key) {
            true => {
                "not set here: reads as unset, a credential of the base is not inherited"
            }
            false if self.profile.isolation() == Isolation::Shared => {
                "not set here: reads as the base environment's value, which is shared"
            }
            false => "not set here: reads as the base environment's value",
        }
    }

    fn text(&self, key: &Key) -> String {
        let mut text = format!("{}/{key}\n", self.profile.name());
        let mut line = |name: &str, what: &str| {
            let _ = writeln!(text, "  {name:<9} {what}");
        };
        match self.profile.get(key) {
            None => line("state", self.silent(key)),
            Some(entry) => {
                let state = match (entry.state(), entry.is_secret()) {
                    (State::Empty, _) => "explicitly empty: the base's value is hidden",
                    (_, true) => "set, secret",
                    (_, false) => "set",
                };
                line("state", state);
                line("from", &place(&self.profile, entry.origin()));
                for hidden in entry.shadows().iter().rev() {
                    line("over", &place(&self.profile, hidden));
                }
            }
        }
        if let Some(readers) = &self.readers {
            let each = Dialect::ALL.iter().zip(readers);
            let each: Vec<String> = each
                .map(|(dialect, taken)| format!("{}: {}", dialect.name(), taken.as_str()))
                .collect();
            line("readers", &each.join("; "));
        }
        if let Some(holder) = &self.same_as {
            line("same as", holder);
        }
        if !self.providers.is_empty() {
            line("used by", &self.providers.join(", "));
        }
        let about = self.profile.diagnostics().iter();
        let name = key.to_string();
        for found in about.filter(|found| found.key.as_deref() == Some(&*name)) {
            line(found.severity.as_str(), &found.to_string());
        }
        text
    }

    fn json(&self, key: &Key) -> Json {
        let mut row = match self.profile.get(key) {
            Some(entry) => entry_json(key, entry),
            None => json!({"key": key.to_string(), "state": "unset"}),
        };
        row["profile"] = json!(self.profile.name().as_str());
        row["isolated"] = json!(self.profile.isolates(key));
        row["providers"] = json!(self.providers);
        row["same_as"] = json!(self.same_as);
        if let Some(readers) = &self.readers {
            for (dialect, taken) in Dialect::ALL.iter().zip(readers) {
                row["readers"][dialect.name()] = json!(taken.as_str());
            }
        }
        row
    }
}
