//! How fast `.env` files and homes are read; `cargo bench --bench profile`.
//!
//! The tokenizer stands beside dotenvy on the same input in the same run. A home is
//! generated, or the one that `ISOLANE_BENCH_HOME` names.

#![allow(clippy::unwrap_used, reason = "a bench may panic")]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use isolane::profile::dotenv::{self, Text};
use isolane::{Dialect, Home, Settings};
use tempfile::TempDir;

fn main() {
    divan::main();
}

/// About `size` bytes of what a `.env` file usually holds, which every reader and
/// dotenvy take without an error.
fn sample(size: usize) -> String {
    let mut text = String::with_capacity(size + 512);
    let mut number = 0;
    while text.len() < size {
        write!(
            text,
            "# Provider {number}: which key to use for it, and where the key is from\n\
             PROVIDER_{number}_API_KEY=sk-proj-0123456789abcdefghijklmnopqrstuvwxyz{number}\n\
             PROVIDER_{number}_BASE_URL=https://provider-{number}.example.com/v1/chat\n\
             PROVIDER_{number}_ORGANISATION=\"An organisation of some size\"\n\
             PROVIDER_{number}_MODEL='model-{number}-large'\n\
             \n\
             export TERMINAL_TIMEOUT_{number}=180\n\
             # PROVIDER_{number}_REGION=eu-central-1\n\n"
        )
        .unwrap();
        number += 1;
    }
    text
}

/// The worst that is not broken: escapes and references in every value.
fn dense(size: usize) -> String {
    let mut text = String::with_capacity(size + 512);
    let mut number = 0;
    while text.len() < size {
        write!(
            text,
            "A_{number}=\"some \\\"quoted\\\" text with a \\\\ in it\" # and a comment\n\
             B_{number}=\"${{A_{number}}} and ${{A_0}}\"\n"
        )
        .unwrap();
        number += 1;
    }
    text
}

const SIZE: usize = 1 << 20;

fn tokens_of(bencher: Bencher<'_, '_>, text: &str, dialect: Dialect) {
    bencher.counter(BytesCount::of_str(text)).bench_local(|| {
        let text = Text::decode(black_box(text.as_bytes()));
        text.tokens(dialect)
            .map(|token| token.key.len() + token.value.map_or(0, |value| value.len()))
            .sum::<usize>()
    });
}

fn tokens_of_peer(bencher: Bencher<'_, '_>, text: &str) {
    bencher.counter(BytesCount::of_str(text)).bench_local(|| {
        dotenvy::from_read_iter(black_box(text.as_bytes()))
            .map(|entry| entry.map(|(key, value)| key.len() + value.len()).unwrap())
            .sum::<usize>()
    });
}

/// The values of one dialect, from the bytes on.
#[divan::bench(args = Dialect::ALL)]
fn tokens(bencher: Bencher<'_, '_>, dialect: Dialect) {
    tokens_of(bencher, &sample(SIZE), dialect);
}

#[divan::bench(args = Dialect::ALL)]
fn tokens_dense(bencher: Bencher<'_, '_>, dialect: Dialect) {
    tokens_of(bencher, &dense(SIZE), dialect);
}

/// The peer, on the same bytes.
#[divan::bench]
fn tokens_dotenvy(bencher: Bencher<'_, '_>) {
    tokens_of_peer(bencher, &sample(SIZE));
}

#[divan::bench]
fn tokens_dense_dotenvy(bencher: Bencher<'_, '_>) {
    tokens_of_peer(bencher, &dense(SIZE));
}

/// Every dialect and every diagnostic, with places.
#[divan::bench]
fn parse_with_diagnostics(bencher: Bencher<'_, '_>) {
    let text = sample(SIZE);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench_local(|| dotenv::parse(black_box(text.as_bytes()), Dialect::Hermes));
}

/// A root and three profiles, with a config of their own.
fn generated_home() -> TempDir {
    let root = TempDir::new().unwrap();
    for (folder, size) in [("", 12), ("profiles/work", 8), ("profiles/lab", 4)] {
        let folder = root.path().join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(".env"), sample(size << 10)).unwrap();
        let mut config = String::from("terminal:\n  backend: local\n  timeout: 90\n");
        config.push_str("custom_providers:\n");
        for number in 0..400 {
            writeln!(
                config,
                "  - name: endpoint-{number}\n    base_url: https://e{number}.example.com/v1\n    \
                 key_env: ENDPOINT_{number}_TOKEN"
            )
            .unwrap();
        }
        fs::write(folder.join("config.yaml"), config).unwrap();
    }
    fs::create_dir_all(root.path().join("profiles/bare")).unwrap();
    root
}

/// All profiles of a home, from the files on.
fn resolve(root: &Path, settings: &Settings) -> usize {
    let home = Home::open(root).unwrap();
    let names = home.profiles().iter();
    names
        .map(|name| home.load(name, settings).unwrap().iter().count())
        .sum()
}

#[divan::bench]
fn resolve_a_generated_home(bencher: Bencher<'_, '_>) {
    let home = generated_home();
    let settings = Settings::default();
    bencher
        .counter(BytesCount::new(bytes(home.path())))
        .bench_local(|| resolve(black_box(home.path()), &settings));
}

#[divan::bench]
#[expect(clippy::disallowed_methods, reason = "the bench's own setting")]
fn resolve_the_home_of_isolane_bench_home(bencher: Bencher<'_, '_>) {
    let Some(home) = std::env::var_os("ISOLANE_BENCH_HOME").map(PathBuf::from) else {
        return;
    };
    let settings = Settings::default();
    bencher
        .counter(BytesCount::new(bytes(&home)))
        .bench_local(|| resolve(black_box(&home), &settings));
}

/// The size of the files that are read.
fn bytes(root: &Path) -> u64 {
    let home = Home::open(root).unwrap();
    let settings = Settings::default();
    let names = home.profiles().iter();
    let folders = names.map(|name| home.folder(name, &settings).unwrap());
    folders
        .flat_map(|folder| [folder.join(".env"), folder.join("config.yaml")])
        .filter_map(|file| fs::metadata(file).ok())
        .map(|file| file.len())
        .sum()
}
