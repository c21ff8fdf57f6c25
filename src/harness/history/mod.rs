//! Schemes that real hosts used and that failed, rebuilt over the seam.
//!
//! They are run by the harness only, each with the finding it is known for: a
//! harness that does not catch them proves nothing about the library.

mod additive_switch;
mod empty_means_unset;
mod snapshot_restore;

pub(super) use additive_switch::AdditiveSwitch;
pub(super) use empty_means_unset::EmptyMeansUnset;
pub(super) use snapshot_restore::SnapshotRestore;
