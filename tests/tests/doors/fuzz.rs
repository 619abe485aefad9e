//! Random inputs with oracles, for a few seconds each. `BELLCRANK_FUZZ_SECONDS` and `BELLCRANK_FUZZ_SEED` make it hours
//! of other inputs (`tests/fuzz/run`); the same functions are targets of cargo-fuzz.

use std::fs;
use std::time::{Duration, Instant};

use crate::workbench::{Folder, built, csv, succeeded};

#[path = "../../fuzz/src/any_law.rs"]
mod any_law;
#[path = "../../fuzz/src/any_text.rs"]
mod any_text;

use any_law::{Bytes, Law};

/// Characters that mean something to a format, or to nobody.
const STRAY: &[char] = &[
    '"', '[', ']', '{', '}', '=', '.', ',', '#', '\n', '\0', '-', '9', 'e', '^', '(', ')', 'é', '∞',
];

#[test]
fn broken_models_never_panic() {
    let texts: Vec<String> = built()
        .iter()
        .map(|(_, path)| fs::read_to_string(path).unwrap())
        .collect();
    let mut whole = 0;
    let tried = for_a_while("reader", |random| {
        let text = &texts[random.below(texts.len())];
        whole += u64::from(any_text::any_text(&broken(text, random)));
    });
    // Some changes fall into comments and names, most do not.
    assert!(whole > 0 && whole < tried / 2, "{whole} of {tried}");
}

#[test]
fn laws_mean_what_is_written() {
    for_a_while("laws", |random| any_law::any_law(&random.bytes()));
}

/// The same laws as outputs of a program, by the interpreter of kernels and as native code.
#[test]
fn compiled_laws_follow_the_interpreter() {
    let folder = Folder::new("fuzzed_laws");
    for_a_while("programs", |random| {
        let laws = std::iter::repeat_with(|| Law::draw(&mut Bytes(&random.bytes())));
        // A value that hangs on the last digits may differ by any amount.
        let is_certain = |law: &Law| {
            let (value, uncertainty) = law.value_and_uncertainty();
            value.is_some() && uncertainty < 1e-9
        };
        let laws: Vec<Law> = laws.filter(is_certain).take(40).collect();
        let texts: Vec<String> = laws.iter().map(Law::text).collect();
        let model = folder.write("laws.toml", &any_law::description(&texts));
        let run = |more: &[&str]| {
            let arguments = ["run", "--step=1e-3", "--until=1e-3", "--out=-", "--quiet"];
            let mut command = folder.bellcrank(&arguments);
            csv(&succeeded(
                &command.args(more).arg(&model).output().unwrap(),
            ))
        };
        let (native, interpreted) = (run(&[]), run(&["--interpret"]));
        assert_eq!(native.0, interpreted.0);
        for (i, law) in laws.iter().enumerate() {
            let (expected, _) = law.value_and_uncertainty();
            let column = native.0.iter().position(|name| *name == format!("law{i}"));
            for row in [&native.1[0], &interpreted.1[0]] {
                let (found, expected) = (row[column.unwrap()], expected.unwrap());
                let off = (found - expected).abs();
                // 1e-9 is what the last digits of the parameters may do to it.
                let allowed = 1e-9 * expected.abs().max(1.0);
                assert!(off <= allowed, "`{}`: {found}, {expected}", texts[i]);
            }
        }
    });
}

/// Tries inputs until the time is over, at least one; how many there were.
fn for_a_while(name: &str, mut once: impl FnMut(&mut Random)) -> u64 {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let span = Duration::from_secs(number("BELLCRANK_FUZZ_SECONDS").unwrap_or(15));
    let seed: u64 = number("BELLCRANK_FUZZ_SEED").unwrap_or(0);
    let mut random = Random(0x2545_f491_4f6c_dd1d ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let start = Instant::now();
    let mut tried = 0;
    while tried == 0 || start.elapsed() < span {
        once(&mut random);
        tried += 1;
    }
    println!("{name}: {tried} inputs");
    tried
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

/// Marsaglia's xorshift: the same inputs in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn bytes(&mut self) -> Vec<u8> {
        let n = 1 + self.below(60);
        (0..n).map(|_| (self.below(1 << 16) >> 8) as u8).collect()
    }
}
