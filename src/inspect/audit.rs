//! What in a home is dangerous, or read differently by different readers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::advice::advice;
use super::compare::disagreements;
use super::files::permissions;
use super::json::number;
use crate::error::Error;
use crate::profile::{
    Diagnostic, Entry, Home, Isolation, Profile, ProfileName, Settings, Severity, is_usable,
};
use crate::value::{Key, Layer, Origin, Value};

/// One thing that somebody should know about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// A short name of the kind of finding, stable across versions.
    pub code: &'static str,
    /// The profile that it is about; `None` where it is about the home.
    pub profile: Option<ProfileName>,
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1; 0 where the whole file is meant.
    pub line: u32,
    /// The variable or the dotted path, where it is safe to print.
    pub key: Option<String>,
    /// What is the matter.
    pub message: String,
}

impl Finding {
    /// What to do about it, in one line.
    pub fn advice(&self) -> &'static str {
        advice(self.code)
    }
}

/// One profile in figures.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The profile.
    pub profile: ProfileName,
    /// The names in its `.env`.
    pub keys: usize,
    /// Those of them that the three readers do not agree on.
    pub disagree: usize,
}

/// The findings of a home.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Audit {
    /// The root, canonical.
    pub root: PathBuf,
    /// Each profile in figures.
    pub profiles: Vec<Summary>,
    /// The findings: those of the home first, then profile by profile, in file order.
    pub findings: Vec<Finding>,
}

impl Audit {
    /// The worst severity of all findings.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }

    /// As JSON.
    pub fn json(&self) -> Json {
        let finding = |found: &Finding| {
            json!({
                "severity": found.severity.as_str(),
                "code": found.code,
                "profile": found.profile.as_ref().map(ProfileName::as_str),
                "file": found.file.to_string_lossy(),
                "line": number(found.line),
                "key": found.key,
                "message": found.message,
                "advice": found.advice(),
            })
        };
        let summary = |of: &Summary| json!({"profile": of.profile.as_str(), "keys": of.keys, "readers_disagree": of.disagree});
        json!({
            "version": 1,
            "home": self.root.to_string_lossy(),
            "profiles": self.profiles.iter().map(summary).collect::<Vec<_>>(),
            "findings": self.findings.iter().map(finding).collect::<Vec<_>>(),
        })
    }
}

/// Looks through a home. What would refuse a profile is a finding, not an error.
///
/// # Errors
///
/// Those of [`Home::open`]: there is no home to look through.
///
/// # Examples
///
/// ```no_run
/// use isolane::inspect::audit;
/// use isolane::{Settings, Severity};
///
/// # fn main() -> Result<(), isolane::Error> {
/// let audit = audit("/srv/agent".as_ref(), &Settings::default())?;
/// assert_ne!(audit.worst(), Some(Severity::Error));
/// # Ok(())
/// # }
/// ```
pub fn audit(dir: &Path, settings: &Settings) -> Result<Audit, Error> {
    let home = Home::open(dir)?;
    let settings = Settings {
        lenient: true,
        isolation: Isolation::Isolated,
        ..settings.clone()
    };
    let mut auditor = Auditor::default();
    auditor.home(&home);
    let mut profiles = Vec::new();
    for name in home.profiles() {
        match home.load(name, &settings) {
            Ok(profile) => profiles.push(profile),
            Err(error) => auditor.refused(&home, name, &error),
        }
    }
    for profile in &profiles {
        auditor.profile(profile);
        if let Some(root) = profiles.iter().find(|root| root.name().is_default()) {
            auditor.inherited(root, profile);
        }
    }
    auditor.between(&profiles);
    let summary = |profile: &Arc<Profile>| {
        let (keys, disagree) = disagreements(&profile.home().join(".env"));
        Summary {
            profile: profile.name().clone(),
            keys,
            disagree,
        }
    };
    let mut findings = auditor.findings;
    let order = |name: &Option<ProfileName>| {
        name.as_ref().map(|name| (!name.is_default(), name.clone()))
    };
    findings.sort_by_cached_key(|found| {
        let place = (found.file.clone(), found.line, found.key.clone());
        (order(&found.profile), place, found.code)
    });
    Ok(Audit {
        root: home.root().to_path_buf(),
        profiles: profiles.iter().map(summary).collect(),
        findings,
    })
}

#[derive(Default)]
struct Auditor {
    findings: Vec<Finding>,
}

/// A finding at an origin.
fn at(
    (severity, code): (Severity, &'static str),
    profile: &Profile,
    origin: &Origin,
    key: &Key,
    message: impl Into<String>,
) -> Finding {
    let file = origin.file.as_deref();
    Finding {
        severity,
        code,
        profile: Some(profile.name().clone()),
        file: file.unwrap_or_else(|| profile.home()).to_path_buf(),
        line: origin.line,
        key: Some(key.to_string()),
        message: message.into(),
    }
}

impl Auditor {
    fn about_home(
        &mut self,
        severity: Severity,
        code: &'static str,
        file: &Path,
        message: &str,
    ) {
        self.findings.push(Finding {
            severity,
            code,
            profile: None,
            file: file.to_path_buf(),
            line: 0,
            key: None,
            message: message.to_owned(),
        });
    }

    fn home(&mut self, home: &Home) {
        for (path, reason) in home.strangers() {
            let message = format!("not a profile: {reason}");
            self.about_home(Severity::Note, "stranger", path, &message);
        }
        let file = home.root().join("active_profile");
        let message = match std::fs::read(&file) {
            Err(_) if file.symlink_metadata().is_err() => return,
            Err(_) => "not readable, so the default profile is used",
            Ok(bytes) => match std::str::from_utf8(&bytes).map(str::trim) {
                Ok("") => return,
                Ok(text) => match ProfileName::normalized(text) {
                    Ok(name) if home.profiles().contains(&name) => return,
                    Ok(_) => "names a profile that does not exist",
                    Err(_) => "no profile name, so the default profile is used",
                },
                Err(_) => "not text, so the default profile is used",
            },
        };
        self.about_home(Severity::Warning, "active-profile", &file, message);
    }

    fn refused(&mut self, home: &Home, name: &ProfileName, error: &Error) {
        let location = error.location();
        self.findings.push(Finding {
            severity: Severity::Error,
            code: "no-home",
            profile: Some(name.clone()),
            file: location.map_or(home.root(), |at| at.file()).to_path_buf(),
            line: 0,
            key: None,
            message: error.message().to_owned(),
        });
    }

    fn profile(&mut self, profile: &Profile) {
        let found = profile.diagnostics().iter();
        self.findings
            .extend(found.map(|found| diagnosed(profile, found)));
        for (key, entry) in profile.iter() {
            let text = entry.value().expose().to_str();
            let keyed = profile.is_credential(key) && !entry.value().is_empty();
            if keyed && !text.is_some_and(is_usable) {
                let kind = (Severity::Note, "unusable");
                let message = "a placeholder or a reference, not a key";
                self.findings
                    .push(at(kind, profile, entry.origin(), key, message));
            }
        }
        let secrets = profile
            .iter()
            .any(|(_, entry)| entry.is_secret() && entry.origin().layer == Layer::DotEnv);
        self.modes(profile, ".env", secrets);
        self.modes(profile, "config.yaml", profile.config_holds_secrets());
    }

    fn modes(&mut self, profile: &Profile, name: &str, secrets: bool) {
        let file = profile.home().join(name);
        for (code, message) in permissions(&file, secrets) {
            self.about_home(Severity::Warning, code, &file, message);
            if let Some(found) = self.findings.last_mut() {
                found.profile = Some(profile.name().clone());
            }
        }
    }

    /// Credentials of the root that the profile lacks.
    fn inherited(&mut self, root: &Profile, profile: &Profile) {
        for (key, entry) in root.iter().filter(|(key, _)| profile.isolates(key)) {
            let kind = (Severity::Warning, "inherited");
            let message =
                "the profile lacks it, and a reader without isolation gets the root's";
            let mut found = at(kind, root, entry.origin(), key, message);
            found.profile = Some(profile.name().clone());
            self.findings.push(found);
        }
    }

    /// What several profiles have: different values of one key, one secret twice.
    fn between(&mut self, profiles: &[Arc<Profile>]) {
        let mut keys: BTreeMap<&Key, Vec<(&Profile, &Entry)>> = BTreeMap::new();
        let mut secrets: BTreeMap<&Value, (&Profile, &Key)> = BTreeMap::new();
        for profile in profiles {
            for (key, entry) in profile.iter() {
                if entry.origin().layer != Layer::Host {
                    keys.entry(key).or_default().push((profile, entry));
                }
                let usable = entry.value().expose().to_str().is_some_and(is_usable);
                if !entry.is_secret() || !usable {
                    continue;
                }
                let (owner, first) =
                    *secrets.entry(entry.value()).or_insert((profile, key));
                if owner.name() != profile.name() {
                    let message = format!("the same secret as {}/{first}", owner.name());
                    let kind = (Severity::Note, "shared-secret");
                    self.findings
                        .push(at(kind, profile, entry.origin(), key, message));
                }
            }
        }
        for (key, holders) in keys {
            let (first, entry) = holders[0];
            let others = holders
                .iter()
                .filter(|(_, other)| other.value() != entry.value());
            let others: Vec<&str> =
                others.map(|(profile, _)| profile.name().as_str()).collect();
            if !others.is_empty() {
                let message = format!("another value in {}", others.join(", "));
                let kind = (Severity::Note, "differs");
                self.findings
                    .push(at(kind, first, entry.origin(), key, message));
            }
        }
    }
}

fn diagnosed(profile: &Profile, found: &Diagnostic) -> Finding {
    Finding {
        severity: found.severity,
        code: found.code,
        profile: Some(profile.name().clone()),
        file: found
            .file
            .as_deref()
            .unwrap_or(profile.home())
            .to_path_buf(),
        line: found.line,
        key: found.key.clone(),
        message: found.message.clone(),
    }
}
