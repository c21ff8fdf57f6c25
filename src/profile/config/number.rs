//! Numbers of YAML 1.1: underscores, octal with a leading 0, base 60.

/// An integer in decimal, or nothing where the text is none.
pub(super) fn integer(text: &str) -> Option<String> {
    let (negative, digits) = sign(text);
    let bare: String = digits.chars().filter(|&c| c != '_').collect();
    let decimal = if let Some(rest) = digits.strip_prefix("0b") {
        only(rest, |c| matches!(c, '0' | '1' | '_'))?;
        in_decimal(&bare[2..], 2)?
    } else if let Some(rest) = digits.strip_prefix("0x") {
        only(rest, |c| c.is_ascii_hexdigit() || c == '_')?;
        in_decimal(&bare[2..], 16)?
    } else if digits == "0" {
        bare
    } else if let Some(rest) = digits.strip_prefix('0') {
        only(rest, |c| matches!(c, '0'..='7' | '_'))?;
        in_decimal(&bare, 8)?
    } else if digits.contains(':') {
        base_sixty(digits)?
    } else {
        only(digits, |c| c.is_ascii_digit() || c == '_')?;
        digits
            .starts_with(|c: char| c.is_ascii_digit())
            .then_some(bare)?
    };
    Some(if negative && decimal != "0" {
        format!("-{decimal}")
    } else {
        decimal
    })
}

/// A floating-point number, or nothing where the text is none.
pub(super) fn float(text: &str) -> Option<f64> {
    let (negative, digits) = sign(text);
    let magnitude = match digits {
        ".inf" | ".Inf" | ".INF" => f64::INFINITY,
        ".nan" | ".NaN" | ".NAN" => return (digits == text).then_some(f64::NAN),
        _ if digits.contains(':') => sixty_float(digits)?,
        _ if digits.starts_with('.') && digits != text => return None,
        _ => point_float(digits)?,
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// A number as Python's `repr` writes it.
pub(super) fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 {
            "inf".to_owned()
        } else {
            "-inf".to_owned()
        };
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if value != 0.0 && !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let plain = value.to_string();
    if plain.contains('.') {
        plain
    } else {
        format!("{plain}.0")
    }
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix(['-', '+']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    }
}

/// That a text is not empty and has only such characters.
fn only(text: &str, allowed: impl Fn(char) -> bool) -> Option<()> {
    (!text.is_empty() && text.chars().all(allowed)).then_some(())
}

/// Digits of a base up to 16, in decimal.
fn in_decimal(digits: &str, base: u32) -> Option<String> {
    let mut sum = vec![0];
    for digit in digits.chars() {
        times_plus(&mut sum, base, digit.to_digit(base)?);
    }
    (!digits.is_empty()).then(|| decimal_text(&sum))
}

/// `1:30:45`: each later part is one or two digits below 60.
fn base_sixty(digits: &str) -> Option<String> {
    let mut parts = digits.split(':');
    let first = parts.next()?;
    first
        .starts_with(|c: char| matches!(c, '1'..='9'))
        .then_some(())?;
    only(first, |c| c.is_ascii_digit() || c == '_')?;
    let mut sum = vec![0];
    for digit in first.chars().filter_map(|c| c.to_digit(10)) {
        times_plus(&mut sum, 10, digit);
    }
    for part in parts {
        times_plus(&mut sum, 60, below_sixty(part)?);
    }
    Some(decimal_text(&sum))
}

fn below_sixty(part: &str) -> Option<u32> {
    only(part, |c| c.is_ascii_digit())?;
    part.parse()
        .ok()
        .filter(|&number| number < 60 && part.len() <= 2)
}

/// `sum * base + digit`, with the lowest decimal digit first.
fn times_plus(sum: &mut Vec<u32>, base: u32, digit: u32) {
    let mut carry = digit;
    for place in sum.iter_mut() {
        let value = *place * base + carry;
        *place = value % 10;
        carry = value / 10;
    }
    while carry > 0 {
        sum.push(carry % 10);
        carry /= 10;
    }
}

fn decimal_text(sum: &[u32]) -> String {
    let text: String = sum
        .iter()
        .rev()
        .filter_map(|&d| char::from_digit(d, 10))
        .collect();
    let short = text.trim_start_matches('0');
    if short.is_empty() {
        "0".to_owned()
    } else {
        short.to_owned()
    }
}

/// `1:30.5`
fn sixty_float(digits: &str) -> Option<f64> {
    let (whole, last) = digits.rsplit_once(':')?;
    let (seconds, fraction) = last.split_once('.')?;
    only(&format!("0{fraction}"), |c| c.is_ascii_digit() || c == '_')?;
    below_sixty(seconds)?;
    let mut parts = whole.split(':');
    let first = parts.next()?;
    first
        .starts_with(|c: char| c.is_ascii_digit())
        .then_some(())?;
    only(first, |c| c.is_ascii_digit() || c == '_')?;
    let mut sum: f64 = first.replace('_', "").parse().ok()?;
    for part in parts {
        sum = sum * 60.0 + f64::from(below_sixty(part)?);
    }
    let seconds: f64 = format!("{seconds}.{fraction}0")
        .replace('_', "")
        .parse()
        .ok()?;
    Some(sum * 60.0 + seconds)
}

/// `1.5`, `1.`, `.5`, `1.5e+3`: the point is needed, and a sign in the exponent.
fn point_float(digits: &str) -> Option<f64> {
    let (number, exponent) = match digits.split_once(['e', 'E']) {
        Some((number, exponent)) => {
            let power = exponent.strip_prefix(['-', '+'])?;
            only(power, |c| c.is_ascii_digit())?;
            (number, exponent)
        }
        None => (digits, "0"),
    };
    let (whole, fraction) = number.split_once('.')?;
    let digit = |c: char| c.is_ascii_digit();
    let first = if whole.is_empty() { fraction } else { whole };
    first.starts_with(digit).then_some(())?;
    only(&format!("{whole}{fraction}"), |c| digit(c) || c == '_')?;
    format!("0{whole}.{fraction}0e{exponent}")
        .replace('_', "")
        .parse()
        .ok()
}
