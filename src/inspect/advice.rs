//! One line of advice for each kind of finding.

/// What somebody can do about a finding, by its code.
pub(super) fn advice(code: &str) -> &'static str {
    match code {
        "readers-disagree" => {
            "write a plain value, or put one pair of double quotes around it and nothing after it"
        }
        "duplicate" | "duplicate-key" => "keep the one that is meant and remove the other",
        "inherited" => {
            "nothing under isolation; other readers see the root's: give the profile its own key or an empty one"
        }
        "differs" => "nothing, if each profile is meant to have its own value",
        "shared-secret" => "nothing, if they may share it; else ask for a second key",
        "unusable" => "put the real key there or remove the line",
        "denied" => "remove the line; a profile can not change the shell or the loader",
        "control" => "remove the line; only the host's own environment may set it",
        "unresolved" => "set the variable in this profile's `.env` or remove the reference",
        "reference" => "write the value itself; most readers do not expand `.env`",
        "world-readable" => "chmod 600 the file; it holds secrets",
        "writable" => "chmod 600 the file; others decide what runs with these settings",
        "too-long" => "put the value in a file and its path in the variable",
        "unterminated-quote" => "add the closing quote on the same line",
        "after-quote" => "remove what follows the closing quote, or put ` #` before it",
        "inside-quotes" => "close the quote above on its own line",
        "no-key" => "put a name before `=` or remove the line",
        "no-equals" => "add `=` and a value, or put `#` before it",
        "odd-name" => "use letters, digits and `_` only",
        "two-entries" => "put the second entry on a line of its own",
        "dropped" => "write it as `NAME=value` or put `#` before it",
        "invalid-utf8" => "save the file as UTF-8",
        "nul" => "remove the NUL characters; save the file as UTF-8 text",
        "lone-cr" => "end lines with LF or CR LF",
        "bad-yaml" => {
            "mend the YAML at this place; until then the whole profile is refused"
        }
        "not-a-map" => "write `name: value` lines there",
        "not-json" => "quote dates and other unusual values inside lists and maps",
        "unreadable" => "make it a regular file that this user can read, or remove it",
        "stranger" => "move it elsewhere if it is no profile",
        "active-profile" => "name a profile that exists, or remove the file",
        "no-home" => "make it a folder among the profiles",
        _ => "look at this place",
    }
}
