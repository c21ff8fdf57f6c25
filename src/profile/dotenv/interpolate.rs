//! `${NAME}` and `${NAME:-default}` as python-dotenv resolves them.

/// Replaces every reference; `lookup` gives nothing for an unknown name.
pub(super) fn interpolate(value: &str, lookup: impl Fn(&str) -> Option<String>) -> String {
    let mut done = String::new();
    let mut rest = value;
    while let Some(start) = rest.find("${") {
        let (before, reference) = rest.split_at(start);
        done.push_str(before);
        let length = match parse(reference) {
            Ok((name, default, length)) => {
                done.push_str(&lookup(name).unwrap_or_else(|| default.to_owned()));
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
    done
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
