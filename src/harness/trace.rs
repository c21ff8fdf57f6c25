//! The lane table: what happened in one execution, for people.
//!
//! Rows are made from the events that the core emits, so the execution of any
//! engine prints the same way.

use std::collections::BTreeMap;

use super::scenario::{Scenario, shown};
use crate::sync::Recorded;
use crate::value::{Event, Key, Value};

/// One row of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceRow {
    /// Its number, from 1.
    pub step: usize,
    /// Whose it is.
    pub lane: String,
    /// What happened, parts separated by two blanks.
    pub event: String,
    /// Whether another lane went on before this one had finished the same call.
    pub preempted: bool,
    /// The variables of the process environment after it, by name.
    pub state: BTreeMap<String, String>,
}

/// How many rows a table shows before its middle is folded.
const MOST_ROWS: usize = 18;
/// Names up to this long stay in a row although they stand above the last column.
const SHORT_NAME: usize = 8;
/// The width of a table.
const WIDTH: usize = 100;

/// Makes rows of what was recorded.
pub(super) fn rows(scenario: &Scenario, recorded: &[Recorded]) -> Vec<TraceRow> {
    let shown_keys = keys_of(recorded);
    let mut state: BTreeMap<String, String> = shown_keys
        .iter()
        .map(|key| {
            (
                key.to_string(),
                text_of(&key.to_string(), scenario.env.get(key)),
            )
        })
        .collect();
    let mut rows: Vec<TraceRow> = Vec::new();
    let mut previous: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, record) in recorded.iter().enumerate() {
        if record.lane == "main" || is_told_by_next(record, recorded.get(at + 1)) {
            continue;
        }
        let Some((text, goes_on)) = describe(&record.event) else {
            continue;
        };
        if let Event::EnvWrite { key, value } | Event::OutsideWrite { key, value } =
            &record.event
        {
            state.insert(key.to_string(), text_of(&key.to_string(), value.as_ref()));
        }
        match rows.last_mut() {
            Some(row) if goes_on && row.lane == record.lane => {
                row.event = format!("{}  {text}", row.event);
                row.state.clone_from(&state);
                continue;
            }
            _ => {}
        }
        if goes_on && let Some(&earlier) = previous.get(record.lane.as_str()) {
            rows[earlier].preempted = true;
        }
        previous.insert(&record.lane, rows.len());
        rows.push(TraceRow {
            step: rows.len() + 1,
            lane: record.lane.clone(),
            event: text,
            preempted: false,
            state: state.clone(),
        });
    }
    rows
}

/// The variables that the execution wrote.
fn keys_of(recorded: &[Recorded]) -> Vec<Key> {
    let mut keys: Vec<Key> = recorded
        .iter()
        .filter_map(|record| match &record.event {
            Event::EnvWrite { key, .. } => Some(key.clone()),
            _ => None,
        })
        .collect();
    keys.sort();
    keys.dedup();
    keys
}

/// A read of the environment that the next event, of the reader itself, tells
/// better.
fn is_told_by_next(record: &Recorded, next: Option<&Recorded>) -> bool {
    match (&record.event, next) {
        (Event::EnvWrite { .. }, Some(next)) => {
            next.lane == record.lane && matches!(next.event, Event::OutsideWrite { .. })
        }
        (Event::EnvRead { .. }, Some(next)) => {
            next.lane == record.lane && matches!(next.event, Event::Read { .. })
        }
        _ => false,
    }
}

/// The text of an event, and whether it goes on with the call before it.
fn describe(event: &Event) -> Option<(String, bool)> {
    Some(match event {
        Event::Enter { profile } => (format!("enter {profile}"), false),
        Event::Exit { profile } => (format!("exit {profile}"), false),
        Event::Refused { profile } => (format!("enter {profile} refused"), false),
        Event::Bind { variables } => {
            let pairs = variables
                .iter()
                .map(|(name, value)| format!("{name}={value:?}"));
            (
                format!("bind {}", pairs.collect::<Vec<_>>().join(" ")),
                false,
            )
        }
        Event::Unbind => ("unbind".to_owned(), false),
        Event::Clear => ("clear".to_owned(), false),
        Event::Reset => ("reset".to_owned(), false),
        Event::EnvRead { key, value } => (
            format!("saw {key}={}", text_of(&key.to_string(), value.as_ref())),
            true,
        ),
        Event::EnvWrite {
            key,
            value: Some(value),
        } => (
            format!("set {key}={}", text_of(&key.to_string(), Some(value))),
            true,
        ),
        Event::EnvWrite { key, value: None } => (format!("remove {key}"), true),
        Event::OutsideWrite { key, value } => {
            let value = text_of(&key.to_string(), value.as_ref());
            (format!("outside writes {key}={value}"), false)
        }
        Event::Conflict { key } => (format!("keeps the outside write of {key}"), true),
        Event::Read {
            reader,
            name,
            value,
        } => (
            format!("{reader} {name} -> {}", text_of(name, value.as_ref())),
            false,
        ),
        Event::EnvSnapshot => return None,
    })
}

/// A value of a variable. A stand-in `<owner/NAME>` of that very variable is told
/// by its owner alone, so that a table stays narrow.
fn text_of(name: &str, value: Option<&Value>) -> String {
    let text = value.map_or("-".to_owned(), shown);
    match text.strip_suffix(&format!("/{name}>")) {
        Some(owner) if owner.starts_with('<') => format!("{owner}>"),
        _ => text,
    }
}

/// Prints rows as a table of at most 100 columns; `key` is the variable to have a
/// column, if it was written, else the one that changes most has.
pub fn table(rows: &[TraceRow], key: Option<&str>) -> String {
    let mut lanes: Vec<&str> = Vec::new();
    for row in rows {
        if !lanes.contains(&row.lane.as_str()) {
            lanes.push(&row.lane);
        }
    }
    lanes.sort_unstable();
    let known = |key: &&str| rows.last().is_some_and(|row| row.state.contains_key(*key));
    let key = key.filter(known).or_else(|| state_key(rows));
    let state_width = key.map_or(0, |key| {
        let values = rows
            .iter()
            .filter_map(|row| row.state.get(key))
            .map(|text| text.chars().count());
        values
            .chain([key.chars().count()])
            .max()
            .unwrap_or(0)
            .min(34)
    });
    let lane_width = (WIDTH - 7 - state_width) / lanes.len().max(1);
    let mut text = format!("   {:>2}  ", "#");
    for lane in &lanes {
        text.push_str(&format!("{lane:<lane_width$}"));
    }
    text.push_str(key.unwrap_or_default());
    let mut text = format!("{}\n", text.trim_end());
    let hidden = rows.len().saturating_sub(MOST_ROWS);
    for (at, row) in rows.iter().enumerate() {
        let folded = MOST_ROWS / 2..MOST_ROWS / 2 + hidden;
        if hidden > 0 && at == folded.start {
            text.push_str(&format!("       ... {hidden} more rows ...\n"));
        }
        if hidden > 0 && folded.contains(&at) {
            continue;
        }
        let column = lanes.iter().position(|lane| *lane == row.lane).unwrap_or(0);
        let state = key
            .and_then(|key| row.state.get(key))
            .map_or("", String::as_str);
        let event = match key {
            Some(key) if row.state.len() == 1 && key.len() > SHORT_NAME => {
                without_name(&row.event, key)
            }
            _ => row.event.clone(),
        };
        text.push_str(&table_row(
            row,
            &event,
            (column, lanes.len(), lane_width),
            state,
        ));
    }
    text
}

/// An event without the name of the one variable that the table is about: it
/// stands above the last column.
fn without_name(event: &str, key: &str) -> String {
    event
        .replace(&format!(" {key}="), " ")
        .replace(&format!(" {key} ->"), " ->")
        .replace(&format!("remove {key}"), "remove")
}

/// The variable that changes most: the one that a table has a column for.
fn state_key(rows: &[TraceRow]) -> Option<&str> {
    let last = rows.last()?;
    last.state.keys().map(String::as_str).max_by_key(|key| {
        let values = rows.iter().map(|row| row.state.get(*key));
        let changes = values
            .clone()
            .zip(values.skip(1))
            .filter(|(a, b)| a != b)
            .count();
        (changes, std::cmp::Reverse(*key))
    })
}

fn table_row(
    row: &TraceRow,
    event: &str,
    (column, lanes, width): (usize, usize, usize),
    state: &str,
) -> String {
    let mut text = String::new();
    for (nth, line) in wrap(event, width.saturating_sub(2)).into_iter().enumerate() {
        let number = if nth == 0 {
            format!("   {:>2}  ", row.step)
        } else {
            " ".repeat(7)
        };
        let before = " ".repeat(column * width);
        let after = " ".repeat((lanes - column - 1) * width);
        let state = if nth == 0 { state } else { "" };
        let full = format!("{number}{before}{line:<width$}{after}{state}");
        text.push_str(full.trim_end());
        text.push('\n');
    }
    if row.preempted {
        text.push_str(&format!(
            "       {}~~ preempted\n",
            " ".repeat(column * width)
        ));
    }
    text
}

/// Breaks a row's parts into lines of at most `width` characters: between parts
/// where that is enough, else between words, else anywhere.
fn wrap(event: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in event.split("  ") {
        let fits = |line: &String, more: &str, gap: usize| {
            line.chars().count() + gap + more.chars().count() <= width
        };
        match lines.last_mut() {
            Some(line) if fits(line, part, 2) => {
                line.push_str("  ");
                line.push_str(part);
                continue;
            }
            _ => lines.push(String::new()),
        }
        for word in part.split(' ').flat_map(|word| pieces(word, width)) {
            match lines.last_mut() {
                Some(line) if line.is_empty() => line.push_str(&word),
                Some(line) if fits(line, &word, 1) => {
                    line.push(' ');
                    line.push_str(&word);
                }
                _ => lines.push(word),
            }
        }
    }
    lines
}

fn pieces(word: &str, width: usize) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    letters
        .chunks(width.max(1))
        .map(|piece| piece.iter().collect())
        .collect()
}
