//! What a careful reader objects to in a `.env` file.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::quote::is_quoted;
use super::reading::Reading;
use super::scan::{Fault, Statement};
use super::text::is_blank;
use super::token::Token;
use crate::profile::diagnostic::{Diagnostic, Severity, is_plain_name};
use crate::profile::settings::Dialect;

/// The longest `NAME=value` that Linux hands to a new program, without its NUL.
const LONGEST: usize = 131_071;

/// All diagnostics of a file, in file order; `all` is what every dialect sees.
pub(super) fn diagnostics(own: &Reading<'_>, all: &[Reading<'_>; 3]) -> Vec<Diagnostic> {
    if !own.text.is_utf8 {
        let end = own.text.whole().len();
        let (code, message) = ("invalid-utf8", "a byte is not UTF-8");
        return vec![problem(own, Severity::Error, code, end, message)];
    }
    let mut found = Vec::new();
    bytes(own, &mut found);
    for read in &own.lines {
        let statement = &read.statement;
        found.extend(fault(own, statement));
        found.extend(odd_name(own, statement));
        found.extend(reference(own, statement));
        found.extend(two_entries(own, statement));
    }
    duplicates(own, &mut found);
    too_long(own, &mut found);
    disagreements(own, all, &mut found);
    hide(all, &mut found);
    found.sort_by_key(|problem| (problem.line, problem.column, problem.severity));
    found
}

/// What looks like a name inside a quoted value is a piece of that value: errors
/// there lose their key, and warnings go.
fn hide(all: &[Reading<'_>; 3], found: &mut Vec<Diagnostic>) {
    found.retain_mut(|problem| {
        let inside = all
            .iter()
            .any(|reading| reading.is_inside_quotes(problem.line));
        if inside {
            problem.key = None;
        }
        problem.is_error() || !inside
    });
}

fn problem(
    own: &Reading<'_>,
    severity: Severity,
    code: &'static str,
    at: usize,
    message: impl Into<String>,
) -> Diagnostic {
    Diagnostic::new(severity, code, own.place(at), message)
}

/// A problem at the beginning of a statement.
fn warning(
    own: &Reading<'_>,
    statement: &Statement<'_>,
    code: &'static str,
    message: impl Into<String>,
) -> Diagnostic {
    problem(own, Severity::Warning, code, statement.at, message)
        .key(own.printable(statement))
}

/// What no value can hold, whoever reads it.
fn bytes(own: &Reading<'_>, found: &mut Vec<Diagnostic>) {
    let mut error = |code, at, message| {
        found.push(problem(own, Severity::Error, code, at, message));
    };
    for &at in &own.text.lone_returns {
        error("lone-cr", at, "a carriage return without a line feed");
    }
    let mut at = 0;
    // One for a line is enough.
    for line in own.text.whole().split_inclusive('\n') {
        if let Some(nul) = line.find('\0') {
            error("nul", at + nul, "a NUL character");
        }
        at += line.len();
    }
}

fn fault(own: &Reading<'_>, statement: &Statement<'_>) -> Option<Diagnostic> {
    use Severity::{Error, Warning};

    let Some((fault, at)) = statement.fault else {
        let bare = statement.raw.is_none();
        return bare.then(|| warning(own, statement, "no-equals", "a line without `=`"));
    };
    let (severity, code, message) = match fault {
        Fault::Unterminated => (Error, "unterminated-quote", "a closing quote is missing"),
        Fault::AfterQuote => (
            Error,
            "after-quote",
            "text after a closing quote is no comment",
        ),
        Fault::NoKey => (Error, "no-key", "nothing before `=`"),
        Fault::Dropped => (
            Warning,
            "dropped",
            "a line that is no assignment is dropped",
        ),
    };
    Some(problem(own, severity, code, at, message).key(own.printable(statement)))
}

fn odd_name(own: &Reading<'_>, statement: &Statement<'_>) -> Option<Diagnostic> {
    statement.raw?;
    let odd = !statement.key.is_empty() && !is_plain_name(statement.key);
    odd.then(|| {
        let message = "a name that is not `[A-Za-z_][A-Za-z0-9_]*`";
        warning(own, statement, "odd-name", message)
    })
}

fn reference(own: &Reading<'_>, statement: &Statement<'_>) -> Option<Diagnostic> {
    let (_, after) = statement.raw?.split_once("${")?;
    after.contains('}').then(|| {
        let message = match own.dialect {
            Dialect::PythonDotenv => "`${...}` is expanded here and by no other reader",
            _ => "`${...}` is kept as it is; some readers expand it",
        };
        warning(own, statement, "reference", message)
    })
}

fn two_entries(own: &Reading<'_>, statement: &Statement<'_>) -> Option<Diagnostic> {
    let raw = statement.raw.filter(|raw| !is_quoted(raw))?;
    let mut equals = raw.match_indices('=');
    equals.any(|(at, _)| ends_in_a_name(&raw[..at])).then(|| {
        let message = "the value looks like two entries on one line";
        warning(own, statement, "two-entries", message)
    })
}

/// Whether a text ends in what looks like another variable's name: an upper-case
/// word after a blank, or one with `_` that the value runs into.
fn ends_in_a_name(text: &str) -> bool {
    let of_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let before = text.trim_end_matches(of_name);
    let word = &text[before.len()..];
    let name = word.trim_start_matches(|c: char| !c.is_ascii_uppercase());
    match before.chars().next_back() {
        _ if name.is_empty() => false,
        Some(c) if is_blank(c) => name == word,
        Some('?' | '&' | '#' | ';' | '$' | '{') => false,
        _ => name.len() >= 5 && name.contains('_'),
    }
}

fn duplicates(own: &Reading<'_>, found: &mut Vec<Diagnostic>) {
    let mut first: BTreeMap<&str, u32> = BTreeMap::new();
    let lines = own.lines.iter().map(|read| &read.statement);
    for statement in lines.filter(|statement| !statement.dropped) {
        match first.entry(statement.key) {
            Entry::Vacant(free) => {
                free.insert(own.place(statement.at).0);
            }
            Entry::Occupied(taken) => {
                let line = taken.get();
                let message =
                    format!("the same name as on line {line}; the later one counts");
                found.push(warning(own, statement, "duplicate", message));
            }
        }
    }
}

fn too_long(own: &Reading<'_>, found: &mut Vec<Diagnostic>) {
    for (statement, token) in own.assigned() {
        let value = token.value.as_ref().map_or(0, |value| value.len());
        if token.key.len() + "=".len() + value > LONGEST {
            // The length itself would say something about a secret.
            let message = format!(
                "longer than {LONGEST} bytes with its name; no program could be started"
            );
            found.push(warning(own, statement, "too-long", message));
        }
    }
}

/// The assignment that counts for a name, and who reads it.
type Last<'a, 't> = (&'a Reading<'t>, &'a Statement<'t>, &'a Token<'t>);

fn disagreements(own: &Reading<'_>, all: &[Reading<'_>; 3], found: &mut Vec<Diagnostic>) {
    let readings = all.each_ref().map(last);
    let mut shown = last(own);
    for (key, entry) in readings.iter().flatten() {
        shown.entry(key).or_insert(*entry);
    }
    for (key, (reading, statement, _)) in shown {
        let values = readings
            .each_ref()
            .map(|of| of.get(key).map(|(.., token)| &token.value));
        let odd = |at: usize| values[(at + 1) % 3] == values[(at + 2) % 3];
        let message = match (0..3).find(|&at| odd(at)) {
            _ if values[0] == values[1] && values[1] == values[2] => continue,
            Some(at) => format!(
                "{} reads another value than the other readers",
                Dialect::ALL[at].name()
            ),
            None => {
                "hermes, webui and python-dotenv read three different values".to_owned()
            }
        };
        found.push(warning(reading, statement, "readers-disagree", message));
    }
}

fn last<'a, 't>(reading: &'a Reading<'t>) -> BTreeMap<&'t str, Last<'a, 't>> {
    let assigned = reading.assigned();
    assigned
        .map(|(statement, token)| (token.key, (reading, statement, token)))
        .collect()
}
