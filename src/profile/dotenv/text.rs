//! Bytes to text with places: UTF-8, byte-order mark, line ends.

use crate::profile::diagnostic::{Diagnostic, Severity};

/// A file as characters, with every line end as one `\n`.
pub(super) struct Text {
    pub(super) chars: Vec<char>,
    /// Where each line begins, as an editor counts lines.
    starts: Vec<usize>,
    /// What is wrong with the bytes, whoever reads them.
    pub(super) problems: Vec<Diagnostic>,
}

impl Text {
    /// Decodes a file. Invalid UTF-8 gives no text at all, only the problem.
    pub(super) fn decode(bytes: &[u8], drop_mark: bool) -> Self {
        let mut text = Self {
            chars: Vec::new(),
            starts: vec![0],
            problems: Vec::new(),
        };
        match std::str::from_utf8(bytes) {
            Ok(decoded) => {
                let unmarked = decoded.strip_prefix('\u{feff}').filter(|_| drop_mark);
                text.fill(unmarked.unwrap_or(decoded));
            }
            Err(error) => {
                let valid = std::str::from_utf8(&bytes[..error.valid_up_to()]);
                text.fill(valid.unwrap_or_default());
                let place = text.place(text.chars.len());
                text.chars.clear();
                text.problems = vec![Diagnostic::new(
                    Severity::Error,
                    "invalid-utf8",
                    place,
                    "a byte is not UTF-8",
                )];
            }
        }
        text
    }

    fn fill(&mut self, decoded: &str) {
        let mut rest = decoded.chars().peekable();
        let mut nul_line = usize::MAX;
        while let Some(next) = rest.next() {
            let at = self.chars.len();
            if next == '\0' && nul_line != self.starts.len() {
                nul_line = self.starts.len();
                self.problem("nul", at, "a NUL character");
            }
            if next == '\r' && rest.next_if_eq(&'\n').is_none() {
                self.problem("lone-cr", at, "a carriage return without a line feed");
            }
            self.chars.push(if next == '\r' { '\n' } else { next });
            if matches!(next, '\r' | '\n') {
                self.starts.push(at + 1);
            }
        }
    }

    fn problem(&mut self, code: &'static str, at: usize, message: &str) {
        let place = self.place(at);
        self.problems
            .push(Diagnostic::new(Severity::Error, code, place, message));
    }

    /// Whether the bytes were no UTF-8.
    pub(super) fn is_undecodable(&self) -> bool {
        self.problems
            .iter()
            .any(|problem| problem.code == "invalid-utf8")
    }

    /// Line and column of a character, counted from 1.
    pub(super) fn place(&self, at: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= at);
        let column = at - self.starts[line - 1] + 1;
        (count(line), count(column))
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// What Python's `str.isspace` takes for a blank; more than `char::is_whitespace`.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// A blank that does not end a line.
pub(super) fn is_inline_blank(c: char) -> bool {
    is_blank(c) && c != '\n'
}

/// What Python's `str.splitlines` takes for the end of a line.
pub(super) fn is_line_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    ) || ('\u{1c}'..='\u{1e}').contains(&c)
}
