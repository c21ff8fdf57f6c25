//! Which providers there are and which variables hold their keys: data.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::Error;
use crate::value::Key;

/// How a provider knows who is asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Auth {
    /// By a key in a variable or in `config.yaml`.
    ApiKey,
    /// By the AWS chain: its own variables, files and instance roles.
    AwsSdk,
    /// By a program that is started and asked.
    ExternalProcess,
    /// By a login on another device.
    OauthDeviceCode,
    /// By another program's login.
    OauthExternal,
    /// By the MiniMax login.
    OauthMinimax,
    /// By a Google service account.
    Vertex,
}

/// One provider.
///
/// # Examples
///
/// ```
/// use isolane::profile::{Provider, Providers};
///
/// # fn main() -> Result<(), isolane::Error> {
/// let mine = Provider::new("acme", &["ACME_API_KEY", "ACME_LOGIN"])?;
/// let providers = Providers::default().with(mine);
/// assert_eq!(providers.get("acme").unwrap().keys()[1].to_string(), "ACME_LOGIN");
/// assert_eq!(providers.get("zai").unwrap().keys().len(), 3);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    id: String,
    auth: Auth,
    keys: Vec<Key>,
    base_url: Option<Key>,
}

impl Provider {
    /// A provider by its id and its key variables, the first usable one of which
    /// counts.
    ///
    /// # Errors
    ///
    /// [`Error::is_bad_name`] for a text that is no variable name.
    pub fn new(id: &str, keys: &[&str]) -> Result<Self, Error> {
        Ok(Self {
            id: id.to_owned(),
            auth: Auth::ApiKey,
            keys: keys.iter().map(Key::new).collect::<Result<_, _>>()?,
            base_url: None,
        })
    }

    /// The id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// How it knows who is asking. Only [`Auth::ApiKey`] is looked up here.
    pub fn auth(&self) -> Auth {
        self.auth
    }

    /// The variables that hold its key, the first usable one of which counts.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The variable that holds its address.
    pub fn base_url(&self) -> Option<&Key> {
        self.base_url.as_ref()
    }
}

/// The providers that are known, by id.
///
/// The default are those of the gateway and web hosts that share these files; a
/// host adds its own. Cloning costs one reference count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Providers(Arc<BTreeMap<String, Provider>>);

impl Providers {
    /// The same with one more; one of the same id is replaced.
    #[must_use]
    pub fn with(self, provider: Provider) -> Self {
        let mut all = Arc::unwrap_or_clone(self.0);
        all.insert(provider.id.clone(), provider);
        Self(Arc::new(all))
    }

    /// A provider by its id.
    pub fn get(&self, id: &str) -> Option<&Provider> {
        self.0.get(id)
    }

    /// All of them, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Provider> {
        self.0.values()
    }
}

impl Default for Providers {
    fn default() -> Self {
        Self(Arc::new(
            TABLE
                .iter()
                .map(|row| (row.0.to_owned(), row.provider()))
                .collect(),
        ))
    }
}

/// Id, way of knowing, key variables in order, address variable or nothing.
struct Row(&'static str, Auth, &'static [&'static str], &'static str);

impl Row {
    fn provider(&self) -> Provider {
        let Self(id, auth, keys, base_url) = *self;
        let known = |name: &&str| Key::new(name).ok();
        Provider {
            id: id.to_owned(),
            auth,
            keys: keys.iter().filter_map(known).collect(),
            base_url: known(&base_url),
        }
    }
}

const fn row(
    id: &'static str,
    auth: Auth,
    keys: &'static [&'static str],
    base_url: &'static str,
) -> Row {
    Row(id, auth, keys, base_url)
}

#[rustfmt::skip]
const TABLE: [Row; 35] = [
    row("alibaba", Auth::ApiKey, &["DASHSCOPE_API_KEY"], "DASHSCOPE_BASE_URL"),
    row("alibaba-coding-plan", Auth::ApiKey, &["ALIBABA_CODING_PLAN_API_KEY", "DASHSCOPE_API_KEY"], "ALIBABA_CODING_PLAN_BASE_URL"),
    row("anthropic", Auth::ApiKey, &["ANTHROPIC_API_KEY", "ANTHROPIC_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"], "ANTHROPIC_BASE_URL"),
    row("arcee", Auth::ApiKey, &["ARCEEAI_API_KEY"], "ARCEE_BASE_URL"),
    row("azure-foundry", Auth::ApiKey, &["AZURE_FOUNDRY_API_KEY"], "AZURE_FOUNDRY_BASE_URL"),
    row("bedrock", Auth::AwsSdk, &[], "BEDROCK_BASE_URL"),
    row("copilot", Auth::ApiKey, &["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"], "COPILOT_API_BASE_URL"),
    row("copilot-acp", Auth::ExternalProcess, &[], "COPILOT_ACP_BASE_URL"),
    row("deepseek", Auth::ApiKey, &["DEEPSEEK_API_KEY"], "DEEPSEEK_BASE_URL"),
    row("gemini", Auth::ApiKey, &["GOOGLE_API_KEY", "GEMINI_API_KEY"], "GEMINI_BASE_URL"),
    row("gmi", Auth::ApiKey, &["GMI_API_KEY"], "GMI_BASE_URL"),
    row("huggingface", Auth::ApiKey, &["HF_TOKEN"], "HF_BASE_URL"),
    row("kilocode", Auth::ApiKey, &["KILOCODE_API_KEY"], "KILOCODE_BASE_URL"),
    row("kimi-coding", Auth::ApiKey, &["KIMI_API_KEY", "KIMI_CODING_API_KEY"], "KIMI_BASE_URL"),
    row("kimi-coding-cn", Auth::ApiKey, &["KIMI_CN_API_KEY"], ""),
    row("lmstudio", Auth::ApiKey, &["LM_API_KEY"], "LM_BASE_URL"),
    row("minimax", Auth::ApiKey, &["MINIMAX_API_KEY"], "MINIMAX_BASE_URL"),
    row("minimax-cn", Auth::ApiKey, &["MINIMAX_CN_API_KEY"], "MINIMAX_CN_BASE_URL"),
    row("minimax-oauth", Auth::OauthMinimax, &[], ""),
    row("nous", Auth::OauthDeviceCode, &[], ""),
    row("nvidia", Auth::ApiKey, &["NVIDIA_API_KEY"], "NVIDIA_BASE_URL"),
    row("ollama-cloud", Auth::ApiKey, &["OLLAMA_API_KEY"], "OLLAMA_BASE_URL"),
    row("openai-api", Auth::ApiKey, &["OPENAI_API_KEY"], "OPENAI_BASE_URL"),
    row("openai-codex", Auth::OauthExternal, &[], ""),
    row("opencode-go", Auth::ApiKey, &["OPENCODE_GO_API_KEY"], "OPENCODE_GO_BASE_URL"),
    row("opencode-zen", Auth::ApiKey, &["OPENCODE_ZEN_API_KEY"], "OPENCODE_ZEN_BASE_URL"),
    row("openrouter", Auth::ApiKey, &["OPENROUTER_API_KEY", "OPENAI_API_KEY"], "OPENROUTER_BASE_URL"),
    row("qwen-oauth", Auth::OauthExternal, &[], ""),
    row("stepfun", Auth::ApiKey, &["STEPFUN_API_KEY"], "STEPFUN_BASE_URL"),
    row("tencent-tokenhub", Auth::ApiKey, &["TOKENHUB_API_KEY"], "TOKENHUB_BASE_URL"),
    row("vertex", Auth::Vertex, &[], ""),
    row("xai", Auth::ApiKey, &["XAI_API_KEY"], "XAI_BASE_URL"),
    row("xai-oauth", Auth::OauthExternal, &[], ""),
    row("xiaomi", Auth::ApiKey, &["XIAOMI_API_KEY"], "XIAOMI_BASE_URL"),
    row("zai", Auth::ApiKey, &["GLM_API_KEY", "ZAI_API_KEY", "Z_AI_API_KEY"], "GLM_BASE_URL"),
];
