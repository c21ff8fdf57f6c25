//! The steps of a worker and their grammar.

use std::fmt;

use crate::value::{Key, State, Value};

/// One step of a worker's program.
#[derive(Debug, Clone)]
pub struct Step {
    /// As written; `A.exit` in `reachable` means the step whose text starts so.
    pub text: String,
    /// What it does.
    pub op: Op,
    /// What it must give, where the scenario says so.
    pub want: Option<Answer>,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Enters a profile.
    Enter(String),
    /// Ends the innermost profile scope.
    Exit,
    /// Binds session variables; an empty value is explicitly empty.
    Bind(Vec<(String, String)>),
    /// Ends the innermost session scope.
    Unbind,
    /// Makes the session in force explicitly empty.
    Clear,
    /// Makes the session in force never-bound.
    Reset,
    /// Reads a session variable.
    Ctx(String),
    /// Reads a variable with the scoped reader.
    Get(Key),
    /// Reads a variable as legacy code does.
    Os(Key),
    /// Reads a config value of the home in force.
    Cfg(String),
    /// Reads a config value of the home that the home variable names.
    OsCfg(String),
    /// Writes the process environment as an outsider; `None` removes.
    Set(Key, Option<Value>),
    /// Starts a thread.
    Spawn(Thread, String),
    /// Waits for a thread.
    Join(String),
    /// Panics; caught at the worker's end.
    Panic,
    /// Lets others run.
    Await,
}

/// How a thread is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thread {
    /// By the library, in the context that is in force.
    Inherit,
    /// By the library, with nothing in force.
    Fresh,
    /// Behind the library's back.
    Raw,
}

/// What a reader gives.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// Unset, empty or a value.
    State(State<Value>),
    /// An error.
    Error,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::State(State::Unset) => f.write_str("unset"),
            Answer::State(State::Empty) => f.write_str("empty"),
            Answer::State(State::Set(value)) => f.write_str(&shown(value)),
            Answer::Error => f.write_str("error"),
        }
    }
}

/// How a value of a scenario is printed: stand-ins for secrets (`<p/KEY>`) as
/// they are, everything else in quotes.
pub(crate) fn shown(value: &Value) -> String {
    let text = value.expose().to_string_lossy();
    if text.starts_with('<') && text.ends_with('>') {
        text.into_owned()
    } else {
        format!("{text:?}")
    }
}

impl Step {
    /// Reads a step.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and what is known instead.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (head, want) = match text.split_once(" == ") {
            Some((head, want)) => (head.trim(), Some(parse_answer(want.trim())?)),
            None => (text, None),
        };
        let (verb, rest) = head.split_once(char::is_whitespace).unwrap_or((head, ""));
        let op = Op::parse(verb, rest.trim())?;
        if want.is_some() && !op.answers() {
            return Err(format!("`{verb}` gives nothing that `==` could compare"));
        }
        Ok(Self {
            text: text.to_owned(),
            op,
            want,
        })
    }

    /// Whether `A.<word>` in `reachable` can mean this step.
    pub(super) fn is_called(&self, word: &str) -> bool {
        self.text == word || self.text.split_whitespace().next() == Some(word)
    }
}

impl Op {
    fn parse(verb: &str, rest: &str) -> Result<Self, String> {
        let one = |what: &str| {
            if rest.is_empty() || rest.contains(char::is_whitespace) {
                Err(format!("`{verb}` takes one {what}"))
            } else {
                Ok(rest.to_owned())
            }
        };
        let key =
            || one("variable").and_then(|name| Key::new(name).map_err(|e| e.to_string()));
        let none = |op: Op| {
            if rest.is_empty() {
                Ok(op)
            } else {
                Err(format!("`{verb}` takes nothing"))
            }
        };
        match verb {
            "enter" => one("profile").map(Op::Enter),
            "exit" => none(Op::Exit),
            "bind" => parse_pairs(rest).map(Op::Bind),
            "unbind" => none(Op::Unbind),
            "clear" => none(Op::Clear),
            "reset" => none(Op::Reset),
            "ctx" => one("session variable").map(Op::Ctx),
            "get" => key().map(Op::Get),
            "os" => key().map(Op::Os),
            "cfg" => one("config path").map(Op::Cfg),
            "os-cfg" => one("config path").map(Op::OsCfg),
            "set" => parse_pair(rest).map(|(k, v)| Op::Set(k, Some(v))),
            "remove" => key().map(|key| Op::Set(key, None)),
            "thr" => one("thread").map(|name| Op::Spawn(Thread::Inherit, name)),
            "thr-fresh" => one("thread").map(|name| Op::Spawn(Thread::Fresh, name)),
            "raw-thr" => one("thread").map(|name| Op::Spawn(Thread::Raw, name)),
            "join" => one("thread").map(Op::Join),
            "panic" => none(Op::Panic),
            "await" => none(Op::Await),
            _ => Err(format!(
                "unknown step `{verb}`; known are enter, exit, bind, unbind, clear, reset, ctx, get, \
                 os, cfg, os-cfg, set, remove, thr, thr-fresh, raw-thr, join, panic, await"
            )),
        }
    }

    fn answers(&self) -> bool {
        matches!(
            self,
            Op::Enter(_) | Op::Ctx(_) | Op::Get(_) | Op::Os(_) | Op::Cfg(_) | Op::OsCfg(_)
        )
    }
}

fn parse_answer(text: &str) -> Result<Answer, String> {
    let quoted = ['\'', '"'].into_iter().find_map(|quote| {
        text.strip_prefix(quote)
            .and_then(|text| text.strip_suffix(quote))
    });
    match (quoted, text) {
        (Some(""), _) => Ok(Answer::State(State::Empty)),
        (Some(value), _) => Ok(Answer::State(State::Set(Value::new(value)))),
        (None, "unset") => Ok(Answer::State(State::Unset)),
        (None, "empty") => Ok(Answer::State(State::Empty)),
        (None, "error") => Ok(Answer::Error),
        _ => Err("after `==` comes 'a value in quotes', unset, empty or error".to_owned()),
    }
}

fn parse_pair(text: &str) -> Result<(Key, Value), String> {
    let (name, value) = text.split_once('=').ok_or("`set` takes NAME=VALUE")?;
    Ok((
        Key::new(name.trim()).map_err(|e| e.to_string())?,
        Value::new(value),
    ))
}

fn parse_pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    text.split_whitespace()
        .map(|pair| {
            let (name, value) =
                pair.split_once('=').ok_or("`bind` takes NAME=VALUE ...")?;
            Ok((name.to_owned(), value.to_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_with_what_they_must_give() {
        let step = Step::parse("get K == '2'").unwrap();
        assert_eq!(step.op, Op::Get(Key::new("K").unwrap()));
        assert_eq!(step.want, Some(Answer::State(State::Set(Value::new("2")))));
        assert_eq!(
            Step::parse("ctx K == empty").unwrap().want,
            parse_answer("''").ok()
        );
        assert_eq!(
            Step::parse("bind A=1 B=").unwrap().op,
            Op::Bind(vec![("A".into(), "1".into()), ("B".into(), String::new())])
        );
    }

    #[test]
    fn a_step_that_makes_no_sense_says_what_would() {
        for (text, part) in [
            ("entre p1", "unknown step `entre`; known are enter"),
            ("enter", "takes one profile"),
            ("exit now", "takes nothing"),
            ("exit == '1'", "gives nothing"),
            ("get A == b", "after `==`"),
            ("set A", "NAME=VALUE"),
            ("get A=B", "contains `=`"),
        ] {
            let message = Step::parse(text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
