//! Which texts can be a credential at all, and which surely are one.

/// Shorter texts are no key of any provider.
const SHORTEST: usize = 4;

/// What people leave in a file before they have a key; compared in lower case.
const PLACEHOLDERS: [&str; 16] = [
    "****",
    "<your-api-key>",
    "changeme",
    "dummy",
    "example",
    "insert-key-here",
    "none",
    "null",
    "placeholder",
    "replace-me",
    "sk-...",
    "todo",
    "your-api-key",
    "your-api-key-here",
    "your_api_key",
    "your_api_key_here",
];

/// Whether a text can be a credential: four characters or more without the blanks
/// around it, no placeholder, and no reference that nobody has resolved.
pub(crate) fn is_usable(text: &str) -> bool {
    let text = text.trim();
    let reference = (text.starts_with("${") && text.ends_with('}'))
        || text.starts_with("op://")
        || text.starts_with("bitwarden://");
    let stars = text
        .bytes()
        .all(|byte| matches!(byte, b'*' | b'x' | b'X' | b'.'));
    text.chars().nth(SHORTEST - 1).is_some()
        && !reference
        && !stars
        && !PLACEHOLDERS.contains(&&*text.to_ascii_lowercase())
}

/// How the keys of well-known services begin.
const BEGINNINGS: [&str; 13] = [
    "-----BEGIN",
    "AIza",
    "AKIA",
    "ghp_",
    "gho_",
    "github_pat_",
    "glpat-",
    "gsk_",
    "hf_",
    "sk-",
    "xai-",
    "xapp-",
    "xox",
];

/// Whether a text is a secret whatever its variable is called: it begins as the
/// keys of well-known services do, or it is an address with a password in it.
///
/// Only for hiding it from people; what a profile isolates is decided by name.
pub(in crate::profile) fn looks_secret(text: &str) -> bool {
    let key = text.len() >= 12 && BEGINNINGS.iter().any(|start| text.starts_with(start));
    key || has_password(text)
}

fn has_password(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("://") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority
        .rsplit_once('@')
        .and_then(|(user, _)| user.split_once(':'))
        .is_some_and(|(_, password)| !password.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_short_texts_are_no_credential() {
        for text in [
            "",
            "   ",
            "abc",
            " abc ",
            "CHANGEME",
            "Your_API_Key",
            "****",
            "xxxxxxxx",
            "${OPENAI_API_KEY}",
            "op://vault/item",
            "none",
        ] {
            assert!(!is_usable(text), "{text}");
        }
        for text in ["abcd", " sk-1 ", "example-of-mine", "${A}${B}x", "nonesuch"] {
            assert!(is_usable(text), "{text}");
        }
    }

    #[test]
    fn a_secret_is_known_by_its_look() {
        for text in [
            "sk-ant-0123456789",
            "postgres://user:pw@host/db",
            "-----BEGIN PRIVATE KEY-----",
        ] {
            assert!(looks_secret(text), "{text}");
        }
        for text in [
            "https://host/a@b:c",
            "https://user@host",
            "sk-",
            "plain",
            "",
        ] {
            assert!(!looks_secret(text), "{text}");
        }
    }
}
