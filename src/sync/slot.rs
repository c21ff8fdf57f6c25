//! Where a thread keeps its current context.
//!
//! 1. A slot is a stack of frames; the top frame is in force.
//! 2. A frame is ended by its id, not by its position. One that ends below the
//!    top is marked and goes when everything above it has gone, so an outer
//!    guard that is dropped first never restores wrongly.
//! 3. What a frame held is dropped outside the borrow: its destructor may come
//!    back in and read the context, and sees the parent's.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

/// What a slot holds: the context module's type, erased, because the seam knows
/// nothing of contexts.
pub type Installed = Arc<dyn Any + Send + Sync>;

/// Names a frame of one slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameId(u64);

#[derive(Default)]
struct Frames {
    stack: Vec<Frame>,
    last: u64,
}

struct Frame {
    id: FrameId,
    ended: bool,
    installed: Installed,
}

/// The frames of one thread.
#[derive(Default)]
pub struct Slot(RefCell<Frames>);

impl Slot {
    /// Runs `f` on what is in force, if anything is.
    #[inline]
    pub fn current<R>(&self, f: impl FnOnce(Option<&Installed>) -> R) -> R {
        f(self.0.borrow().stack.last().map(|frame| &frame.installed))
    }

    /// Installs a context on top.
    #[inline]
    pub fn push(&self, installed: Installed) -> FrameId {
        let mut frames = self.0.borrow_mut();
        frames.last += 1;
        let id = FrameId(frames.last);
        frames.stack.push(Frame {
            id,
            ended: false,
            installed,
        });
        id
    }

    /// Puts another context into the top frame; `false` where there is no frame.
    pub fn replace(&self, installed: Installed) -> bool {
        let old = {
            let mut frames = self.0.borrow_mut();
            let Some(top) = frames.stack.last_mut() else {
                return false;
            };
            std::mem::replace(&mut top.installed, installed)
        };
        drop(old);
        true
    }

    /// Ends a frame; `false` where frames above it are still there, so that it
    /// ends out of order and only goes with them.
    #[inline]
    pub fn end(&self, id: FrameId) -> bool {
        let mut frames = self.0.borrow_mut();
        match frames.stack.last() {
            Some(top) if top.id == id => {}
            _ => {
                if let Some(frame) = frames.stack.iter_mut().find(|frame| frame.id == id) {
                    frame.ended = true;
                }
                return false;
            }
        }
        let top = frames.stack.pop();
        let below = if frames.stack.last().is_some_and(|frame| frame.ended) {
            let alive = frames
                .stack
                .iter()
                .rposition(|frame| !frame.ended)
                .map_or(0, |at| at + 1);
            frames.stack.split_off(alive)
        } else {
            Vec::new()
        };
        drop(frames);
        drop((top, below));
        true
    }

    /// How many frames there are, ended ones that wait included.
    pub fn depth(&self) -> usize {
        self.0.borrow().stack.len()
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot")
            .field("depth", &self.depth())
            .finish()
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_types, reason = "a test runs on std's primitives")]
mod tests {
    use super::*;

    fn top(slot: &Slot) -> Option<u32> {
        slot.current(|installed| installed.map(|any| *any.downcast_ref::<u32>().unwrap()))
    }

    #[test]
    fn frames_that_end_out_of_order_never_restore_wrongly() {
        let slot = Slot::default();
        let one = slot.push(Arc::new(1u32));
        let two = slot.push(Arc::new(2u32));
        let three = slot.push(Arc::new(3u32));
        assert!(!slot.end(one));
        assert!(!slot.end(two));
        assert_eq!(top(&slot), Some(3));
        assert!(slot.end(three));
        assert_eq!((top(&slot), slot.depth()), (None, 0));
    }

    #[test]
    fn a_destructor_of_what_was_installed_sees_the_parent() {
        struct Reads(
            &'static std::thread::LocalKey<Slot>,
            Arc<std::sync::Mutex<Option<u32>>>,
        );
        impl Drop for Reads {
            fn drop(&mut self) {
                *self.1.lock().unwrap() = self.0.with(top);
            }
        }
        thread_local! {
            static SLOT: Slot = Slot::default();
        }
        let seen = Arc::new(std::sync::Mutex::new(None));
        SLOT.with(|slot| {
            slot.push(Arc::new(7u32));
            let inner = slot.push(Arc::new(Reads(&SLOT, Arc::clone(&seen))));
            slot.end(inner);
        });
        assert_eq!(*seen.lock().unwrap(), Some(7));
    }
}
