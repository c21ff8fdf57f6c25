//! Keys that play the same part in a pair of profiles.
//!
//! A key's *part* is how it relates base, first and second profile: where it is
//! absent, which of its values are equal, and which profile hides it where it is
//! lacking. DESIGN.md says why one representative of each part, and each pair of
//! parts, loses nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::profile::Profile;
use crate::value::{Key, Value};

/// A part that keys play, and who plays it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Role {
    /// The first of `keys`.
    pub(super) representative: Key,
    /// All keys that play this part, in order.
    pub(super) keys: Vec<Key>,
    part: Part,
}

/// Base, first, second: `None` is absent, equal numbers are equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    values: [Option<u8>; 3],
    hidden: [bool; 2],
}

/// Base and two profiles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) base: &'a BTreeMap<Key, Value>,
    pub(super) first: &'a Arc<Profile>,
    pub(super) second: &'a Arc<Profile>,
}

impl Pair<'_> {
    /// The parts that keys play in this pair, by representative.
    pub(super) fn roles(&self) -> Vec<Role> {
        let mut roles: BTreeMap<Part, Vec<Key>> = BTreeMap::new();
        for key in self.keys() {
            roles.entry(self.part(&key)).or_default().push(key);
        }
        let mut roles: Vec<Role> = roles
            .into_iter()
            .map(|(part, keys)| Role {
                representative: keys[0].clone(),
                keys,
                part,
            })
            .collect();
        roles.sort_by(|a, b| a.representative.cmp(&b.representative));
        roles
    }

    pub(super) fn keys(&self) -> BTreeSet<Key> {
        let base = self.base.keys();
        let profiles = [self.first, self.second];
        let own = profiles
            .into_iter()
            .flat_map(|profile| profile.iter().map(|(key, _)| key));
        base.chain(own).cloned().collect()
    }

    /// Base, first and second value of a key.
    pub(super) fn values(&self, key: &Key) -> [Option<Value>; 3] {
        let own = |profile: &Profile| profile.get(key).map(|entry| entry.value().clone());
        [
            self.base.get(key).cloned(),
            own(self.first),
            own(self.second),
        ]
    }

    fn part(&self, key: &Key) -> Part {
        let values = self.values(key);
        let mut known: Vec<&Value> = Vec::new();
        let numbers = [0, 1, 2].map(|at: usize| {
            let value = values[at].as_ref()?;
            let number = known.iter().position(|earlier| *earlier == value);
            Some(number.unwrap_or_else(|| {
                known.push(value);
                known.len() - 1
            }) as u8)
        });
        // Hiding matters only where a value is lacking.
        let hides =
            |profile: &Profile, at: usize| numbers[at].is_none() && profile.isolates(key);
        Part {
            values: numbers,
            hidden: [hides(self.first, 1), hides(self.second, 2)],
        }
    }
}

impl Role {
    /// The same part, with its second key as the representative.
    pub(super) fn twin(&self) -> Option<Self> {
        let representative = self.keys.get(1)?.clone();
        Some(Self {
            representative,
            ..self.clone()
        })
    }

    /// The part in words.
    pub(super) fn describe(&self, first: &str, second: &str) -> String {
        let of = |at: usize, name: &str| {
            let hidden = at > 0 && self.part.hidden[at - 1];
            match self.part.values[at] {
                None if hidden => format!("hidden in {name}"),
                None => format!("absent in {name}"),
                Some(number) => {
                    match (0..at).find(|e| self.part.values[*e] == Some(number)) {
                        Some(0) => format!("{name} as base"),
                        Some(_) => format!("{name} as {first}"),
                        None => format!("own in {name}"),
                    }
                }
            }
        };
        [of(0, "base"), of(1, first), of(2, second)].join(", ")
    }
}
