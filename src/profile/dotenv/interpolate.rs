//! `${NAME}` and `${NAME:-default}` as python-dotenv resolves them.

/// Replaces every reference; `lookup` gives nothing for an unknown name.
pub(super) fn interpolate(value: &str, lookup: impl Fn(&str) -> Option<String>) -> String {
    let mut done = String::new();
    let mut rest = value;
    while let Some(start) = rest.find("${") {
        let Some((name, default, length)) = reference(&rest[start..]) else {
            done.push_str(&rest[..start + 2]);
            rest = &rest[start + 2..];
            continue;
        };
        done.push_str(&rest[..start]);
        done.push_str(&lookup(name).unwrap_or_else(|| default.to_owned()));
        rest = &rest[start + length..];
    }
    done.push_str(rest);
    done
}

/// Name, default and length of the reference that `text` begins with.
fn reference(text: &str) -> Option<(&str, &str, usize)> {
    let inside = text.strip_prefix("${")?;
    let end = inside.find(['}', ':'])?;
    let (name, rest) = inside.split_at(end);
    if rest.starts_with('}') {
        return Some((name, "", "${}".len() + end));
    }
    let default = rest.strip_prefix(":-")?;
    let length = default.find('}')?;
    Some((name, &default[..length], "${:-}".len() + end + length))
}
