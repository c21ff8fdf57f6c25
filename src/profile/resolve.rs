//! From the bytes of two files to a profile: precedence, refusals, references.
//!
//! The weakest layer comes first: `terminal:` of `config.yaml`, then `.env`, then
//! the home variable of the host.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::config::{self, Config, Strictness};
use super::credentials::{Provider, is_credential_name, is_usable, looks_secret};
use super::denied::denied;
use super::diagnostic::{Diagnostic, Severity, in_capitals, printable};
use super::dotenv::{self, Parsed};
use super::entry::Entry;
use super::name::ProfileName;
use super::settings::Settings;
use super::snapshot::Profile;
use crate::error::{Error, Kind};
use crate::value::{Key, Layer, Origin, Value};

/// A file by its path and content.
type Source<'s> = (&'s Path, &'s [u8]);

/// The files of a profile, and what is wrong with them before they are read.
pub(super) struct Sources<'s> {
    pub(super) dotenv: Option<Source<'s>>,
    pub(super) config: Option<Source<'s>>,
    pub(super) unreadable: Vec<Error>,
}

pub(super) fn resolve(
    name: ProfileName,
    home: PathBuf,
    sources: Sources<'_>,
    settings: &Settings,
) -> Result<Profile, Error> {
    let mut resolver = Resolver::default();
    let dotenv = sources.dotenv.map(|(path, bytes)| {
        let file = Arc::from(path);
        let parsed = dotenv::parse(bytes, settings.dialect);
        resolver.note(&file, &parsed.diagnostics);
        (file, parsed)
    });
    let config = sources.config.map(|(path, bytes)| {
        let file = Arc::from(path);
        let mut config = config::read(bytes, Strictness::Strict);
        resolver.note(&file, &config.diagnostics);
        if settings.lenient && config.diagnostics.iter().any(Diagnostic::is_error) {
            config = config::read(bytes, Strictness::Lenient);
        }
        (file, config)
    });
    resolver.refuse_errors(&name, sources.unreadable, settings.lenient)?;

    if let Some((file, parsed)) = &dotenv {
        resolver.take_dotenv(file, parsed, settings);
    }
    resolver.take_home(&home, settings);
    let mut profile = Profile::empty(name, home, settings);
    if let Some((file, config)) = config {
        resolver.take_terminal(&file, &config, settings);
        resolver.expand_all(&file, &config, &mut profile);
        let named = config
            .key_names
            .iter()
            .filter_map(|name| Key::new(name).ok());
        profile.key_names.extend(named);
        profile.config_file = Some(file);
    }
    let known = settings.providers.iter().flat_map(Provider::keys);
    let by_look = |key: &&Key| !is_credential_name(key);
    profile.key_names.extend(known.filter(by_look).cloned());
    for name in &profile.key_names {
        if let Some(entry) = resolver.entries.get_mut(name) {
            entry.secret = true;
        }
    }
    profile.entries = resolver.entries;
    profile.diagnostics = resolver.diagnostics;
    sort(&mut profile.diagnostics);
    Ok(profile)
}

fn sort(found: &mut [Diagnostic]) {
    found.sort_by(|one, two| {
        let place = |found: &Diagnostic| (found.line, found.column);
        (&one.file, place(one)).cmp(&(&two.file, place(two)))
    });
}

#[derive(Default)]
struct Resolver {
    entries: BTreeMap<Key, Entry>,
    diagnostics: Vec<Diagnostic>,
}

impl Resolver {
    fn note(&mut self, file: &Arc<Path>, found: &[Diagnostic]) {
        let placed = found.iter().map(|problem| problem.clone().file(file));
        self.diagnostics.extend(placed);
    }

    fn warn(
        &mut self,
        file: &Arc<Path>,
        place: (u32, u32),
        code: &'static str,
        key: &str,
        message: &str,
    ) {
        let warning = Diagnostic::new(Severity::Warning, code, place, message);
        self.diagnostics
            .push(warning.key(printable(key)).file(file));
    }

    /// All problems of both files in one error, so that nothing is half applied.
    fn refuse_errors(
        &mut self,
        name: &ProfileName,
        unreadable: Vec<Error>,
        lenient: bool,
    ) -> Result<(), Error> {
        if lenient {
            let found = unreadable.iter().map(Diagnostic::unreadable);
            self.diagnostics.extend(found);
            return Ok(());
        }
        let kind = match unreadable.is_empty() {
            true => Kind::Syntax,
            false => Kind::Unreadable,
        };
        let mut errors = unreadable;
        sort(&mut self.diagnostics);
        let found = self.diagnostics.iter().filter(|problem| problem.is_error());
        errors.extend(found.map(Diagnostic::to_error));
        let count = match errors.len() {
            0 => return Ok(()),
            1 => "1 problem".to_owned(),
            several => format!("{several} problems"),
        };
        Err(Error::all(
            kind,
            format!("profile `{name}` has {count}"),
            errors,
        ))
    }

    fn take_dotenv(&mut self, file: &Arc<Path>, parsed: &Parsed, settings: &Settings) {
        for assignment in &parsed.entries {
            let Some(value) = &assignment.value else {
                continue;
            };
            let place = (assignment.line, assignment.column);
            if assignment.piece {
                let message = "a piece of a quoted value is no variable; left out";
                self.warn(file, place, "inside-quotes", "", message);
                continue;
            }
            if let Some(why) = denied(&assignment.key, settings) {
                self.warn(file, place, why.code(), &assignment.key, why.message());
                continue;
            }
            // The tokenizer gives no empty name and none with `=`, and NUL is an
            // error of the file, so every name is a key.
            if let Ok(key) = Key::new(&assignment.key) {
                self.put(
                    key,
                    value.clone(),
                    Origin::file(Layer::DotEnv, file, place.0),
                );
            }
        }
    }

    /// The home variable wins over what is there.
    fn take_home(&mut self, home: &Path, settings: &Settings) {
        if let Some(key) = &settings.home_variable {
            self.put(key.clone(), Value::new(home), Origin::layer(Layer::Host));
        }
    }

    /// Adds the weakest layer last, because its values may refer to the others.
    fn take_terminal(&mut self, file: &Arc<Path>, config: &Config, settings: &Settings) {
        let mut found = Vec::new();
        for (&name, (text, line)) in &config.terminal {
            if let Some(why) = denied(name, settings) {
                self.warn(file, (*line, 0), why.code(), name, why.message());
                continue;
            }
            // Unknown names are reported once, with every other scalar.
            let value = config::expand(text, |name| self.text(name), |_| {});
            if let Ok(key) = Key::new(name) {
                found.push((key, value, Origin::file(Layer::Config, file, *line)));
            }
        }
        for (key, value, origin) in found {
            match self.entries.get_mut(&key) {
                Some(entry) => entry.shadows.insert(0, origin),
                None => self.put(key, Value::new(value), origin),
            }
        }
    }

    /// Sets a variable over what was there.
    fn put(&mut self, key: Key, value: Value, origin: Origin) {
        let shadows = match self.entries.remove(&key) {
            Some(Entry {
                origin,
                mut shadows,
                ..
            }) => {
                shadows.push(origin);
                shadows
            }
            None => Vec::new(),
        };
        let entry = Entry::new(&key, value, origin, shadows);
        self.entries.insert(key, entry);
    }

    fn expand_all(&mut self, file: &Arc<Path>, config: &Config, profile: &mut Profile) {
        for (path, (text, line)) in &config.scalars {
            let mut unknown = Vec::new();
            let value = config::expand(
                text,
                |name| self.text(name),
                |name| unknown.push(name.to_owned()),
            );
            let key = path.ends_with("api_key") && is_usable(text);
            if value == *text && (key || looks_secret(text)) {
                profile.config_secrets.push(path.clone());
            }
            profile.config.insert(path.clone(), (value, *line));
            for name in &mut unknown {
                if !in_capitals(name) {
                    name.clear();
                }
                let message = "`${...}` names a variable that the profile does not set";
                self.warn(file, (*line, 0), "unresolved", name, message);
            }
            if !unknown.is_empty() {
                profile.unresolved.insert(path.clone(), unknown);
            }
        }
    }

    /// The value of one of the profile's own variables.
    fn text(&self, name: &str) -> Option<String> {
        let key = Key::new(name).ok()?;
        let entry = self.entries.get(&key)?;
        Some(entry.value.expose().to_string_lossy().into_owned())
    }
}
