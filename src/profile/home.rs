//! A home directory: the root profile and the named ones beside it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::name::ProfileName;
use super::resolve::Sources;
use super::settings::Settings;
use super::snapshot::Profile;
use crate::error::{Error, Kind};

/// The folder under the root that holds the named profiles.
const PROFILES: &str = "profiles";

const LEAVES: &str = "a link that leaves the profiles";

/// The root of a home and the profiles that it has.
///
/// Every path is canonical, so that two spellings of one directory are one home.
///
/// # Examples
///
/// ```no_run
/// use std::path::Path;
///
/// use isolane::{Home, Settings};
///
/// # fn main() -> Result<(), isolane::Error> {
/// let home = Home::open(Path::new("/srv/agent"))?;
/// for name in home.profiles() {
///     let profile = home.load(name, &Settings::default())?;
///     println!("{name}: {} variables", profile.iter().count());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home {
    root: PathBuf,
    active: ProfileName,
    profiles: Vec<ProfileName>,
    strangers: Vec<(PathBuf, &'static str)>,
}

impl Home {
    /// Opens a home. The folder of one of its profiles (`<root>/profiles/<name>`)
    /// stands for the root.
    ///
    /// # Errors
    ///
    /// [`Error::is_no_home`] where there is no such folder;
    /// [`Error::is_unreadable`] where it can not be listed.
    pub fn open(dir: &Path) -> Result<Self, Error> {
        let root = root_of(dir)?;
        let (profiles, strangers) = list(&root)?;
        let active = sticky(&root);
        Ok(Self {
            root,
            active,
            profiles,
            strangers,
        })
    }

    /// The root directory, canonical; the home of the default profile.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The profile that the file `active_profile` names, in any case and with blanks
    /// around it. A file that is missing, empty, unreadable or no profile name means
    /// the default one. The profile need not exist; [`Home::load`] tells.
    pub fn active_profile(&self) -> &ProfileName {
        &self.active
    }

    /// The profiles: the default one, then the others sorted by name.
    pub fn profiles(&self) -> &[ProfileName] {
        &self.profiles
    }

    /// What else lies among the profiles and is none, each with the reason: files,
    /// folders whose name is no profile name, links. A link to another profile can
    /// be loaded by its own name too and gives the other one.
    pub fn strangers(&self) -> impl Iterator<Item = (&Path, &'static str)> {
        let all = self.strangers.iter();
        all.map(|(path, reason)| (path.as_path(), *reason))
    }

    /// The folder of one profile, canonical.
    ///
    /// # Errors
    ///
    /// [`Error::is_no_home`] for an unknown profile and for one whose folder is a
    /// link that leaves the profiles.
    pub fn folder(
        &self,
        name: &ProfileName,
        settings: &Settings,
    ) -> Result<PathBuf, Error> {
        self.home_of(name, settings).map(|(_, folder)| folder)
    }

    /// Reads and resolves one profile, now and as a whole.
    ///
    /// # Errors
    ///
    /// [`Error::is_no_home`] for an unknown profile and for one whose folder is a
    /// link that leaves the profiles; [`Error::is_unreadable`] and
    /// [`Error::is_syntax`] for its files.
    pub fn load(
        &self,
        name: &ProfileName,
        settings: &Settings,
    ) -> Result<Arc<Profile>, Error> {
        let (name, home) = self.home_of(name, settings)?;
        let (dotenv, config) = (home.join(".env"), home.join("config.yaml"));
        let mut unreadable = Vec::new();
        let mut bytes = |path| match read(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                unreadable.push(error);
                None
            }
        };
        let (dotenv_bytes, config_bytes) = (bytes(&dotenv), bytes(&config));
        let sources = Sources {
            dotenv: dotenv_bytes.as_deref().map(|bytes| (&*dotenv, bytes)),
            config: config_bytes.as_deref().map(|bytes| (&*config, bytes)),
            unreadable,
        };
        Profile::resolve(name, home, sources, settings)
    }

    /// The named profile whose folder a path is.
    pub(super) fn profile_of(&self, path: &Path) -> Option<ProfileName> {
        let folder = canonical(path).ok()?;
        let inside = fs::canonicalize(self.root.join(PROFILES)).ok()?;
        profile_at(&folder, &inside).ok()
    }

    /// The identity of a profile: its name and its canonical folder, which must be
    /// one of the profiles' own.
    ///
    /// A link from one profile to another gives the other one, so that one folder
    /// is never two profiles.
    fn home_of(
        &self,
        name: &ProfileName,
        settings: &Settings,
    ) -> Result<(ProfileName, PathBuf), Error> {
        if name.is_default() || settings.default_aliases.contains(name) {
            return Ok((ProfileName::default_profile(), self.root.clone()));
        }
        let path = self.root.join(PROFILES).join(name.as_str());
        let inside = self.root.join(PROFILES);
        let (Ok(home), Ok(inside)) = (canonical(&path), canonical(&inside)) else {
            return Err(no_home(&path, "no such profile"));
        };
        if home.parent() != Some(&inside) {
            return Err(no_home(&path, LEAVES));
        }
        let real = home.file_name().and_then(|name| name.to_str());
        let real = real.and_then(|name| ProfileName::new(name).ok());
        Ok((real.unwrap_or_else(|| name.clone()), home))
    }
}

fn no_home(path: &Path, message: &str) -> Error {
    Error::new(Kind::NoHome, message).at(path, 0, 0)
}

/// The canonical path of a directory.
fn canonical(path: &Path) -> Result<PathBuf, Error> {
    match fs::canonicalize(path) {
        Ok(found) if found.is_dir() => Ok(found),
        Ok(_) => Err(no_home(path, "not a directory")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(no_home(path, "no such directory"))
        }
        Err(error) => Err(no_home(
            path,
            &format!("no usable directory: {}", error.kind()),
        )),
    }
}

/// Unwraps `<root>/profiles/<name>`, as it is spelled or as it really is.
fn root_of(dir: &Path) -> Result<PathBuf, Error> {
    let found = canonical(dir)?;
    let spelled = dir
        .parent()
        .and_then(|parent| fs::canonicalize(parent).ok());
    let spelled = dir.file_name().and(spelled);
    let real = found.parent().map(Path::to_path_buf);
    for parent in [spelled, real].into_iter().flatten() {
        if parent.file_name().is_some_and(|name| name == PROFILES)
            && let Some(root) = parent.parent()
        {
            return Ok(root.to_path_buf());
        }
    }
    Ok(found)
}

/// The profiles of a home, and what lies among them without being one.
type Listing = (Vec<ProfileName>, Vec<(PathBuf, &'static str)>);

/// The default profile, then every folder whose name is a profile name.
fn list(root: &Path) -> Result<Listing, Error> {
    let path = root.join(PROFILES);
    let unreadable = |error: std::io::Error| {
        Error::new(Kind::Unreadable, error.kind().to_string()).at(&path, 0, 0)
    };
    let (mut found, mut strangers) = (Vec::new(), Vec::new());
    match fs::read_dir(&path) {
        Ok(entries) => {
            let inside = fs::canonicalize(&path).map_err(unreadable)?;
            for entry in entries {
                let path = entry.map_err(unreadable)?.path();
                match profile_at(&path, &inside) {
                    Ok(name) => found.push(name),
                    Err(reason) => strangers.push((path, reason)),
                }
            }
        }
        Err(error)
            if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
        Err(error) => return Err(unreadable(error)),
    }
    found.sort();
    strangers.sort();
    found.insert(0, ProfileName::default_profile());
    Ok((found, strangers))
}

/// The profile that a path among the profiles is, or why it is none.
fn profile_at(path: &Path, inside: &Path) -> Result<ProfileName, &'static str> {
    let Ok(folder) = canonical(path) else {
        return Err("not a folder");
    };
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.and_then(|name| ProfileName::new(name).ok());
    let name = name.ok_or("its name is no profile name")?;
    if name.is_default() {
        return Err("`default` is the root itself");
    }
    if folder.parent() != Some(inside) {
        return Err(LEAVES);
    }
    if folder.file_name() != path.file_name() {
        return Err("a link to another profile");
    }
    Ok(name)
}

fn sticky(root: &Path) -> ProfileName {
    fs::read_to_string(root.join("active_profile"))
        .ok()
        .and_then(|text| ProfileName::normalized(&text).ok())
        .unwrap_or_else(ProfileName::default_profile)
}

/// The content of a file; nothing where there is none.
fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let unreadable = |message: String| Error::new(Kind::Unreadable, message).at(path, 0, 0);
    match fs::metadata(path) {
        Ok(about) if !about.is_file() => Err(unreadable("not a regular file".to_owned())),
        Ok(_) => fs::read(path)
            .map(Some)
            .map_err(|error| unreadable(error.kind().to_string())),
        Err(error)
            if error.kind() == ErrorKind::NotFound && path.symlink_metadata().is_err() =>
        {
            Ok(None)
        }
        Err(error) => Err(unreadable(error.kind().to_string())),
    }
}
