//! Lists and maps as JSON text, in the spacing of Python's `json.dumps`.

use std::fmt::Write;

use super::number::float_text;
use super::scalar::Scalar;
use super::tree::{Kind, Node};

/// The JSON text of a node; the place of what JSON can not say otherwise.
pub(super) fn json(node: &Node) -> Result<String, (u32, u32)> {
    let mut text = String::new();
    write_node(node, &mut text)?;
    Ok(text)
}

fn write_node(node: &Node, text: &mut String) -> Result<(), (u32, u32)> {
    match &node.kind {
        Kind::Scalar(Scalar::Text(value)) => write_string(value, text),
        Kind::Scalar(scalar) => text.push_str(&word(scalar).ok_or(node.place)?),
        Kind::List(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                write_node(item, text)?;
            }
            text.push(']');
        }
        Kind::Map(pairs) => {
            text.push('{');
            for (at, (key, value)) in pairs.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                match &key.kind {
                    Kind::Scalar(Scalar::Text(name)) => write_string(name, text),
                    Kind::Scalar(other) => {
                        write_string(&word(other).ok_or(key.place)?, text);
                    }
                    _ => return Err(key.place),
                }
                text.push_str(": ");
                write_node(value, text)?;
            }
            text.push('}');
        }
    }
    Ok(())
}

/// A scalar that is written without quotes.
fn word(scalar: &Scalar) -> Option<String> {
    Some(match scalar {
        Scalar::Null => "null".to_owned(),
        Scalar::Float(value) if value.is_nan() => "NaN".to_owned(),
        Scalar::Float(value) if value.is_infinite() => {
            if *value > 0.0 {
                "Infinity".to_owned()
            } else {
                "-Infinity".to_owned()
            }
        }
        Scalar::Float(value) => float_text(*value),
        Scalar::Bool(value) => value.to_string(),
        Scalar::Int(value) => value.clone(),
        Scalar::Merge => "\"<<\"".to_owned(),
        Scalar::Time(_) | Scalar::Text(_) => return None,
    })
}

fn write_string(value: &str, text: &mut String) {
    text.push('"');
    for c in value.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            ' '..='~' => text.push(c),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a `String` does not fail.
                    let _ = write!(text, "\\u{unit:04x}");
                }
            }
        }
    }
    text.push('"');
}
