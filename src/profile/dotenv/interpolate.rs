//! `${NAME}` and `${NAME:-default}` as python-dotenv resolves them.

use std::borrow::Cow;

/// Replaces every reference; `lookup` gives nothing for an unknown name.
pub(super) fn interpolate<'t, 'v>(
    value: Cow<'t, str>,
    lookup: impl Fn(&str) -> Option<&'v str>,
) -> Cow<'t, str> {
    if !value.contains("${") {
        return value;
    }
    let mut done = String::new();
    let mut rest = &*value;
    while let Some(start) = rest.find("${") {
        let (before, reference) = rest.split_at(start);
        done.push_str(before);
        let length = match parse(reference) {
            Ok((name, default, length)) => {
                done.push_str(lookup(name).unwrap_or(default));
                length
            }
            Err(length) => {
                done.push_str(&reference[..length]);
                length
            }
        };
        rest = &reference[length..];
    }
    done.push_str(rest);
    Cow::Owned(done)
}

/// Name, default and length of the reference that a text begins with; or the
/// length of what is certainly none, so that no text is looked through twice.
fn parse(text: &str) -> Result<(&str, &str, usize), usize> {
    let inside = &text["${".len()..];
    let end = inside.find(['}', ':']).ok_or(text.len())?;
    let (name, rest) = inside.split_at(end);
    if rest.starts_with('}') {
        return Ok((name, "", "${}".len() + end));
    }
    let default = rest.strip_prefix(":-").ok_or("${".len() + end)?;
    let length = default.find('}').ok_or(text.len())?;
    Ok((name, &default[..length], "${:-}".len() + end + length))
}
