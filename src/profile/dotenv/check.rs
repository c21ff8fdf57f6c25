//! What a careful reader objects to in a `.env` file.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::parsed::{Assignment, Reading};
use super::scan::{Fault, Statement};
use super::text::is_blank;
use crate::profile::diagnostic::{Diagnostic, Severity, is_plain_name};
use crate::profile::settings::Dialect;

/// The longest `NAME=value` that Linux hands to a new program, without its NUL.
const LONGEST: usize = 131_071;

/// All diagnostics of a file, in file order.
pub(super) fn diagnostics(
    bytes: &[u8],
    dialect: Dialect,
    outer: &BTreeMap<String, String>,
    own: &Reading,
) -> Vec<Diagnostic> {
    let mut found = own.text.problems.clone();
    if own.text.is_undecodable() {
        return found;
    }
    for statement in &own.statements {
        found.extend(fault(own, statement));
        found.extend(odd_name(own, statement));
        if let Some(raw) = &statement.raw {
            let raw = &own.text.chars[raw.clone()];
            found.extend(reference(own, statement, raw, dialect));
            found.extend(two_entries(own, statement, raw));
        }
    }
    duplicates(own, &mut found);
    too_long(own, &mut found);
    let all = [Dialect::Hermes, Dialect::Webui, Dialect::PythonDotenv].map(|other| {
        let another = other != dialect;
        another.then(|| Reading::new(bytes, other, outer))
    });
    let all = all
        .each_ref()
        .map(|reading| reading.as_ref().unwrap_or(own));
    disagreements(all, own, &mut found);
    hide(all.map(|reading| &reading.inside_quotes), &mut found);
    found.sort_by_key(|problem| (problem.line, problem.column, problem.severity));
    found
}

/// What looks like a name inside a quoted value is a piece of that value: errors
/// there lose their key, and warnings go.
fn hide(lines: [&BTreeSet<u32>; 3], found: &mut Vec<Diagnostic>) {
    found.retain_mut(|problem| {
        let inside = lines.iter().any(|lines| lines.contains(&problem.line));
        if inside {
            problem.key = None;
        }
        problem.is_error() || !inside
    });
}

fn at(own: &Reading, place: usize, code: &'static str, message: &str) -> Diagnostic {
    Diagnostic::new(Severity::Warning, code, own.text.place(place), message)
}

fn fault(own: &Reading, statement: &Statement) -> Option<Diagnostic> {
    let key = own.printable(statement);
    let Some((fault, place)) = statement.fault else {
        let bare = statement.raw.is_none();
        return bare
            .then(|| at(own, statement.at, "no-equals", "a line without `=`").key(key));
    };
    let (severity, code, message) = match fault {
        Fault::Unterminated => (
            Severity::Error,
            "unterminated-quote",
            "a closing quote is missing",
        ),
        Fault::AfterQuote => (
            Severity::Error,
            "after-quote",
            "text after a closing quote is no comment",
        ),
        Fault::NoKey => (Severity::Error, "no-key", "nothing before `=`"),
        Fault::Dropped => (
            Severity::Warning,
            "dropped",
            "a line that is no assignment is dropped",
        ),
    };
    Some(
        Diagnostic {
            severity,
            ..at(own, place, code, message)
        }
        .key(key),
    )
}

fn odd_name(own: &Reading, statement: &Statement) -> Option<Diagnostic> {
    let key = own.key(statement);
    let odd = statement.raw.is_some() && !key.is_empty() && !is_plain_name(&key);
    odd.then(|| {
        at(
            own,
            statement.at,
            "odd-name",
            "a name that is not `[A-Za-z_][A-Za-z0-9_]*`",
        )
        .key(own.printable(statement))
    })
}

fn reference(
    own: &Reading,
    statement: &Statement,
    raw: &[char],
    dialect: Dialect,
) -> Option<Diagnostic> {
    let start = raw.windows(2).position(|pair| pair == ['$', '{'])?;
    raw[start..].contains(&'}').then(|| {
        let message = match dialect {
            Dialect::PythonDotenv => "`${...}` is expanded here and by no other reader",
            _ => "`${...}` is kept as it is; some readers expand it",
        };
        at(own, statement.at, "reference", message).key(own.printable(statement))
    })
}

fn two_entries(own: &Reading, statement: &Statement, raw: &[char]) -> Option<Diagnostic> {
    let quoted = matches!(raw.first(), Some('"' | '\''));
    let hit = !quoted
        && (1..raw.len())
            .any(|equals| raw[equals] == '=' && ends_in_a_name(&raw[..equals]));
    hit.then(|| {
        at(
            own,
            statement.at,
            "two-entries",
            "the value looks like two entries on one line",
        )
        .key(own.printable(statement))
    })
}

/// Whether a text ends in what looks like another variable's name: an upper-case
/// word after a blank, or one with `_` that the value runs into.
fn ends_in_a_name(text: &[char]) -> bool {
    let inner = |c: &&char| c.is_ascii_uppercase() || c.is_ascii_digit() || **c == '_';
    let length = text.iter().rev().take_while(inner).count();
    let (before, name) = text.split_at(text.len() - length);
    let Some(first) = name.iter().position(char::is_ascii_uppercase) else {
        return false;
    };
    match before.last() {
        Some(&c) if is_blank(c) => first == 0,
        Some('?' | '&' | '#' | ';' | '$' | '{') => false,
        _ => name[first..].len() >= 5 && name[first..].contains(&'_'),
    }
}

fn duplicates(own: &Reading, found: &mut Vec<Diagnostic>) {
    let mut first: BTreeMap<String, u32> = BTreeMap::new();
    for statement in own.statements.iter().filter(|statement| !statement.dropped) {
        let (line, column) = own.text.place(statement.at);
        match first.entry(own.key(statement)) {
            Entry::Vacant(free) => {
                free.insert(line);
            }
            Entry::Occupied(taken) => found.push(
                Diagnostic::new(
                    Severity::Warning,
                    "duplicate",
                    (line, column),
                    format!(
                        "the same name as on line {}; the later one counts",
                        taken.get()
                    ),
                )
                .key(own.printable(statement)),
            ),
        }
    }
}

fn too_long(own: &Reading, found: &mut Vec<Diagnostic>) {
    for entry in &own.entries {
        let value = entry.value.as_ref().map_or(0, |value| value.expose().len());
        let length = entry.key.len() + "=".len() + value;
        if length > LONGEST {
            let message =
                format!("{length} bytes with its name; no program could be started");
            found.push(warning(entry, "too-long", message));
        }
    }
}

fn warning(entry: &Assignment, code: &'static str, message: String) -> Diagnostic {
    Diagnostic::new(Severity::Warning, code, (entry.line, entry.column), message)
        .key(entry.printable.clone())
}

fn disagreements(readings: [&Reading; 3], own: &Reading, found: &mut Vec<Diagnostic>) {
    let names = ["hermes", "webui", "python-dotenv"];
    let entries = readings.map(|reading| last(&reading.entries));
    let mut all = last(&own.entries);
    for (key, entry) in entries.iter().flatten() {
        all.entry(key).or_insert(entry);
    }
    for (key, entry) in all {
        let values = entries
            .each_ref()
            .map(|of| of.get(key).map(|entry| &entry.value));
        let odd = |at: usize| values[(at + 1) % 3] == values[(at + 2) % 3];
        let message = match (0..3).find(|&at| odd(at)) {
            _ if values[0] == values[1] && values[1] == values[2] => continue,
            Some(at) => format!("{} reads another value than the other readers", names[at]),
            None => {
                "hermes, webui and python-dotenv read three different values".to_owned()
            }
        };
        found.push(warning(entry, "readers-disagree", message));
    }
}

fn last(entries: &[Assignment]) -> BTreeMap<&str, &Assignment> {
    entries.iter().map(|entry| (&*entry.key, entry)).collect()
}
