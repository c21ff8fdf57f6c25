//! The real process environment: the mirror restores it to the byte.
//!
//! A file of its own, so that this is a process of its own; one test, so that
//! nothing else in it reads the environment meanwhile.

use std::path::PathBuf;

use isolane::{
    Host, Isolation, Key, OsEnv, ProcessEnv, Profile, ProfileName, State, Strategy, Value,
};

fn key(name: &str) -> Key {
    Key::new(name).unwrap()
}

#[cfg(unix)]
fn not_utf8() -> Value {
    use std::os::unix::ffi::OsStrExt;
    Value::new(std::ffi::OsStr::from_bytes(b"caf\xe9"))
}

#[cfg(not(unix))]
fn not_utf8() -> Value {
    Value::new("cafe")
}

#[test]
#[expect(
    unsafe_code,
    reason = "the mirror of the real environment is an unsafe opt-in"
)]
fn the_real_environment_is_restored_to_the_byte() {
    // SAFETY: this process has this one test, and nothing in it reads the
    // environment but through std.
    let env = unsafe { OsEnv::writable() };
    env.write(&key("ISOLANE_T_BYTES"), Some(&not_utf8()))
        .unwrap();
    env.write(&key("ISOLANE_T_EMPTY"), Some(&Value::new("")))
        .unwrap();
    env.write(&key("ISOLANE_T_ABSENT"), None).unwrap();
    env.write(&key("ISOLANE_T_API_KEY"), Some(&Value::new("base")))
        .unwrap();
    let host = Host::builder(env)
        .strategy(Strategy::Mirrored)
        .build()
        .unwrap();
    let before = host.env().snapshot();
    let values = ["BYTES", "EMPTY", "ABSENT"]
        .map(|name| (key(&format!("ISOLANE_T_{name}")), Value::new("mine")));
    let name = ProfileName::new("p1").unwrap();
    let profile = Profile::with_values(
        name,
        PathBuf::from("/p1"),
        values.into(),
        Isolation::Isolated,
    );

    let scope = host.enter(&profile).unwrap();
    for name in ["BYTES", "EMPTY", "ABSENT"] {
        let seen = host.env().get(&key(&format!("ISOLANE_T_{name}")));
        assert_eq!(seen, Some(Value::new("mine")));
    }
    assert_eq!(host.env().get(&key("ISOLANE_T_API_KEY")), None);
    drop(scope);
    assert!(
        host.env().snapshot() == before,
        "the environment is not what it was"
    );

    // `scoped` on the same host writes nothing and serves the library's readers.
    let scope = host.enter_with(Strategy::Scoped, &profile).unwrap();
    assert!(
        host.env().snapshot() == before,
        "`scoped` wrote the environment"
    );
    let own = host.get(&key("ISOLANE_T_EMPTY")).unwrap();
    assert_eq!(own, State::Set(Value::new("mine")));
    drop(scope);
}
