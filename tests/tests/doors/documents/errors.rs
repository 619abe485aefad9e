//! The chapter on errors has the text of the sources.

use bellcrank_compiler::diagnostics::{Code, Example};

use super::read;
use crate::workbench::Folder;

const CHAPTER: &str = "docs/src/errors.md";

/// The text after this line is made here; the text before it is written by hand.
const MARK: &str = "<!-- From here on a test writes this chapter, from the same source as `bellcrank explain`. -->\n";

/// The stages, by the first letter of their codes.
const STAGES: [(char, &str); 7] = [
    ('D', "Reading the description"),
    ('M', "Meaning of the description"),
    ('T', "Topology and assembly"),
    ('F', "Formulation and generated code"),
    ('S', "Symbolica"),
    ('C', "Command line"),
    ('A', "Analyses"),
];

#[test]
fn the_chapter_on_errors_is_what_explain_says() {
    let chapter = read(CHAPTER.as_ref());
    let (written, _) = chapter.split_once(MARK).expect("the chapter has the mark");
    let expect = format!("{written}{MARK}{}", codes());
    if chapter != expect {
        let folder = Folder::new("documents-errors");
        let made = folder.write("errors.md", &expect);
        panic!("{CHAPTER} should be a copy of {}", made.display());
    }
}

fn codes() -> String {
    let mut text = String::new();
    for (letter, stage) in STAGES {
        text += &format!("\n## {stage}\n");
        let of_stage = |code: &&Code| code.to_string().starts_with(letter);
        for code in Code::ALL.iter().filter(of_stage) {
            text += &entry(*code);
        }
    }
    assert_eq!(text.matches("\n### ").count(), Code::ALL.len());
    text
}

fn entry(code: Code) -> String {
    let example = match code.example() {
        Example::Situation(words) => format!("Example: {words}\n"),
        example => format!("```toml\n{}\n```\n", example.text()),
    };
    format!(
        "\n### {code}: {}\n\n{}\n\n{example}",
        code.title(),
        code.text()
    )
}
