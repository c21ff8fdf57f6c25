//! From the bytes of two files to a profile: precedence, refusals, references.
//!
//! The weakest layer comes first: `terminal:` of `config.yaml`, then `.env`, then
//! the home variable of the host.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::config::{self, Config, Strictness};
use super::credentials::is_credential_name;
use super::denied::denied;
use super::diagnostic::{Diagnostic, Severity, printable};
use super::dotenv::{self, Parsed};
use super::entry::Entry;
use super::name::ProfileName;
use super::settings::Settings;
use super::snapshot::Profile;
use crate::error::{Error, Kind};
use crate::value::{Key, Layer, Origin, Value};

/// A file by its path and content.
type Source<'s> = (&'s Path, &'s [u8]);

pub(super) fn resolve(
    name: ProfileName,
    home: PathBuf,
    dotenv: Option<Source<'_>>,
    config: Option<Source<'_>>,
    settings: &Settings,
) -> Result<Profile, Error> {
    let mut resolver = Resolver::default();
    let parsed = dotenv.map(|(path, bytes)| {
        let file = Arc::from(path);
        let parsed = dotenv::parse(bytes, settings.dialect);
        resolver.note(&file, &parsed.diagnostics);
        (file, parsed)
    });
    let config = config.map(|(path, bytes)| {
        let file = Arc::from(path);
        let config = config::read(bytes, Strictness::Strict);
        resolver.note(&file, &config.diagnostics);
        (file, config)
    });
    resolver.refuse_errors(&name)?;

    if let Some((file, parsed)) = &parsed {
        resolver.take_dotenv(file, parsed, settings);
    }
    resolver.take_home(&home, settings);
    let mut profile = Profile {
        name,
        home,
        entries: BTreeMap::new(),
        isolation: settings.isolation,
        key_names: BTreeSet::new(),
        config: BTreeMap::new(),
        warnings: Vec::new(),
    };
    if let Some((file, config)) = config {
        resolver.take_terminal(&file, &config, settings);
        profile.config = resolver.expand_all(&file, &config);
        profile.key_names = config
            .key_names
            .iter()
            .filter_map(|name| Key::new(name).ok())
            .collect();
        for name in &profile.key_names {
            if let Some(entry) = resolver.entries.get_mut(name) {
                entry.secret = true;
            }
        }
    }
    profile.entries = resolver.entries;
    resolver.warnings.sort_by(|one, two| {
        let place = |found: &Diagnostic| (found.line, found.column);
        (&one.file, place(one)).cmp(&(&two.file, place(two)))
    });
    profile.warnings = resolver.warnings;
    Ok(profile)
}

#[derive(Default)]
struct Resolver {
    entries: BTreeMap<Key, Entry>,
    warnings: Vec<Diagnostic>,
    errors: Vec<Error>,
}

impl Resolver {
    fn note(&mut self, file: &Arc<Path>, found: &[Diagnostic]) {
        for problem in found {
            let problem = problem.clone().file(file);
            if problem.is_error() {
                self.errors.push(problem.to_error());
            } else {
                self.warnings.push(problem);
            }
        }
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
        self.warnings.push(warning.key(printable(key)).file(file));
    }

    /// All problems of both files in one error, so that nothing is half applied.
    fn refuse_errors(&mut self, name: &ProfileName) -> Result<(), Error> {
        let errors = std::mem::take(&mut self.errors);
        if errors.is_empty() {
            return Ok(());
        }
        let count = match errors.len() {
            1 => "1 problem".to_owned(),
            several => format!("{several} problems"),
        };
        Err(Error::all(
            Kind::Syntax,
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
            if let Some(why) = denied(&assignment.key, settings.home_variable.as_ref()) {
                self.warn(file, place, "denied", &assignment.key, why);
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
            if let Some(why) = denied(name, settings.home_variable.as_ref()) {
                self.warn(file, (*line, 0), "denied", name, why);
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
        let secret = is_credential_name(&key);
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
        self.entries.insert(
            key,
            Entry {
                value,
                origin,
                secret,
                shadows,
            },
        );
    }

    fn expand_all(
        &mut self,
        file: &Arc<Path>,
        config: &Config,
    ) -> BTreeMap<String, String> {
        let mut unknown = Vec::new();
        let expanded = config
            .scalars
            .iter()
            .map(|(path, (text, line))| {
                let value = config::expand(
                    text,
                    |name| self.text(name),
                    |name| unknown.push((name.to_owned(), *line)),
                );
                (path.clone(), value)
            })
            .collect();
        for (name, line) in unknown {
            // A secret that somebody put between the braces by mistake is hardly
            // in capitals, and a name nearly always is.
            let capitals = !name.bytes().any(|byte| byte.is_ascii_lowercase());
            let shown = if capitals { &*name } else { "" };
            let message = "`${...}` names a variable that the profile does not set";
            self.warn(file, (line, 0), "unresolved", shown, message);
        }
        expanded
    }

    /// The value of one of the profile's own variables.
    fn text(&self, name: &str) -> Option<String> {
        let key = Key::new(name).ok()?;
        let entry = self.entries.get(&key)?;
        Some(entry.value.expose().to_string_lossy().into_owned())
    }
}
