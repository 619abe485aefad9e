//! The file that `problems.py` writes.

use std::fs;
use std::str::{FromStr, SplitWhitespace};

pub struct Body {
    pub parent: i64,
    pub axis: [f64; 3],
    pub origin: [f64; 3],
    pub centre: [f64; 3],
    pub mass: f64,
    pub inertia: [f64; 6],
    pub angle: f64,
    pub rate: f64,
    pub torque: f64,
}

pub struct Problem {
    pub gravity: [f64; 3],
    pub bodies: Vec<Body>,
    pub loops: Vec<(i64, [f64; 3], i64, [f64; 3])>,
    pub springs: usize,
}

pub fn read(path: &str) -> Problem {
    let text = fs::read_to_string(path).expect("the problem can be read");
    let words = &mut text.split_whitespace();
    Problem {
        gravity: {
            word(words);
            list(words)
        },
        bodies: (0..count(words)).map(|_| body(words)).collect(),
        loops: (0..count(words))
            .map(|_| (number(words), list(words), number(words), list(words)))
            .collect(),
        springs: count(words),
    }
}

fn body(words: &mut SplitWhitespace) -> Body {
    Body {
        parent: number(words),
        axis: list(words),
        origin: list(words),
        centre: list(words),
        mass: number(words),
        inertia: list(words),
        angle: number(words),
        rate: number(words),
        torque: number(words),
    }
}

/// The number after a title.
fn count(words: &mut SplitWhitespace) -> usize {
    word(words);
    number(words)
}

fn word<'t>(words: &mut SplitWhitespace<'t>) -> &'t str {
    words.next().expect("the problem ends too early")
}

fn number<T: FromStr>(words: &mut SplitWhitespace) -> T {
    let word = word(words);
    word.parse()
        .unwrap_or_else(|_| panic!("`{word}` is no number"))
}

fn list<const N: usize>(words: &mut SplitWhitespace) -> [f64; N] {
    std::array::from_fn(|_| number(words))
}
