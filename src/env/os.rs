//! The real process environment: the one module with `unsafe`.
//!
//! `setenv` of C may move or free what another thread is reading through
//! `getenv`. std serialises its own reads and writes with a lock, but code that
//! goes round std (a C library's name lookup, an interpreter in the process) is
//! not stopped by it. So writing is off until a host opts in with an `unsafe`
//! call that states what it promises.
#![expect(
    clippy::disallowed_methods,
    reason = "this is the one home of the process environment"
)]

use std::collections::BTreeMap;

use super::process::{ProcessEnv, check_value};
use crate::error::{Error, Kind};
use crate::sync::Std;
use crate::value::{Key, Value};

/// The environment of this process.
///
/// # Examples
///
/// ```
/// use isolane::{Key, OsEnv, ProcessEnv, Value};
///
/// let env = OsEnv::read_only();
/// let key = Key::new("ISOLANE_DOC_EXAMPLE").unwrap();
/// assert_eq!(env.get(&key), None);
/// assert!(env.write(&key, Some(&Value::new("v"))).unwrap_err().is_not_allowed());
/// ```
#[derive(Debug)]
pub struct OsEnv {
    writable: bool,
}

impl OsEnv {
    /// An environment that is only read: enough for the `scoped` strategy.
    pub fn read_only() -> Self {
        Self { writable: false }
    }

    /// An environment that may be written, as a mirror needs it.
    ///
    /// # Safety
    ///
    /// As long as a host with this environment is used, no thread of the process
    /// may read or write the environment except through std (or on platforms
    /// where the C library itself makes that safe). This includes C code that
    /// calls `getenv`, such as name lookup, time zones and locales.
    #[expect(unsafe_code, reason = "the caller takes over the platform's contract")]
    pub unsafe fn writable() -> Self {
        Self { writable: true }
    }
}

impl ProcessEnv for OsEnv {
    type Sync = Std;

    fn get(&self, key: &Key) -> Option<Value> {
        std::env::var_os(key.as_os_str()).map(Value::new)
    }

    fn snapshot(&self) -> BTreeMap<Key, Value> {
        // A name that no API could ask for again (some platforms have `=C:`)
        // is left out rather than made up.
        std::env::vars_os()
            .filter_map(|(name, value)| Some((Key::new(name).ok()?, Value::new(value))))
            .collect()
    }

    #[expect(
        unsafe_code,
        reason = "writing the process environment is unsafe in std"
    )]
    fn write(&self, key: &Key, value: Option<&Value>) -> Result<(), Error> {
        if !self.writable {
            let message = "this host has not opted in to writing the process environment";
            return Err(Error::new(Kind::NotAllowed, message).key(key.to_string()));
        }
        match value {
            Some(value) => {
                check_value(key, value)?;
                // SAFETY: `writable` is true only after `OsEnv::writable`, whose
                // caller promised that nobody goes round std's lock. `Key` has no
                // NUL and no `=`, and the value was checked for NUL, so std does
                // not panic.
                unsafe { std::env::set_var(key.as_os_str(), value.expose()) }
            }
            // SAFETY: as above; `Key` is a name that std accepts.
            None => unsafe { std::env::remove_var(key.as_os_str()) },
        }
        Ok(())
    }

    fn may_write(&self) -> bool {
        self.writable
    }
}
