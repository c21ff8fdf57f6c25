//! The engine finds the number of classes that is known for each program.

use std::time::Instant;

use isolane::lanes::{Config, Control, Coverage, Summary, calibration, explore};

#[expect(clippy::print_stdout, reason = "rates are shown with --nocapture")]
fn count(name: &str, body: impl Fn() + 'static) -> Summary {
    let start = Instant::now();
    let summary = explore(&Config::default(), body, |_| Control::Continue)
        .expect("the program is deterministic");
    let seconds = start.elapsed().as_secs_f64();
    let executions = summary.classes + summary.pruned;
    println!(
        "{name:<10} {:>8} classes {:>8} pruned {:>9.1} ms {:>10.0} executions/s",
        summary.classes,
        summary.pruned,
        seconds * 1e3,
        executions as f64 / seconds
    );
    assert_eq!(summary.coverage, Coverage::Exhaustive, "{name}");
    summary
}

#[test]
fn guard_classes_are_exact() {
    let known = [
        (2, 1, 16),
        (2, 2, 50),
        (2, 3, 170),
        (3, 1, 1044),
        (3, 2, 13614),
        (3, 3, 174_096),
    ];
    for (workers, keys, classes) in known {
        let name = format!("guard {workers}x{keys}");
        assert_eq!(
            count(&name, calibration::guard(workers, keys)).classes,
            classes,
            "{name}"
        );
    }
}

#[test]
fn lock_classes_are_exact() {
    let known = [
        (2, 2, 6),
        (2, 4, 70),
        (3, 2, 90),
        (3, 3, 1680),
        (3, 4, 34_650),
    ];
    for (workers, sections, classes) in known {
        let name = format!("lock {workers}x{sections}");
        assert_eq!(
            count(&name, calibration::lock(workers, sections)).classes,
            classes,
            "{name}"
        );
    }
}
