//! `${NAME}` and `${env:NAME}` in the values of `config.yaml`.

/// Replaces the references of a text, once: what a reference brings in is not
/// looked at again. A name that `lookup` does not know stays as it is written
/// and is handed to `unknown`.
pub(in crate::profile) fn expand(
    text: &str,
    lookup: impl Fn(&str) -> Option<String>,
    mut unknown: impl FnMut(&str),
) -> String {
    let mut done = String::new();
    let mut rest = text;
    while let Some((before, name, after)) = first_reference(rest) {
        done.push_str(before);
        match lookup(name) {
            Some(value) => done.push_str(&value),
            None => {
                unknown(name);
                done.push_str(&rest[before.len()..rest.len() - after.len()]);
            }
        }
        rest = after;
    }
    done.push_str(rest);
    done
}

/// The names of all references of a text.
#[cfg(feature = "yaml")]
pub(super) fn references(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, name, after) = first_reference(rest)?;
        rest = after;
        Some(name)
    })
}

/// What is before the first reference, its name, and what is after it.
fn first_reference(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let start = from + text[from..].find("${")?;
        let inside = &text[start + 2..];
        let end = inside.find('}')?;
        if end == 0 {
            from = start + 2;
            continue;
        }
        let name = inside[..end].trim();
        let name = name.strip_prefix("env:").unwrap_or(name).trim();
        return Some((&text[..start], name, &inside[end + 1..]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_v(text: &str) -> String {
        expand(
            text,
            |name| (name == "V").then(|| "${V}x".to_owned()),
            |_| {},
        )
    }

    #[test]
    fn references_are_expanded_once_and_the_rest_is_kept() {
        for (text, expected) in [
            ("${V}", "${V}x"),
            ("a${ V }b${env:V}", "a${V}xb${V}x"),
            ("$${V}", "$${V}x"),
            ("$V ${} ${V", "$V ${} ${V"),
            (
                "${V:-d} ${U${V}} ${bitwarden:V}",
                "${V:-d} ${U${V}} ${bitwarden:V}",
            ),
        ] {
            assert_eq!(with_v(text), expected, "{text}");
        }
    }
}
