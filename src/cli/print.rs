//! Printing: colour on a terminal, plain text everywhere else.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use isolane::Error;

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

pub(super) fn error(error: &Error) {
    let _ = writeln!(anstream::stderr(), "{BAD}isolane:{BAD:#} {error}");
}

fn style_of(line: &str) -> Style {
    if line.starts_with("FAIL") || line.starts_with('!') || line.contains("NOT AS EXPECTED")
    {
        BAD
    } else if line.starts_with("found") {
        FOUND
    } else if line.ends_with("all as expected") {
        GOOD
    } else {
        Style::new()
    }
}
