//! Bytes to text: UTF-8, byte-order mark, line ends.

use std::borrow::Cow;
use std::fmt;

use super::token::Tokens;
use crate::profile::settings::Dialect;

const MARK: &str = "\u{feff}";

/// A `.env` file as text, with every line end as one `\n`.
///
/// This is the cheap way to the values alone: it borrows from the bytes wherever
/// the file holds a value as it is read, and judges nothing. For problems and their
/// places there is [`parse`](super::parse).
///
/// # Examples
///
/// ```
/// use isolane::Dialect;
/// use isolane::profile::dotenv::Text;
///
/// let text = Text::decode(b"# mine\nexport TOKEN='abc'\n");
/// let tokens: Vec<_> = text.tokens(Dialect::Hermes).collect();
/// assert_eq!(tokens.len(), 1);
/// assert_eq!(tokens[0].key, "TOKEN");
/// assert_eq!(tokens[0].value.as_deref(), Some("abc"));
/// ```
pub struct Text<'b> {
    text: Cow<'b, str>,
    /// Where a carriage return stood without a line feed.
    pub(super) lone_returns: Vec<usize>,
    /// Whether the bytes are UTF-8 up to their end.
    pub(super) is_utf8: bool,
}

/// Says nothing of the content.
impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes)", self.text.len())
    }
}

impl<'b> Text<'b> {
    /// Decodes a file. Bytes that are not UTF-8 throughout give no token at all.
    pub fn decode(bytes: &'b [u8]) -> Self {
        let (decoded, is_utf8) = match std::str::from_utf8(bytes) {
            Ok(decoded) => (decoded, true),
            Err(error) => {
                let valid = std::str::from_utf8(&bytes[..error.valid_up_to()]);
                (valid.unwrap_or_default(), false)
            }
        };
        let mut lone_returns = Vec::new();
        let text = match decoded.find('\r') {
            None => Cow::Borrowed(decoded),
            Some(first) => Cow::Owned(unify(decoded, first, &mut lone_returns)),
        };
        Self {
            text,
            lone_returns,
            is_utf8,
        }
    }

    /// The assignments as `dialect` reads them, in file order and with duplicates.
    ///
    /// Under [`Dialect::PythonDotenv`] a `${NAME}` that no earlier line sets is empty.
    pub fn tokens(&self, dialect: Dialect) -> Tokens<'_> {
        Tokens::new(self, dialect, None)
    }

    /// All the text that could be decoded, with its byte-order mark.
    pub(super) fn whole(&self) -> &str {
        &self.text
    }

    /// Where the text begins for a dialect: one of them passes over the mark.
    pub(super) fn begin(&self, dialect: Dialect) -> usize {
        let marked = dialect == Dialect::Hermes && self.text.starts_with(MARK);
        if marked { MARK.len() } else { 0 }
    }
}

/// Turns `\r\n` and `\r`, the first of which is at `next`, into `\n`.
fn unify(decoded: &str, mut next: usize, lone_returns: &mut Vec<usize>) -> String {
    let mut text = String::with_capacity(decoded.len());
    let mut rest = decoded;
    loop {
        text.push_str(&rest[..next]);
        rest = &rest[next + 1..];
        match rest.strip_prefix('\n') {
            Some(after) => rest = after,
            None => lone_returns.push(text.len()),
        }
        text.push('\n');
        match rest.find('\r') {
            Some(found) => next = found,
            None => break,
        }
    }
    text.push_str(rest);
    text
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
