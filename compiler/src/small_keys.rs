//! Hash maps with small keys that come from the compiler itself: addresses of expressions, symbols, instructions. The
//! standard hash is safe against keys that were chosen to collide, which would take a fifth of a compilation.
//!
//! ```text
//! h ← (h + x) k        hash = h ⟲ 20
//! ```
//!
//! for each word x of the key, with an odd k. In a product, bits affect only higher bits. The upper bits are therefore
//! rotated to the place where maps look first.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hash map with a fast hash. Like every hash map here it is looked up and never iterated.
pub type SmallKeyMap<K, V> = HashMap<K, V, BuildHasherDefault<SmallKeyHasher>>;

const FACTOR: u64 = 0xf135_7aea_2e62_a9c5;

/// The hash of the words so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct SmallKeyHasher(u64);

impl Hasher for SmallKeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u8(*byte));
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = self.0.wrapping_add(word).wrapping_mul(FACTOR);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(20)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::hash::Hash;

    /// Addresses differ in multiples of 16; the lowest bits of their hashes are what a map sorts them by.
    #[test]
    fn addresses_spread_over_the_lowest_bits() {
        let lowest = |address: usize| {
            let mut hasher = SmallKeyHasher::default();
            address.hash(&mut hasher);
            hasher.finish() & 0x3ff
        };
        let places: BTreeSet<u64> = (0..1024).map(|n| lowest(0x7f00_0000 + 16 * n)).collect();
        // Random places would take 1 − 1/e of them.
        assert!(places.len() > 600, "{}", places.len());
    }
}
