//! Which keys a provider has, where they are looked for, and what never counts.

#![allow(clippy::unwrap_used, reason = "a helper of a test may panic")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use isolane::profile::{Auth, Credential, Found, Provider, Providers};
use isolane::sync::Std;
use isolane::{
    Host, Isolation, Key, Layer, Profile, ProfileName, Session, Settings, SimEnv, Value,
};
use serde_json::Value as Json;

fn key(name: &str) -> Key {
    Key::new(name).unwrap()
}

fn facts() -> Json {
    serde_json::from_str(include_str!("fixtures/credential-names.json")).unwrap()
}

fn names(list: &Json) -> Vec<String> {
    let list = list.as_array().unwrap().iter();
    list.map(|name| name.as_str().unwrap().to_owned()).collect()
}

fn load_as(name: &str, dotenv: &str, config: &str, settings: &Settings) -> Arc<Profile> {
    Profile::from_sources(
        ProfileName::new(name).unwrap(),
        "/h/p1".into(),
        Some((Path::new("/h/p1/.env"), dotenv.as_bytes())),
        Some((Path::new("/h/p1/config.yaml"), config.as_bytes())),
        settings,
    )
    .unwrap()
}

fn load(dotenv: &str, config: &str) -> Arc<Profile> {
    load_as("p1", dotenv, config, &Settings::default())
}

fn no_base(_: &Key) -> Option<Value> {
    None
}

/// Every variable of the base holds its own name, behind `base-`.
fn full_base(key: &Key) -> Option<Value> {
    Some(Value::new(format!("base-{key}")))
}

/// Value and name of what was found.
fn found(credential: Credential) -> (String, String) {
    let Some(Found { value, name, .. }) = credential.clone().found() else {
        panic!("nothing found: {credential:?}");
    };
    (value.expose().to_str().unwrap().to_owned(), name)
}

#[test]
fn the_table_has_every_known_provider_with_its_keys_in_order() {
    let facts = facts();
    let known = Providers::default();
    for (id, fact) in facts["providers"].as_object().unwrap() {
        let provider = known.get(id).unwrap_or_else(|| panic!("{id} is missing"));
        let keys: Vec<String> = provider.keys().iter().map(Key::to_string).collect();
        assert_eq!(keys, names(&fact["api_key_env_vars"]), "{id}");
        let base_url = provider.base_url().map(Key::to_string);
        let expected = fact["base_url_env_var"]
            .as_str()
            .filter(|name| !name.is_empty());
        assert_eq!(base_url.as_deref(), expected, "{id}");
        let by_key = fact["auth_type"] == "api_key";
        assert_eq!(provider.auth() == Auth::ApiKey, by_key, "{id}");
    }
}

#[test]
fn every_name_that_the_web_host_scrubs_is_isolated() {
    let profile = load("", "");
    let facts = facts();
    let scrubbed = names(&facts["scrubbed_by_web_host"]);
    assert_eq!(scrubbed.len(), 42);
    for name in scrubbed {
        assert!(profile.isolates(&key(&name)), "{name}");
    }
}

#[test]
fn key_variables_count_in_the_order_of_the_table() {
    for provider in Providers::default().iter() {
        for (at, first) in provider.keys().iter().enumerate() {
            let rest = &provider.keys()[at..];
            let dotenv: String = rest
                .iter()
                .rev()
                .map(|key| format!("{key}=own-{key}\n"))
                .collect();
            let credential = load(&dotenv, "").credential(provider.id(), full_base);
            let expected = (format!("own-{first}"), first.to_string());
            assert_eq!(found(credential), expected, "{}", provider.id());
        }
    }
}

#[test]
fn an_unusable_text_gives_way_to_the_next_name() {
    for bad in [
        "",
        "abc",
        "changeme",
        "\"****\"",
        "'${GLM_KEY}'",
        "op://vault/glm",
    ] {
        let profile = load(&format!("GLM_API_KEY={bad}\nZ_AI_API_KEY=z-own\n"), "");
        let credential = profile.credential("zai", no_base);
        assert_eq!(found(credential).1, "Z_AI_API_KEY", "{bad}");
        let profile = load(&format!("GLM_API_KEY={bad}\n"), "");
        assert_eq!(
            profile.credential("zai", no_base),
            Credential::Absent,
            "{bad}"
        );
    }
}

#[test]
fn a_named_profile_never_gets_a_key_of_the_base() {
    let profile = load("", "custom_providers:\n  - {name: gw, key_env: GW_LOGIN}\n");
    for id in ["zai", "openrouter", "anthropic", "copilot"] {
        assert_eq!(
            profile.credential(id, full_base),
            Credential::Absent,
            "{id}"
        );
    }
    let gw = profile.credential("gw", full_base);
    assert!(matches!(gw, Credential::Unresolved { names } if names == ["GW_LOGIN"]));
}

#[test]
fn a_shared_and_a_default_profile_get_the_bases_key_and_say_so() {
    let shared = Settings {
        isolation: Isolation::Shared,
        ..Settings::default()
    };
    for profile in [
        load_as("p1", "", "", &shared),
        load_as("default", "", "", &Settings::default()),
    ] {
        let credential = profile.credential("zai", full_base);
        let Credential::Found(found) = credential else {
            panic!("{credential:?}");
        };
        assert_eq!(found.origin.layer, Layer::Base);
        assert_eq!(found.name, "GLM_API_KEY");
    }
    // What the profile says itself, empty, is its word about that name.
    let profile = load_as("p1", "GLM_API_KEY=\n", "", &shared);
    assert_eq!(found(profile.credential("zai", full_base)).1, "ZAI_API_KEY");
    // Its own second key beats the base's first.
    let profile = load_as("p1", "Z_AI_API_KEY=z-own\n", "", &shared);
    assert_eq!(
        found(profile.credential("zai", full_base)).1,
        "Z_AI_API_KEY"
    );
}

#[test]
fn the_config_gives_keys_by_value_by_reference_and_by_name() {
    let dotenv = "MY_LOGIN=from-env\nCUSTOM_ACME_GW_API_KEY=by-pattern\n";
    let config = "
model: {provider: zai, api_key: 'model-${MY_LOGIN}'}
providers:
  gemini: {api_key: plain-key}
  nous: {key_env: MY_LOGIN}
custom_providers:
  - {name: Acme GW, base_url: 'https://a'}
  - {name: by ref, api_key: '${MY_LOGIN}'}
";
    let profile = load(dotenv, config);
    for (id, value, name) in [
        ("zai", "model-from-env", "model.api_key"),
        ("gemini", "plain-key", "providers.gemini.api_key"),
        ("nous", "from-env", "MY_LOGIN"),
        ("custom:acme-gw", "by-pattern", "CUSTOM_ACME_GW_API_KEY"),
        ("acme_gw", "by-pattern", "CUSTOM_ACME_GW_API_KEY"),
        ("by ref", "from-env", "custom_providers.1.api_key"),
    ] {
        let credential = profile.credential(id, full_base);
        assert_eq!(
            found(credential),
            (value.to_owned(), name.to_owned()),
            "{id}"
        );
    }
    // A variable of the table comes before the file.
    let profile = load("GLM_API_KEY=own-key\n", config);
    assert_eq!(found(profile.credential("zai", no_base)).1, "GLM_API_KEY");
}

#[test]
fn an_unresolved_reference_is_told_apart_from_a_missing_key() {
    let config = "providers:\n  zai: {api_key: '${NOT_THERE}'}\n  gemini: {key_env: NOR_HERE}\n  \
                  nous: {key_env: sk-a-key-by-mistake}\n";
    let profile = load("", config);
    for (id, expected) in [
        ("zai", Some("NOT_THERE")),
        ("gemini", Some("NOR_HERE")),
        ("nous", Some("providers.nous.key_env")),
        ("xai", None),
        ("no-such-provider", None),
    ] {
        let credential = profile.credential(id, full_base);
        let expected = match expected {
            Some(name) => Credential::Unresolved {
                names: vec![name.to_owned()],
            },
            None => Credential::Absent,
        };
        assert_eq!(credential, expected, "{id}");
    }
}

#[test]
fn two_custom_providers_of_one_name_are_not_guessed_between() {
    let config = "custom_providers:\n  - {name: a b, api_key: key-one}\n  - {name: A_B, \
                  api_key: key-two}\n";
    let credential = load("", config).credential("a-b", no_base);
    let names = ["custom_providers.0", "custom_providers.1"].map(str::to_owned);
    assert_eq!(
        credential,
        Credential::Unresolved {
            names: names.to_vec()
        }
    );
    let shown = format!("{credential:?}");
    assert!(!shown.contains("key-one"), "{shown}");
}

#[test]
fn keys_that_any_part_of_the_config_names_are_isolated() {
    let config = "
model: {api_key: '${MODEL_LOGIN}'}
providers: {zai: {key_env: ZAI_LOGIN}}
custom_providers:
  - {name: b, api_key: '${PART_A}${PART_B}', extra_headers: {X-Auth: 'Bearer ${HEADER_LOGIN}'}}
other: {text: '${LANGUAGE}'}
";
    let profile = load("", config);
    for name in [
        "MODEL_LOGIN",
        "ZAI_LOGIN",
        "PART_A",
        "PART_B",
        "HEADER_LOGIN",
    ] {
        assert!(profile.isolates(&key(name)), "{name}");
    }
    assert!(profile.isolates(&key("CUSTOM_B_API_KEY")));
    assert!(profile.isolates(&key("ELEVENLABS_API_KEY")));
    assert!(!profile.isolates(&key("LANGUAGE")));
    for name in ["AWS_REGION", "AWS_DEFAULT_REGION", "AZURE_FOUNDRY_BASE_URL"] {
        assert!(!profile.isolates(&key(name)), "{name}");
    }
}

#[test]
fn a_host_adds_providers_of_its_own() {
    let mine = Provider::new("acme", &["ACME_LOGIN"]).unwrap();
    let settings = Settings {
        providers: Providers::default().with(mine),
        ..Settings::default()
    };
    let profile = load_as("p1", "ACME_LOGIN=mine-key\n", "", &settings);
    assert_eq!(found(profile.credential("acme", no_base)).0, "mine-key");
    assert!(profile.get(&key("ACME_LOGIN")).unwrap().is_secret());
    let other = load_as("p2", "", "", &settings);
    assert!(other.isolates(&key("ACME_LOGIN")));
    assert!(!load("", "").isolates(&key("ACME_LOGIN")));
}

#[test]
fn a_host_tells_a_value_from_its_absence_and_from_a_missing_scope() {
    let base = BTreeMap::from([(key("GLM_API_KEY"), Value::new("base-glm"))]);
    let host = Host::builder(SimEnv::<Std>::new(base)).build().unwrap();
    // A plain command line: nobody has bound anything.
    assert_eq!(found(host.credential("zai").unwrap()).0, "base-glm");
    assert_eq!(host.credential("xai").unwrap(), Credential::Absent);

    let own = load(
        "XAI_API_KEY=own-xai\n",
        "providers: {gemini: {key_env: NOT_SET}}\n",
    );
    host.run(&own, || {
        assert_eq!(found(host.credential("xai").unwrap()).0, "own-xai");
        assert_eq!(host.credential("zai").unwrap(), Credential::Absent);
        let unresolved = host.credential("gemini").unwrap();
        assert!(matches!(unresolved, Credential::Unresolved { .. }));
    })
    .unwrap();

    let _session = host.bind(Session::new());
    let error = host.credential("zai").unwrap_err();
    assert!(error.is_unscoped(), "{error}");
    let text = error.to_string();
    assert!(
        text.contains("zai") && text.contains("profile_credentials.rs"),
        "{text}"
    );
}
