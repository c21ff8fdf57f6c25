//! Which variables are credentials, judged by their names.

use crate::value::Key;

/// Credentials that a suffix would not give away: the identities of cloud
/// platforms that authenticate by themselves.
const NAMES: [&str; 12] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_PROFILE",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AZURE_CLIENT_ID",
    "AZURE_FEDERATED_TOKEN_FILE",
    "AZURE_TENANT_ID",
    "IDENTITY_ENDPOINT",
    "IDENTITY_HEADER",
    "MSI_ENDPOINT",
];

/// Last words of names that hold a credential, compared without regard to case.
const LAST_WORDS: [&str; 9] = [
    "KEY",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
    "PAT",
];

/// Names with such an ending that hold no credential.
const EXCEPTIONS: [&str; 3] = ["GPG_KEY", "HERMES_SESSION_KEY", "TERMINAL_SSH_KEY"];

/// Whether a variable holds a credential, judged by its name.
///
/// True for the key variables of known providers, for the identity variables of
/// cloud platforms that authenticate by themselves (`AWS_PROFILE`,
/// `AZURE_CLIENT_ID`, ...), and for any name that ends in `_KEY`,
/// `_TOKEN`, `_SECRET`, `_PASSWORD` and the like. Addresses and regions
/// (`OPENAI_BASE_URL`, `AWS_REGION`) are no credentials.
///
/// # Examples
///
/// ```
/// use isolane::{Key, profile::is_credential_name};
///
/// assert!(is_credential_name(&Key::new("OPENROUTER_API_KEY").unwrap()));
/// assert!(is_credential_name(&Key::new("AWS_PROFILE").unwrap()));
/// assert!(!is_credential_name(&Key::new("AWS_REGION").unwrap()));
/// ```
pub fn is_credential_name(key: &Key) -> bool {
    let name = key.as_os_str().as_encoded_bytes();
    if NAMES.iter().any(|known| known.as_bytes() == name) {
        return true;
    }
    let Some(before) = name.iter().rposition(|&byte| byte == b'_') else {
        return false;
    };
    let last = &name[before + 1..];
    LAST_WORDS
        .iter()
        .any(|word| last.eq_ignore_ascii_case(word.as_bytes()))
        && !EXCEPTIONS
            .iter()
            .any(|exception| exception.as_bytes() == name)
}
