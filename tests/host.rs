//! What a host promises on one thread, on plain std primitives.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use isolane::sync::Std;
use isolane::{
    Catalog, Fallback, Host, Isolation, Key, OsEnv, ProcessEnv, Profile, ProfileName,
    Session, SimEnv, State, Strategy, Value,
};

type Env = BTreeMap<Key, Value>;

fn key(name: &str) -> Key {
    Key::new(name).unwrap()
}

fn env(values: &[(&str, &str)]) -> Env {
    values
        .iter()
        .map(|(name, value)| (key(name), Value::new(value)))
        .collect()
}

fn profile(name: &str, values: &[(&str, &str)]) -> Arc<Profile> {
    let name = ProfileName::new(name).unwrap();
    let home = PathBuf::from(format!("/{name}"));
    Profile::with_values(name, home, env(values), Isolation::Isolated)
}

fn host(strategy: Strategy, base: &Env) -> Host<SimEnv<Std>> {
    let env = SimEnv::<Std>::new(base.clone());
    Host::builder(env)
        .strategy(strategy)
        .root("/base")
        .build()
        .unwrap()
}

fn set(value: &str) -> State<Value> {
    State::Set(Value::new(value))
}

#[test]
fn a_scope_gives_own_values_and_falls_back_to_the_base() {
    for strategy in Strategy::ALL {
        let host = host(
            strategy,
            &env(&[("K", "base"), ("LANG", "C"), ("A_API_KEY", "b")]),
        );
        let scope = host
            .enter(&profile("p1", &[("K", "1"), ("E", "")]))
            .unwrap();
        assert_eq!(host.get(&key("K")).unwrap(), set("1"));
        assert_eq!(host.get(&key("E")).unwrap(), State::Empty);
        assert_eq!(host.get(&key("LANG")).unwrap(), set("C"));
        // A credential that the profile lacks is nobody's.
        assert_eq!(host.get(&key("A_API_KEY")).unwrap(), State::Unset);
        assert_eq!(host.home().unwrap(), PathBuf::from("/p1"));
        drop(scope);
        assert_eq!(host.get(&key("K")).unwrap(), set("base"));
        assert_eq!(host.home().unwrap(), PathBuf::from("/base"));
    }
}

#[test]
fn a_mirror_shows_one_profile_at_a_time_and_hides_credentials() {
    let base = env(&[("K", "base"), ("A_API_KEY", "b"), ("SAME", "s")]);
    let host = host(Strategy::Mirrored, &base);
    let one = host
        .enter(&profile("p1", &[("K", "1"), ("ONLY1", "x")]))
        .unwrap();
    assert_eq!(
        host.env().snapshot(),
        env(&[("K", "1"), ("ONLY1", "x"), ("SAME", "s")])
    );
    let two = host.enter(&profile("p2", &[("K", "2")])).unwrap();
    assert_eq!(host.env().snapshot(), env(&[("K", "2"), ("SAME", "s")]));
    drop(two);
    assert_eq!(
        host.env().snapshot(),
        env(&[("K", "1"), ("ONLY1", "x"), ("SAME", "s")])
    );
    drop(one);
    assert_eq!(host.env().snapshot(), base);
}

#[test]
fn a_value_that_the_platform_refuses_changes_nothing() {
    let base = env(&[("A", "a"), ("Z", "z")]);
    let host = host(Strategy::Mirrored, &base);
    let outer = host.enter(&profile("p1", &[("A", "1")])).unwrap();
    let before = host.env().snapshot();
    let error = host.enter(&profile(
        "p2",
        &[("A", "2"), ("B", "x\0c4n4ry"), ("Z", "2")],
    ));
    let error = error.unwrap_err();
    assert!(error.is_refused());
    assert_eq!(error.variable(), Some("B"));
    assert!(!error.to_string().contains("c4n4ry"));
    assert_eq!(host.env().snapshot(), before);
    assert_eq!(host.get(&key("A")).unwrap(), set("1"));
    drop(outer);
    assert_eq!(host.env().snapshot(), base);
}

#[test]
fn an_outside_write_is_kept_and_reported_once() {
    let host = host(Strategy::Mirrored, &env(&[("K", "base")]));
    let scope = host.enter(&profile("p1", &[("K", "1")])).unwrap();
    host.env()
        .write(&key("K"), Some(&Value::new("outside")))
        .unwrap();
    drop(scope);
    assert_eq!(host.env().snapshot(), env(&[("K", "outside")]));
    assert!(host.take_conflicts().contains(&key("K")));
    assert!(host.take_conflicts().is_empty());
}

#[test]
fn scopes_that_end_in_the_wrong_order_never_restore_wrongly() {
    for strategy in Strategy::ALL {
        let base = env(&[("K", "base")]);
        let host = host(strategy, &base);
        let one = host.enter(&profile("p1", &[("K", "1")])).unwrap();
        let two = host.enter(&profile("p2", &[("K", "2")])).unwrap();
        drop(one);
        assert_eq!(host.get(&key("K")).unwrap(), set("2"));
        drop(two);
        assert_eq!(host.get(&key("K")).unwrap(), set("base"));
        assert_eq!(host.env().snapshot(), base);
    }
}

#[test]
fn a_panic_in_the_body_restores() {
    for strategy in Strategy::ALL {
        let base = env(&[("K", "base")]);
        let host = host(strategy, &base);
        let one = profile("p1", &[("K", "1")]);
        let body = || host.run(&one, || std::panic::resume_unwind(Box::new("scripted")));
        let ended: Result<Result<(), _>, _> = catch_unwind(AssertUnwindSafe(body));
        assert!(ended.is_err());
        assert_eq!(host.get(&key("K")).unwrap(), set("base"));
        assert_eq!(host.env().snapshot(), base);
        assert_eq!(
            host.run(&one, || host.get(&key("K")).unwrap()).unwrap(),
            set("1")
        );
    }
}

#[test]
fn a_mirror_needs_an_environment_that_may_be_written() {
    let error = Host::builder(OsEnv::read_only())
        .strategy(Strategy::Mirrored)
        .build();
    assert!(error.unwrap_err().is_not_allowed());
    let host = Host::builder(OsEnv::read_only()).build().unwrap();
    let error = host
        .enter_with(Strategy::Mirrored, &profile("p1", &[]))
        .unwrap_err();
    assert!(error.is_not_allowed());
}

#[test]
fn a_credential_outside_a_scope_is_refused_once_the_host_is_engaged() {
    let host = host(Strategy::Scoped, &env(&[("A_API_KEY", "b"), ("K", "base")]));
    assert_eq!(host.get(&key("A_API_KEY")).unwrap(), set("b"));
    drop(host.bind(Session::new()));
    let error = host.get(&key("A_API_KEY")).unwrap_err();
    assert!(error.is_unscoped());
    let text = error.to_string();
    assert!(
        text.contains("A_API_KEY") && text.contains("tests/host.rs:"),
        "{text}"
    );
    assert_eq!(host.get(&key("K")).unwrap(), set("base"));
}

#[test]
fn session_variables_have_three_states() {
    let env = SimEnv::<Std>::new(env(&[("ID", "stale"), ("CHAT", "stale")]));
    let host = Host::builder(env)
        .catalog(Catalog::of(["ID", "CHAT"]))
        .fallback(Fallback::UntilEngaged)
        .build()
        .unwrap();
    assert_eq!(host.session_var("ID"), set("stale"));
    let outer = host.bind(Session::new().set("ID", "s1"));
    assert_eq!(host.session_var("ID"), set("s1"));
    assert_eq!(host.session_var("CHAT"), State::Empty);
    let inner = host.bind(Session::new().inherit("ID").unset("CHAT"));
    assert_eq!(host.session_var("ID"), set("s1"));
    assert_eq!(host.session_var("CHAT"), State::Unset);
    host.clear().unwrap();
    assert_eq!(host.session_var("ID"), State::Empty);
    host.reset().unwrap();
    assert_eq!(host.session_var("ID"), State::Unset);
    drop(inner);
    assert_eq!(host.session_var("ID"), set("s1"));
    drop(outer);
    assert_eq!(host.session_var("ID"), State::Unset);
    assert!(host.clear().unwrap_err().is_not_allowed());
}

#[test]
fn two_hosts_on_one_thread_do_not_see_each_other() {
    let one = host(Strategy::Scoped, &env(&[]));
    let two = host(Strategy::Scoped, &env(&[]));
    let _a = one.enter(&profile("p1", &[("K", "1")])).unwrap();
    let _b = two.enter(&profile("p2", &[("K", "2")])).unwrap();
    let _c = one.bind(Session::new());
    assert_eq!(one.get(&key("K")).unwrap(), set("1"));
    assert_eq!(two.get(&key("K")).unwrap(), set("2"));
}

#[test]
fn a_worker_carries_the_context_only_where_the_call_says_so() {
    use isolane::sync::Join;
    let host = host(Strategy::Scoped, &env(&[("K", "base")]));
    let scope = host.enter(&profile("p1", &[("K", "1")])).unwrap();
    let captured = host.capture();
    let reads = || {
        let host = host.clone();
        move || host.get(&key("K")).unwrap()
    };
    let carried = host.spawn("carried", reads());
    let fresh = host.spawn_fresh("fresh", reads());
    drop(scope);
    let late = host.spawn_in(&captured, "late", reads());
    let ended = [carried, fresh, late].map(|worker| Join::join(worker).unwrap());
    assert_eq!(ended, [set("1"), set("base"), set("1")]);
    assert_eq!(host.run_in(&captured, reads()), set("1"));
}

#[test]
fn a_context_outlives_its_host_and_means_nothing_to_the_next_one() {
    // A freed host's memory is most often the next host's.
    for _ in 0..64 {
        let first = host(Strategy::Scoped, &env(&[]));
        let scope = first.enter(&profile("p1", &[("K", "1")])).unwrap();
        let captured = first.capture();
        drop(scope);
        drop(first);
        let second = host(Strategy::Scoped, &env(&[("K", "base")]));
        let seen = second.run_in(&captured, || second.get(&key("K")).unwrap());
        assert_eq!(seen, set("base"));
    }
}

#[test]
fn debug_shows_no_value() {
    let host = host(Strategy::Scoped, &env(&[("K", "c4n4ry")]));
    let scope = host.enter(&profile("p1", &[("K", "c4n4ry")])).unwrap();
    let bound = host.bind(Session::new().set("HERMES_SESSION_USER_ID", "c4n4ry"));
    let text = format!(
        "{host:?} {scope:?} {bound:?} {:?} {:?}",
        host.capture(),
        host.env()
    );
    assert!(!text.contains("c4n4ry"), "{text}");
    assert!(text.contains("p1"));
}
