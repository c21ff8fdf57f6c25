//! The findings of a home, for people.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use super::audit::{Audit, Finding};
use super::table::table;
use crate::profile::Severity;

impl Audit {
    /// For people: the worst kinds first, each with one line of advice, then the
    /// places.
    pub fn text(&self) -> String {
        let mut groups: BTreeMap<_, Vec<&Finding>> = BTreeMap::new();
        for found in &self.findings {
            let kind = (std::cmp::Reverse(found.severity), found.code);
            groups.entry(kind).or_default().push(found);
        }
        let mut text = String::new();
        for ((severity, code), group) in &groups {
            let _ = writeln!(text, "{}: {code} ({})", severity.0, group.len());
            if alike(group) {
                let _ = writeln!(text, "  {}", group[0].message);
            }
            let _ = writeln!(text, "  {}", group[0].advice());
            text.push_str(&self.places(group));
            text.push('\n');
        }
        let rows: Vec<[String; 2]> = self
            .profiles
            .iter()
            .map(|of| {
                let figures =
                    format!("readers disagree on {} of {} keys", of.disagree, of.keys);
                [of.profile.to_string(), figures]
            })
            .collect();
        text.push_str(&table("", &rows));
        let count = |severity| {
            let all = self.findings.iter();
            let count = all.filter(|found| found.severity == severity).count();
            let plural = if count == 1 { "" } else { "s" };
            format!("{count} {}{plural}", severity.as_str())
        };
        let _ = writeln!(
            text,
            "{}, {}, {} in {}",
            count(Severity::Error),
            count(Severity::Warning),
            count(Severity::Note),
            self.root.display()
        );
        text
    }

    fn places(&self, group: &[&Finding]) -> String {
        let alike = alike(group);
        let rows: Vec<[String; 4]> = group
            .iter()
            .map(|found| {
                let profile = found.profile.as_ref();
                [
                    profile.map(ToString::to_string).unwrap_or_default(),
                    self.place(&found.file, found.line),
                    found.key.clone().unwrap_or_default(),
                    match alike {
                        true => String::new(),
                        false => found.message.clone(),
                    },
                ]
            })
            .collect();
        table("    ", &rows)
    }

    fn place(&self, file: &Path, line: u32) -> String {
        let inside = file.strip_prefix(&self.root).unwrap_or(file).display();
        match line {
            0 => inside.to_string(),
            line => format!("{inside}:{line}"),
        }
    }
}

/// Whether one message says it for all.
fn alike(group: &[&Finding]) -> bool {
    group.iter().all(|found| found.message == group[0].message)
}
