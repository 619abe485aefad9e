//! Arbitrary text through the reader and the model.
#![no_main]

#[path = "../src/any_text.rs"]
mod any_text;

libfuzzer_sys::fuzz_target!(|text: &str| any_text::any_text(text));
