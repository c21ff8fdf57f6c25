//! What a scalar means in YAML 1.1, and how it is written as text.

use super::number;
use super::time;

/// A scalar by its meaning.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scalar {
    Null,
    Bool(bool),
    /// In decimal, of any length.
    Int(String),
    Float(f64),
    /// The key `<<`.
    Merge,
    /// A date or a time, as Python prints it.
    Time(String),
    Text(String),
}

impl Scalar {
    /// What a plain scalar means. Fails where it looks like a date that is none,
    /// and for a lone `=`, which YAML 1.1 keeps for a use of its own.
    pub(super) fn plain(text: &str) -> Result<Self, ()> {
        if text == "=" {
            return Err(());
        }
        if matches!(text, "" | "~" | "null" | "Null" | "NULL") {
            return Ok(Self::Null);
        }
        if let Some(known) = boolean(text) {
            return Ok(Self::Bool(known));
        }
        if let Some(known) = number::float(text) {
            return Ok(Self::Float(known));
        }
        if let Some(known) = number::integer(text) {
            return Ok(Self::Int(known));
        }
        if let Some(known) = time::timestamp(text) {
            return known.map(Self::Time);
        }
        Ok(Self::Text(text.to_owned()))
    }

    /// What a scalar means whose tag `!!name` says its type.
    pub(super) fn tagged(name: &str, text: &str) -> Result<Self, ()> {
        match name {
            "str" => Ok(Self::Text(text.to_owned())),
            "null" => Ok(Self::Null),
            "bool" => boolean(&text.to_ascii_lowercase())
                .map(Self::Bool)
                .ok_or(()),
            "int" => number::integer(text).map(Self::Int).ok_or(()),
            "float" => number::float(text)
                .or_else(|| text.replace('_', "").parse().ok())
                .map(Self::Float)
                .ok_or(()),
            "timestamp" => time::timestamp(text).unwrap_or(Err(())).map(Self::Time),
            _ => Err(()),
        }
    }

    /// A text that is equal for two scalars that are one key of a Python
    /// dictionary, where numbers and truth values that are equal are the same.
    pub(super) fn identity(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Merge => "merge <<".to_owned(),
            Self::Bool(value) => format!("number {}", u8::from(*value)),
            Self::Int(value) => format!("number {value}"),
            Self::Float(value) if value.fract() == 0.0 => format!("number {value:.0}"),
            Self::Float(value) => format!("number {value}"),
            Self::Time(value) => format!("time {value}"),
            Self::Text(value) => format!("text {value}"),
        }
    }

    /// The scalar as the value of a variable; nothing for null.
    pub(super) fn text(&self) -> Option<String> {
        Some(match self {
            Self::Null => return None,
            Self::Merge => "<<".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Int(value) | Self::Time(value) | Self::Text(value) => value.clone(),
            Self::Float(value) => number::float_text(*value),
        })
    }
}

fn boolean(text: &str) -> Option<bool> {
    match text {
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Some(true),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Some(false)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_mean_what_yaml_1_1_says() {
        for (text, expected) in [
            ("yes", "true"),
            ("y", "y"),
            ("010", "8"),
            ("0o10", "0o10"),
            ("0x1F", "31"),
            ("0b101", "5"),
            ("-0x10", "-16"),
            ("1_000", "1000"),
            ("12:30:45", "45045"),
            ("-1:30", "-90"),
            ("08", "08"),
            ("1.50", "1.5"),
            ("1e3", "1e3"),
            ("1.5e+3", "1500.0"),
            ("1.0e+16", "1e+16"),
            (".00001", "1e-05"),
            ("1.", "1.0"),
            (".inf", "inf"),
            ("-.INF", "-inf"),
            (".nan", "nan"),
            ("1:30.5", "90.5"),
            ("2026-01-02", "2026-01-02"),
            ("2026-01-02T03:04:05Z", "2026-01-02 03:04:05+00:00"),
            ("2026-1-2 3:04:05.25", "2026-01-02 03:04:05.250000"),
            ("2026-01-02 03:04:05 -5:30", "2026-01-02 03:04:05-05:30"),
            (
                "0x1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
                "680564733841876926926749214863536422911",
            ),
            ("+12", "12"),
            ("-0", "0"),
        ] {
            assert_eq!(
                Scalar::plain(text).unwrap().text().as_deref(),
                Some(expected),
                "{text}"
            );
        }
        assert!(Scalar::plain("2026-13-02").is_err());
        assert_eq!(Scalar::plain("Null").unwrap(), Scalar::Null);
    }
}
