//! Programs whose number of classes is known: the first test of the engine.

use std::sync::Arc;

use super::{Access, Keyed, Mutex, spawn};

const KEYS: [&[u8]; 8] = [b"K0", b"K1", b"K2", b"K3", b"K4", b"K5", b"K6", b"K7"];

/// A guard that saves `keys` keys, sets them and writes the saved values back,
/// in `workers` lanes at once; at most 8 keys.
///
/// Classes, workers x keys: 2x1 16, 2x2 50, 2x3 170, 3x1 1,044, 3x2 13,614,
/// 3x3 174,096.
pub fn guard(workers: usize, keys: usize) -> impl Fn() + 'static {
    move || {
        let lock = Arc::new(Mutex::new("lock", ()));
        let map = Arc::new(Keyed::new("map", [0_usize; 8]));
        let lanes: Vec<_> = (0..workers)
            .map(|worker| {
                let (lock, map) = (Arc::clone(&lock), Arc::clone(&map));
                spawn("worker", move || {
                    overlap(&lock, &map, keys.min(KEYS.len()), worker + 1)
                })
            })
            .collect();
        lanes.into_iter().for_each(|lane| drop(lane.join()));
    }
}

fn overlap(lock: &Mutex<()>, map: &Keyed<[usize; 8]>, keys: usize, value: usize) {
    let read = |key: usize| map.access(Access::Read(KEYS[key]), |map| map[key]);
    let write = |key: usize, value| {
        map.access(Access::Write(KEYS[key]), |map| map[key] = value);
    };
    let mut saved = [0; 8];
    let held = lock.lock();
    (0..keys).for_each(|key| saved[key] = read(key));
    (0..keys).for_each(|key| write(key, value));
    drop(held);
    (0..keys).for_each(|key| {
        read(key);
    });
    let held = lock.lock();
    (0..keys).for_each(|key| write(key, saved[key]));
    drop(held);
}

/// One mutex that each of `workers` lanes takes and gives back `sections` times.
///
/// Classes are the orders of the sections, workers x sections: 2x2 6, 2x4 70,
/// 3x2 90, 3x3 1,680, 3x4 34,650.
pub fn lock(workers: usize, sections: usize) -> impl Fn() + 'static {
    move || {
        let lock = Arc::new(Mutex::new("lock", ()));
        let lanes: Vec<_> = (0..workers)
            .map(|_| {
                let lock = Arc::clone(&lock);
                spawn("worker", move || {
                    (0..sections).for_each(|_| drop(lock.lock()))
                })
            })
            .collect();
        lanes.into_iter().for_each(|lane| drop(lane.join()));
    }
}
