//! Fixture homes: one TOML file each, written to a temporary directory.
//!
//! Every secret in them contains [`CANARY`], so that a search for it finds each one.

#![allow(dead_code, reason = "no test binary uses all of it")]
#![allow(clippy::unwrap_used, reason = "only tests call this")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use isolane::{Dialect, Home, Key, Settings};

/// What every secret of a fixture contains.
pub(crate) const CANARY: &str = "s3cr3t";

pub(crate) const DIALECTS: [(Dialect, &str); 3] = [
    (Dialect::Hermes, "hermes"),
    (Dialect::Webui, "webui"),
    (Dialect::PythonDotenv, "python-dotenv"),
];

/// A home and how it is looked at.
pub(crate) struct Fixture {
    pub(crate) name: String,
    /// The rule that it shows.
    pub(crate) about: String,
    pub(crate) home_variable: Option<String>,
    pub(crate) dialects: Vec<(Dialect, &'static str)>,
    /// The providers that are looked up in each profile.
    pub(crate) credentials: Vec<String>,
    dir: tempfile::TempDir,
}

impl Fixture {
    /// All fixtures, in the order of their names.
    pub(crate) fn all() -> Vec<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/homes");
        let mut paths: Vec<PathBuf> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        assert!(paths.len() >= 6, "fixtures are missing");
        paths.iter().map(|path| Self::read(path)).collect()
    }

    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let table: toml::Table = text.parse().unwrap_or_else(|error| {
            panic!("{}: {error}", path.display());
        });
        let list = |key: &str| -> Vec<String> {
            let list = table.get(key).and_then(toml::Value::as_array);
            let list = list.into_iter().flatten();
            list.map(|item| item.as_str().unwrap().to_owned()).collect()
        };
        let asked = list("dialects");
        let wanted = |name: &str| match asked.is_empty() {
            true => name == "hermes",
            false => asked.iter().any(|asked| asked == name),
        };
        let files: BTreeMap<&str, &str> = table["files"]
            .as_table()
            .unwrap()
            .iter()
            .map(|(path, content)| (path.as_str(), content.as_str().unwrap()))
            .collect();
        Self {
            name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
            about: table["about"].as_str().unwrap().to_owned(),
            home_variable: table
                .get("home_variable")
                .map(|name| name.as_str().unwrap().to_owned()),
            dialects: DIALECTS
                .into_iter()
                .filter(|(_, name)| wanted(name))
                .collect(),
            credentials: list("credentials"),
            dir: write(&files),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn home(&self) -> Home {
        Home::open(self.path()).unwrap()
    }

    pub(crate) fn settings(&self, dialect: Dialect, lenient: bool) -> Settings {
        Settings {
            dialect,
            lenient,
            home_variable: self
                .home_variable
                .as_ref()
                .map(|name| Key::new(name).unwrap()),
            ..Settings::default()
        }
    }

    /// The one redactor of snapshots: the home's own path is `<home>`, and what is
    /// left must hold no secret.
    pub(crate) fn redacted(&self, text: &str) -> String {
        let text = text.replace(&*self.home().root().to_string_lossy(), "<home>");
        assert!(!text.contains(CANARY), "a secret in {}:\n{text}", self.name);
        text
    }
}

/// Only the owner may read the files, as it should be.
fn write(files: &BTreeMap<&str, &str>) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        }
    }
    dir
}
