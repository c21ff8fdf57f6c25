//! Dates and times of YAML 1.1, as Python prints them.

/// The text of a date or time; an error where the day or the hour is none;
/// nothing where the text does not look like one.
pub(super) fn timestamp(text: &str) -> Option<Result<String, ()>> {
    let date_length = text.find(['T', 't', ' ', '\t']).unwrap_or(text.len());
    let (date, rest) = text.split_at(date_length);
    let numbers: Vec<&str> = date.split('-').collect();
    let [year, month, day] = numbers[..] else {
        return None;
    };
    let exact = rest.is_empty();
    number(year, 4, 4)?;
    let month = number(month, if exact { 2 } else { 1 }, 2)?;
    let day = number(day, if exact { 2 } else { 1 }, 2)?;
    let year_number: u32 = year.parse().ok()?;
    let valid = year_number > 0 && (1..=12).contains(&month);
    let valid = valid && (1..=days(year_number, month)).contains(&day);
    let date = format!("{year}-{month:02}-{day:02}");
    if exact {
        return Some(valid.then_some(date).ok_or(()));
    }
    let clock = match rest.strip_prefix(['T', 't']) {
        Some(clock) => clock,
        None => rest.trim_start_matches([' ', '\t']),
    };
    let clock = time_of_day(clock)?;
    Some(clock.and_then(|clock| valid.then(|| format!("{date} {clock}")).ok_or(())))
}

/// `3:04:05.25 -5:30` as `03:04:05.250000-05:30`.
fn time_of_day(text: &str) -> Option<Result<String, ()>> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.')));
    let (clock, zone) = text.split_at(end.unwrap_or(text.len()));
    let (clock, fraction) = match clock.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (clock, None),
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let [hour, minute, second] = parts[..] else {
        return None;
    };
    let (hour, minute, second) = (
        number(hour, 1, 2)?,
        number(minute, 2, 2)?,
        number(second, 2, 2)?,
    );
    let mut shown = format!("{hour:02}:{minute:02}:{second:02}");
    if let Some(fraction) = fraction {
        fraction
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then_some(())?;
        let micro: String = fraction.chars().chain("000000".chars()).take(6).collect();
        if micro != "000000" {
            shown = format!("{shown}.{micro}");
        }
    }
    shown.push_str(&offset(zone.trim_start_matches([' ', '\t']))?);
    let valid = hour < 24 && minute < 60 && second < 60;
    Some(valid.then_some(shown).ok_or(()))
}

/// `Z` or `-5:30` as `+00:00` or `-05:30`.
fn offset(zone: &str) -> Option<String> {
    if zone.is_empty() {
        return Some(String::new());
    }
    if zone == "Z" {
        return Some("+00:00".to_owned());
    }
    let digits = zone.strip_prefix(['+', '-'])?;
    let (hours, minutes) = digits.split_once(':').unwrap_or((digits, "00"));
    let (hours, minutes) = (number(hours, 1, 2)?, number(minutes, 2, 2)?);
    let sign = if (hours, minutes) == (0, 0) {
        "+"
    } else {
        &zone[..1]
    };
    Some(format!("{sign}{hours:02}:{minutes:02}"))
}

fn number(text: &str, least: usize, most: usize) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = (least..=most).contains(&text.len());
    (digits && fits).then(|| text.parse().ok())?
}

fn days(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && !year.is_multiple_of(100)
            || year.is_multiple_of(400) && month == 2 =>
        {
            29
        }
        2 => 28,
        _ => 31,
    }
}
