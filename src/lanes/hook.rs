//! Keeps panics of lanes from being printed.
#![expect(clippy::disallowed_types, reason = "the hook is installed once")]

use std::panic;
use std::sync::Once;

use super::runtime;

/// Wraps the panic hook, once: panics of lanes are results and are not printed,
/// all others go to the hook that was there.
pub(super) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| match runtime::active() {
            Some(lane) => {
                runtime::try_with(|rt| rt.lane_mut(lane).unwinding = true);
            }
            None => before(info),
        }));
    });
}
