//! Which variables are credentials.
//!
//! A credential that a profile lacks reads as unset inside its scope. Being too
//! generous here hides a harmless variable from a profile; being too narrow
//! hands it somebody else's key. So a suffix is enough, and the exceptions are
//! named one by one.

use crate::value::Key;

/// The key variables of the known providers and the credentials that a suffix
/// would not give away; sorted, searched by halves.
const NAMES: [&str; 57] = [
    "ALIBABA_CODING_PLAN_API_KEY",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_TOKEN",
    "ARCEEAI_API_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_PROFILE",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AZURE_ANTHROPIC_KEY",
    "AZURE_CLIENT_ID",
    "AZURE_CLIENT_SECRET",
    "AZURE_FEDERATED_TOKEN_FILE",
    "AZURE_FOUNDRY_API_KEY",
    "AZURE_TENANT_ID",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "COPILOT_GITHUB_TOKEN",
    "CUSTOM_API_KEY",
    "DASHSCOPE_API_KEY",
    "DEEPSEEK_API_KEY",
    "GEMINI_API_KEY",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GLM_API_KEY",
    "GMI_API_KEY",
    "GOOGLE_API_KEY",
    "HF_TOKEN",
    "IDENTITY_ENDPOINT",
    "IDENTITY_HEADER",
    "KILOCODE_API_KEY",
    "KIMI_API_KEY",
    "KIMI_CN_API_KEY",
    "KIMI_CODING_API_KEY",
    "LMSTUDIO_API_KEY",
    "LM_API_KEY",
    "MINIMAX_API_KEY",
    "MINIMAX_CN_API_KEY",
    "MISTRAL_API_KEY",
    "MSI_ENDPOINT",
    "MSI_SECRET",
    "NEURALWATT_API_KEY",
    "NVIDIA_API_KEY",
    "OLLAMA_API_KEY",
    "OPENAI_API_KEY",
    "OPENCODE_API_KEY",
    "OPENCODE_GO_API_KEY",
    "OPENCODE_ZEN_API_KEY",
    "OPENROUTER_API_KEY",
    "STEPFUN_API_KEY",
    "TOKENHUB_API_KEY",
    "XAI_API_KEY",
    "XIAOMI_API_KEY",
    "ZAI_API_KEY",
    "Z_AI_API_KEY",
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
    if NAMES
        .binary_search_by(|known| known.as_bytes().cmp(name))
        .is_ok()
    {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_searched_by_halves() {
        assert!(NAMES.is_sorted());
    }
}
