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
        for action in program {
            match action {
                Action::Enter(at) => {
                    open.push((host.enter(&profiles[at]).unwrap(), Arc::clone(&profiles[at])));
                }
                Action::End(at) if !open.is_empty() => drop(open.remove(at.index(open.len()))),
                Action::End(_) => {}
                Action::Write(at, value) => {
                    let value = value.map(|value| Value::new(format!("w{value}")));
                    if host.env().get(&key(KEYS[at])) == value {
                        // A write of what is there already can not be told from
                        // no write at all: a limit that DESIGN.md declares.
                        continue;
                    }
                    host.env().write(&key(KEYS[at]), value.as_ref()).unwrap();
                    match value {
                        Some(value) => expected.insert(key(KEYS[at]), value),
                        None => expected.remove(&key(KEYS[at])),
                    };
                    // Showing the top again would overwrite it: an outsider's
                    // write stands until the next scope begins or ends.
                    continue;
                }
            }
            if let Some((_, top)) = open.last() {
                let shown = host.env().snapshot();
                for (key, entry) in top.iter() {
                    prop_assert_eq!(shown.get(key), Some(entry.value()));
                }
            }
        }
        // The wrong order on purpose: the oldest first.
        open.into_iter().for_each(drop);
        prop_assert_eq!(host.env().snapshot(), expected);
    }
}
