//! The mirror against a plain map, for random scopes, orders and outside writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use isolane::sync::Std;
use isolane::{Host, Isolation, Key, ProcessEnv, Profile, ProfileName, SimEnv, Value};
use proptest::prelude::*;

type Env = BTreeMap<Key, Value>;

fn key(name: &str) -> Key {
    Key::new(name).unwrap()
}

/// One action of the random program: enter a profile, end the nth open scope, or
/// write from outside.
#[derive(Debug, Clone)]
enum Action {
    Enter(usize),
    End(prop::sample::Index),
    Write(usize, Option<u8>),
}

fn actions() -> impl proptest::strategy::Strategy<Value = Vec<Action>> {
    let action = prop_oneof![
        (0..3usize).prop_map(Action::Enter),
        any::<prop::sample::Index>().prop_map(Action::End),
        (0..4usize, prop::option::of(0..2u8)).prop_map(|(k, v)| Action::Write(k, v)),
    ];
    prop::collection::vec(action, 0..24)
}

const KEYS: [&str; 4] = ["A", "B", "C", "D_API_KEY"];

/// What outsiders wrote since a scope began or ended last. A write that left what
/// was shown before can not be told from no write: a limit that DESIGN.md declares.
fn note_outside_writes(expected: &mut Env, shown: &Env, now: &Env) {
    for name in KEYS.map(key) {
        match now.get(&name) {
            value if value == shown.get(&name) => {}
            Some(value) => drop(expected.insert(name, value.clone())),
            None => drop(expected.remove(&name)),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..Default::default() })]

    /// Against a plain map: whatever the order, the end is the start plus what
    /// outsiders wrote, and inside the top scope its own values show.
    #[test]
    fn any_order_of_scopes_restores_the_environment(
        base in prop::collection::btree_map(0..4usize, "[a-c]?", 0..4),
        profiles in prop::collection::vec(prop::collection::btree_map(0..4usize, "[x-z]?", 0..4), 3),
        program in actions(),
    ) {
        let named = |values: &BTreeMap<usize, String>| -> Env {
            values.iter().map(|(at, value)| (key(KEYS[*at]), Value::new(value))).collect()
        };
        let mut expected = named(&base);
        let env = SimEnv::<Std>::new(expected.clone());
        let host = Host::builder(env).strategy(isolane::Strategy::Mirrored).build().unwrap();
        let profiles: Vec<Arc<Profile>> = profiles.iter().enumerate().map(|(at, values)| {
            let name = ProfileName::new(&format!("p{at}")).unwrap();
            Profile::with_values(name, "/p".into(), named(values), Isolation::Isolated)
        }).collect();
        let mut open = Vec::new();
        let mut shown = host.env().snapshot();
        for action in program {
            if let Action::Write(at, value) = action {
                let value = value.map(|value| Value::new(format!("w{value}")));
                host.env().write(&key(KEYS[at]), value.as_ref()).unwrap();
                continue;
            }
            note_outside_writes(&mut expected, &shown, &host.env().snapshot());
            match action {
                Action::Enter(at) => {
                    open.push((host.enter(&profiles[at]).unwrap(), Arc::clone(&profiles[at])));
                }
                Action::End(at) if !open.is_empty() => drop(open.remove(at.index(open.len()))),
                Action::End(_) | Action::Write(..) => {}
            }
            shown = host.env().snapshot();
            if let Some((_, top)) = open.last() {
                for (key, entry) in top.iter() {
                    prop_assert_eq!(shown.get(key), Some(entry.value()));
                }
            }
        }
        note_outside_writes(&mut expected, &shown, &host.env().snapshot());
        // The wrong order on purpose: the oldest first.
        open.into_iter().for_each(drop);
        prop_assert_eq!(host.env().snapshot(), expected);
    }
}
