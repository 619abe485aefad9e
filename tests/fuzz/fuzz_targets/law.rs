//! Laws that are drawn from bytes, against a second evaluator.
#![no_main]

#[path = "../src/any_law.rs"]
mod any_law;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| any_law::any_law(bytes));
