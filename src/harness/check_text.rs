//! The text of `check`: per strategy what holds and what leaks, with key names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use super::check::Checked;
use super::explore::{Finding, Row};
use super::invariant::{Invariant, Reader};
use super::report::{block, fill, summary};

/// What a strategy breaks, over all pairs.
struct Broken<'a> {
    pairs: Vec<&'a str>,
    keys: BTreeSet<&'a str>,
    limit: bool,
    simplest: (&'a Row, &'a Finding),
}

/// The report of a home, at most 100 columns wide.
pub fn check_text(home: &Path, checked: &Checked) -> String {
    let mut text = format!("home {}\n", home.display());
    for pair in &checked.pairs {
        let _ = writeln!(text, "  {pair}");
    }
    let mut strategies: Vec<&str> = Vec::new();
    for row in &checked.rows {
        if !strategies.contains(&row.strategy.as_str()) {
            strategies.push(&row.strategy);
        }
    }
    let mut told = Vec::new();
    for strategy in strategies {
        let rows: Vec<&Row> = checked
            .rows
            .iter()
            .filter(|row| row.strategy == strategy)
            .collect();
        text.push_str(&strategy_text(strategy, &rows, &mut told));
    }
    text.push_str("\nkeys that play the same part are explored once, through one that stands for them:\n");
    for line in checked
        .stands_for
        .iter()
        .flat_map(|stands| fill(stands, 96))
    {
        let _ = writeln!(text, "  {line}");
    }
    text.push('\n');
    text.push_str(&summary(&checked.rows));
    text
}

fn strategy_text<'a>(
    strategy: &str,
    rows: &[&'a Row],
    told: &mut Vec<Vec<&'a str>>,
) -> String {
    let all_of = rows.iter().filter(|row| row.reader.is_none());
    let classes: u64 = all_of.map(|row| row.classes).sum();
    let exhaustive = rows.iter().all(|row| row.exhaustive);
    let coverage = if exhaustive { "exhaustive" } else { "bounded" };
    let mut text = format!("\n{strategy}  ({coverage}, {classes} classes)\n");
    let broken = gather(rows);
    for reader in [
        None,
        Some(Reader::Scoped),
        Some(Reader::Legacy),
        Some(Reader::Bystander),
    ] {
        let who = match reader {
            None => "restore, progress",
            Some(Reader::Scoped) => "the library's readers",
            Some(Reader::Legacy) => "legacy readers in a scope",
            Some(_) => "legacy readers outside any scope",
        };
        let of_reader: Vec<_> =
            broken.iter().filter(|((of, _), _)| *of == reader).collect();
        if of_reader.is_empty() {
            let verdict = if exhaustive {
                "nothing leaks"
            } else {
                "INCOMPLETE"
            };
            let _ = writeln!(text, "  {who:<34} {verdict}");
        }
        for ((_, invariant), broken) in of_reader {
            text.push_str(&broken_text(who, *invariant, broken, told));
        }
    }
    // One simplest execution of each invariant; limits are told, not shown.
    for ((_, _), broken) in broken.iter().filter(|(_, broken)| !broken.limit) {
        text.push_str(&block(broken.simplest.0, broken.simplest.1));
    }
    text
}

fn gather<'a>(rows: &[&'a Row]) -> BTreeMap<(Option<Reader>, Invariant), Broken<'a>> {
    let mut all: BTreeMap<_, Broken<'a>> = BTreeMap::new();
    for &row in rows {
        for finding in &row.findings {
            let broken = all
                .entry((row.reader, finding.invariant))
                .or_insert_with(|| Broken {
                    pairs: Vec::new(),
                    keys: BTreeSet::new(),
                    limit: row.limit,
                    simplest: (row, finding),
                });
            broken.pairs.push(&row.scenario);
            broken.keys.extend(finding.keys.iter().map(String::as_str));
            let cost = |finding: &Finding| (finding.preemptions, finding.steps);
            if cost(finding) < cost(broken.simplest.1) {
                broken.simplest = (row, finding);
            }
        }
    }
    all
}

/// One broken invariant: for how many keys, which, in which pairs.
fn broken_text<'a>(
    who: &str,
    invariant: Invariant,
    broken: &Broken<'a>,
    told: &mut Vec<Vec<&'a str>>,
) -> String {
    let word = if broken.limit {
        "declared limit"
    } else {
        "LEAKS"
    };
    let keys: Vec<&str> = broken.keys.iter().copied().collect();
    let count = format!("{word}: {invariant} for {} keys", keys.len());
    let mut text = format!("  {who:<34} {count}\n");
    for line in fill(&format!("in {}", broken.pairs.join(", ")), 92) {
        let _ = writeln!(text, "        {line}");
    }
    // A set of keys that was listed before is named by its number.
    match told.iter().position(|known| *known == keys) {
        Some(at) => {
            let _ = writeln!(text, "        keys as in list {}", at + 1);
        }
        None => {
            told.push(keys.clone());
            for line in fill(&format!("list {}: {}", told.len(), keys.join(" ")), 92) {
                let _ = writeln!(text, "        {line}");
            }
        }
    }
    text
}
