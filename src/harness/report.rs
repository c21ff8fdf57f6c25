//! Reports: text for people, JSON for programs.

use std::fmt::Write;

use serde_json::{Value as Json, json};

use super::explore::{Finding, Outcome, Row};
use super::trace;

/// All rows of one run.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The rows, in the order in which they were found out.
    pub rows: Vec<Row>,
    /// The titles of scenarios, by id, for the text.
    pub titles: Vec<(String, String)>,
    /// What else the text says, before the summary.
    pub notes: Vec<String>,
}

impl Report {
    /// How many rows are not as expected.
    pub fn unexpected(&self) -> usize {
        self.rows.iter().filter(|row| !row.expected).count()
    }
}

/// The report as JSON, version 1.
pub fn to_json(report: &Report) -> Json {
    json!({
        "version": 1,
        "results": report.rows.iter().map(row_json).collect::<Vec<_>>(),
        "notes": report.notes,
        "summary": { "results": report.rows.len(), "unexpected": report.unexpected() },
    })
}

fn row_json(row: &Row) -> Json {
    json!({
        "scenario": row.scenario,
        "strategy": row.strategy,
        "reader": row.reader.map(|reader| reader.name()),
        "engine": "lanes",
        "coverage": coverage(row),
        "executions": row.executions,
        "classes": row.classes,
        "pruned": row.pruned,
        "outcome": row.outcome.name(),
        "expected": row.expected,
        "limit": row.limit,
        "note": row.note,
        "elapsed_ms": (row.elapsed_ms * 1e3).round() / 1e3,
        "findings": row.findings.iter().map(finding_json).collect::<Vec<_>>(),
    })
}

fn finding_json(finding: &Finding) -> Json {
    let trace = finding
        .trace
        .iter()
        .map(|row| json!({ "step": row.step, "lane": row.lane, "event": row.event }));
    json!({
        "invariant": finding.invariant.name(),
        "message": finding.message,
        "steps": finding.steps,
        "preemptions": finding.preemptions,
        "failing": finding.failing,
        "keys": finding.keys,
        "trace": trace.collect::<Vec<_>>(),
    })
}

/// The report as text, at most 100 columns wide.
pub fn to_text(report: &Report) -> String {
    let mut text = String::new();
    for (id, title) in &report.titles {
        let rows: Vec<&Row> = report
            .rows
            .iter()
            .filter(|row| row.scenario == *id)
            .collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{id}: {title}");
        for row in &rows {
            text.push_str(&line(row));
        }
        text.push_str(&blocks(&rows));
        text.push('\n');
    }
    for note in &report.notes {
        let _ = writeln!(text, "{note}");
    }
    text.push_str(&summary(&report.rows));
    text
}

/// The last line of a report.
pub(super) fn summary(rows: &[Row]) -> String {
    let results = rows.len();
    match rows.iter().filter(|row| !row.expected).count() {
        0 => format!("{results} results, all as expected\n"),
        unexpected => format!("{results} results, {unexpected} NOT AS EXPECTED\n"),
    }
}

/// One line for a row: strategy, reader, verdict, how far it was looked.
fn line(row: &Row) -> String {
    let reader = row.reader.map_or("all", |reader| reader.name());
    let broken: Vec<&str> = row
        .findings
        .iter()
        .map(|finding| finding.invariant.name())
        .collect();
    let verdict = match row.outcome {
        Outcome::Holds => "holds".to_owned(),
        Outcome::Incomplete => "INCOMPLETE".to_owned(),
        Outcome::Violates if row.limit && row.expected => {
            format!("limit: {}", broken.join(", "))
        }
        Outcome::Violates if row.expected => format!("caught: {}", broken.join(", ")),
        Outcome::Violates => format!("BREAKS {}", broken.join(", ")),
        Outcome::Deadlock => format!("STUCK {}", broken.join(", ")),
    };
    let coverage = coverage(row);
    let mark = if row.expected { ' ' } else { '!' };
    let mut text = format!(
        "{mark} {:<25} {reader:<10} {verdict:<32} {coverage}, {} classes\n",
        row.strategy, row.classes
    );
    if let Some(note) = &row.note {
        let _ = writeln!(text, "    {note}");
    }
    text
}

/// How far a row was looked, in the words of DESIGN.md.
fn coverage(row: &Row) -> &'static str {
    if row.exhaustive {
        "exhaustive"
    } else {
        "bounded"
    }
}

/// The findings of a scenario. What is not as expected is shown in full; of what
/// a strategy is known to break the first is, and the others are told in a line;
/// a declared limit has no block.
fn blocks(rows: &[&Row]) -> String {
    let mut text = String::new();
    let mut shown: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| !(row.limit && row.expected)) {
        for finding in &row.findings {
            if row.expected && shown.contains(&row.strategy.as_str()) {
                let (number, name) = (finding.invariant.number(), finding.invariant);
                let _ = writeln!(text, " also  {number} {name}: {}", finding.message);
            } else {
                text.push_str(&block(row, finding));
                shown.push(&row.strategy);
            }
        }
    }
    text
}

/// One finding: what was seen, how simple it is, the lane table, the odds.
pub(super) fn block(row: &Row, finding: &Finding) -> String {
    let word = if row.expected { "found" } else { "FAIL" };
    let head = format!("{word:<5} {}  strategy {}", row.scenario, row.strategy);
    let name = format!("{} {}", finding.invariant.number(), finding.invariant);
    let mut text = format!("\n{head:<76}{name:>24}\n");
    for line in fill(&finding.message, 94) {
        let _ = writeln!(text, "      {line}");
    }
    let coverage = coverage(row);
    let _ = writeln!(
        text,
        "      found at execution {} of {} ({coverage})  {} steps, {} preemptions, the fewest of these",
        finding.first, finding.of, finding.steps, finding.preemptions
    );
    let key = finding.keys.first().map(String::as_str);
    text.push_str(&trace::table(&finding.trace, key));
    let _ = writeln!(
        text,
        " odds  {} of {} schedules fail",
        finding.failing, row.classes
    );
    text
}

/// Breaks a text into lines of at most `width` characters, at blanks.
pub(super) fn fill(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
