//! Lines and columns, counted only for the places that somebody asks for.

use std::ops::Range;

/// How many bytes are looked at again to count the characters before a place.
const BLOCK: usize = 256;

/// Where the lines of a text are, as an editor counts them.
pub(super) struct Places<'t> {
    text: &'t [u8],
    starts: Vec<usize>,
    /// How many characters begin before each block; a line may be as long as the
    /// file and hold any number of places.
    before: Vec<usize>,
}

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let text = text.as_bytes();
        let before = text.chunks(BLOCK).scan(0, |sum, block| {
            let before = *sum;
            *sum += characters(block);
            Some(before)
        });
        Self {
            text,
            starts: std::iter::once(0).chain(ends).collect(),
            before: before.collect(),
        }
    }

    /// Line and column of a byte, counted from 1, in a text that starts at `begin`.
    pub(super) fn place(&self, begin: usize, at: usize) -> (u32, u32) {
        let line = self.line(at);
        let start = self.starts[line as usize - 1].max(begin);
        let column = self.count(start..at) + 1;
        (line, u32::try_from(column).unwrap_or(u32::MAX))
    }

    /// The line of a byte.
    pub(super) fn line(&self, at: usize) -> u32 {
        let line = self.starts.partition_point(|&start| start <= at);
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    fn count(&self, span: Range<usize>) -> usize {
        if span.len() <= BLOCK {
            return characters(&self.text[span]);
        }
        let before = |at: usize| match self.before.get(at / BLOCK) {
            Some(count) => count + characters(&self.text[at / BLOCK * BLOCK..at]),
            None => characters(self.text),
        };
        before(span.end) - before(span.start)
    }
}

/// How many characters begin in a piece of UTF-8.
fn characters(text: &[u8]) -> usize {
    // A byte `10xxxxxx` goes on with a character.
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}
