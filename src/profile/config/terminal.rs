//! The keys of `terminal:` and the variables that they become.

use super::json::json;
use super::settings::Config;
use super::tree::{Kind, Node};
use crate::profile::diagnostic::{Diagnostic, Severity};

/// Key and variable. `env_type` comes after `backend`, so that it wins.
const VARIABLES: [(&str, &str); 25] = [
    ("backend", "TERMINAL_ENV"),
    ("env_type", "TERMINAL_ENV"),
    ("cwd", "TERMINAL_CWD"),
    ("timeout", "TERMINAL_TIMEOUT"),
    ("lifetime_seconds", "TERMINAL_LIFETIME_SECONDS"),
    ("docker_image", "TERMINAL_DOCKER_IMAGE"),
    ("docker_forward_env", "TERMINAL_DOCKER_FORWARD_ENV"),
    ("docker_env", "TERMINAL_DOCKER_ENV"),
    ("docker_volumes", "TERMINAL_DOCKER_VOLUMES"),
    (
        "docker_mount_cwd_to_workspace",
        "TERMINAL_DOCKER_MOUNT_CWD_TO_WORKSPACE",
    ),
    ("singularity_image", "TERMINAL_SINGULARITY_IMAGE"),
    ("modal_image", "TERMINAL_MODAL_IMAGE"),
    ("modal_mode", "TERMINAL_MODAL_MODE"),
    ("daytona_image", "TERMINAL_DAYTONA_IMAGE"),
    ("container_cpu", "TERMINAL_CONTAINER_CPU"),
    ("container_memory", "TERMINAL_CONTAINER_MEMORY"),
    ("container_disk", "TERMINAL_CONTAINER_DISK"),
    ("container_persistent", "TERMINAL_CONTAINER_PERSISTENT"),
    ("ssh_host", "TERMINAL_SSH_HOST"),
    ("ssh_user", "TERMINAL_SSH_USER"),
    ("ssh_port", "TERMINAL_SSH_PORT"),
    ("ssh_key", "TERMINAL_SSH_KEY"),
    ("ssh_persistent", "TERMINAL_SSH_PERSISTENT"),
    ("local_persistent", "TERMINAL_LOCAL_PERSISTENT"),
    ("persistent_shell", "TERMINAL_PERSISTENT_SHELL"),
];

/// Takes the variables of a `terminal:` map; null contributes nothing.
pub(super) fn take_terminal(terminal: &Node, config: &mut Config) {
    for (name, variable) in VARIABLES {
        let Some(node) = terminal.get(name) else {
            continue;
        };
        let text = match &node.kind {
            Kind::Scalar(scalar) => scalar.text(),
            Kind::List(_) | Kind::Map(_) => match json(node) {
                Ok(text) => Some(text),
                Err(place) => {
                    let message = "a date or a map key that JSON can not say; quote it";
                    config.diagnostics.push(
                        Diagnostic::new(Severity::Error, "not-json", place, message)
                            .key(Some(format!("terminal.{name}"))),
                    );
                    None
                }
            },
        };
        if let Some(text) = text {
            config.terminal.insert(variable, (text, node.place.0));
        }
    }
}
