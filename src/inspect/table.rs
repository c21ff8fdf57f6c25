//! Columns of text.

use std::fmt::Write;

/// No column is made wider than this for one long cell.
const WIDEST: usize = 48;

/// Rows as lines, each column as wide as its widest cell and two blanks apart.
/// Columns that are empty throughout are left out.
pub(super) fn table<const N: usize>(indent: &str, rows: &[[String; N]]) -> String {
    let widths: [usize; N] = std::array::from_fn(|at| {
        let lengths = rows.iter().map(|row| row[at].chars().count());
        lengths
            .filter(|&length| length <= WIDEST)
            .max()
            .unwrap_or(0)
    });
    let empty: [bool; N] =
        std::array::from_fn(|at| rows.iter().all(|row| row[at].is_empty()));
    let mut text = String::new();
    for row in rows {
        let mut line = indent.to_owned();
        for at in (0..N).filter(|&at| !empty[at]) {
            let width = widths[at];
            let _ = write!(line, "{:<width$}  ", row[at]);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
