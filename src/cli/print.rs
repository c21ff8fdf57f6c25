//! Printing: colour on a terminal, plain text everywhere else.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use isolane::{Diagnostic, Error, Severity};

const BAD: Style = AnsiColor::Red.on_default().bold();
const FOUND: Style = AnsiColor::Yellow.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default();

/// Prints to standard output. A reader that has gone away is no error.
pub(super) fn text(text: &str) {
    let mut out = anstream::stdout().lock();
    for line in text.lines() {
        let style = style_of(line);
        if writeln!(out, "{style}{line}{style:#}").is_err() {
            return;
        }
    }
    let _ = out.flush();
}

/// Prints JSON to standard output.
pub(super) fn json(json: &serde_json::Value) {
    bytes(format!("{json:#}\n").as_bytes());
}

/// Prints to standard output, byte for byte.
pub(super) fn bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Prints what is wrong with a file to standard error.
pub(super) fn diagnostic(found: &Diagnostic) {
    let style = match found.severity {
        Severity::Error => BAD,
        _ => FOUND,
    };
    let severity = found.severity;
    let _ = writeln!(anstream::stderr(), "{style}{severity}:{style:#} {found}");
}

pub(super) fn warning(text: &str) {
    let _ = writeln!(anstream::stderr(), "{FOUND}warning:{FOUND:#} {text}");
}

pub(super) fn error(error: &Error) {
    let _ = writeln!(anstream::stderr(), "{BAD}isolane:{BAD:#} {error}");
}

fn style_of(line: &str) -> Style {
    if line.starts_with("FAIL")
        || line.starts_with('!')
        || line.starts_with("error: ")
        || line.contains("NOT AS EXPECTED")
    {
        BAD
    } else if line.starts_with("found") || line.starts_with("warning: ") {
        FOUND
    } else if line.ends_with("all as expected") {
        GOOD
    } else {
        Style::new()
    }
}
