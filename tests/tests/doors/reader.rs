//! The body of the fuzz target, with texts that are models but for a few changes.

use std::fs;

use crate::workbench::built;

#[path = "../../fuzz/src/any_text.rs"]
mod any_text;

/// Characters that mean something to a format, or to nobody.
const STRAY: &[char] = &[
    '"', '[', ']', '{', '}', '=', '.', ',', '#', '\n', '\0', '-', '9', 'e', '^', '(', ')', 'é', '∞',
];

#[test]
fn broken_models_never_panic() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut whole = 0;
    for (_, path) in built() {
        let text = fs::read_to_string(path).unwrap();
        assert!(any_text::any_text(&text));
        for _ in 0..150 {
            whole += usize::from(any_text::any_text(&broken(&text, &mut random)));
        }
    }
    // Some changes fall into comments and names, most do not.
    assert!((1..700).contains(&whole), "{whole}");
}

/// The text with one to four characters put in, taken out or repeated.
fn broken(text: &str, random: &mut Random) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(4) {
        let at = random.below(text.len());
        match random.below(4) {
            0 => text.insert(at, STRAY[random.below(STRAY.len())]),
            1 => drop(text.remove(at)),
            2 => text[at] = STRAY[random.below(STRAY.len())],
            _ => {
                let end = (at + 1 + random.below(80)).min(text.len());
                let part = text[at..end].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, part);
            }
        }
    }
    text.into_iter().collect()
}

/// Marsaglia's xorshift: the same changes in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}
