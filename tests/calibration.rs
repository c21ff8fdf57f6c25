//! The engine counts exactly, and a wrong engine is refused.

use isolane::harness::{Outcome, self_check, trust_engine};

#[test]
fn the_calibration_models_have_exactly_their_classes() {
    let rows = self_check().unwrap();
    let counts: Vec<(&str, u64)> = rows
        .iter()
        .map(|row| (row.scenario.as_str(), row.classes))
        .collect();
    let expected = [
        ("calibration/guard-2x1", 16),
        ("calibration/guard-2x2", 50),
        ("calibration/guard-2x3", 170),
        ("calibration/guard-3x1", 1_044),
        ("calibration/guard-3x2", 13_614),
        ("calibration/guard-3x3", 174_096),
        ("calibration/lock-2x2", 6),
        ("calibration/lock-2x4", 70),
        ("calibration/lock-3x2", 90),
        ("calibration/lock-3x3", 1_680),
    ];
    for (name, classes) in expected {
        assert!(counts.contains(&(name, classes)), "{name}: {counts:?}");
    }
    for row in &rows {
        assert!(row.expected && row.exhaustive, "{row:?}");
        assert_eq!(row.outcome, Outcome::Holds);
    }
}

#[test]
fn the_engine_is_trusted() {
    trust_engine().unwrap();
}
