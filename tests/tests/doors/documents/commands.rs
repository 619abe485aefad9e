//! The commands of README and book, with the models that the pages write.

use std::fs;

use toml::{Table, Value};

use super::markdown::{Block, blocks};
use super::{copy_models, pages, read, stem};
use crate::workbench::{Folder, succeeded};

#[test]
fn commands_of_the_readme_run() {
    assert!(run("README.md".as_ref()) > 3);
}

#[test]
fn commands_of_the_book_run() {
    let chapters = pages().into_iter().skip(1);
    let n_commands: usize = chapters.map(|chapter| run(&chapter)).sum();
    assert!(n_commands > 20, "{n_commands}");
}

/// Runs each `bellcrank …` in the shell blocks of a page, in a folder of its own that has the models, after the blocks
/// before it have written their files. Other commands are cargo's: they run here already, or install.
fn run(page: &std::path::Path) -> usize {
    let text = read(page);
    let folder = Folder::new(&format!("documents-{}", stem(page)));
    if text.contains("models/") {
        copy_models(&folder, "");
        // Cargo has made it before the command runs.
        fs::create_dir(folder.path("target")).unwrap();
    }
    let mut n_commands = 0;
    for block in blocks(&text) {
        write(&folder, &block);
        for command in commands(&block) {
            let Some(arguments) = arguments(&command) else {
                assert!(command.starts_with("cargo "), "{command}");
                continue;
            };
            n_commands += 1;
            carry_out(&folder, &arguments);
        }
    }
    n_commands
}

/// `bellcrank emit model.toml > model.rs` writes a file, others print.
fn carry_out(folder: &Folder, arguments: &[String]) {
    let (arguments, file) = match arguments {
        [arguments @ .., arrow, file] if arrow == ">" => (arguments, Some(file)),
        _ => (arguments, None),
    };
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = folder.bellcrank(&arguments).output().unwrap();
    let told = succeeded(&output);
    assert!(
        arguments[0] != "run" || told.trim_start().starts_with("time"),
        "{told}"
    );
    if let Some(file) = file {
        folder.write(file, &told);
    }
}

/// `# file: NAME` in the first line of a description makes it the whole file. `# in NAME` puts its keys into the file,
/// in place of those that are there. A comment before the block, `<!-- in NAME -->`, says the same unseen.
fn write(folder: &Folder, block: &Block) {
    if block.language != "toml" {
        return;
    }
    let first = block.text.lines().next().unwrap_or_default();
    let place = block.comment.as_deref().or(first.strip_prefix("# "));
    let place = place.unwrap_or_default();
    if let Some(name) = place.strip_prefix("file: ") {
        folder.write(name, &block.text);
    } else if let Some(name) = place.strip_prefix("in ") {
        let mut file: Table = folder.read(name).parse().unwrap();
        overlay(&mut file, block.text.parse().unwrap());
        folder.write(name, &file.to_string());
    }
}

fn overlay(file: &mut Table, change: Table) {
    for (key, value) in change {
        match (file.get_mut(&key), value) {
            (Some(Value::Table(old)), Value::Table(new)) => overlay(old, new),
            (_, value) => {
                file.insert(key, value);
            }
        }
    }
}

/// Lines of a shell block without comments.
fn commands(block: &Block) -> Vec<String> {
    if block.language != "sh" {
        return Vec::new();
    }
    let lines = block.text.lines();
    let lines = lines.map(|line| line.split(" #").next().unwrap_or_default().trim());
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// Arguments of the `bellcrank` in a command; double quotes keep words together.
fn arguments(command: &str) -> Option<Vec<String>> {
    let rest = command
        .strip_prefix("cargo run --release -- ")
        .or_else(|| command.strip_prefix("bellcrank "))?;
    let mut arguments = Vec::new();
    for (n, part) in rest.split('"').enumerate() {
        match n % 2 {
            0 => arguments.extend(part.split_whitespace().map(str::to_owned)),
            _ => arguments.push(part.to_owned()),
        }
    }
    Some(arguments)
}

#[test]
fn only_shell_blocks_are_commands() {
    let text = "a\n```sh\n# said\ncargo test\nbellcrank run a.toml --set \"a=1 mm\" # why\n```\n```toml\nb = 1\n```\n";
    let found: Vec<String> = blocks(text).iter().flat_map(commands).collect();
    assert_eq!(
        found,
        ["cargo test", "bellcrank run a.toml --set \"a=1 mm\""]
    );
    assert_eq!(arguments(&found[0]), None);
    let run = ["run", "a.toml", "--set", "a=1 mm"];
    assert_eq!(arguments(&found[1]).unwrap(), run);
    assert_eq!(
        arguments("cargo run --release -- check a.toml").unwrap(),
        ["check", "a.toml"]
    );
}

#[test]
fn keys_of_a_block_take_the_place_of_those_of_the_file() {
    let folder = Folder::new("documents-overlay");
    let page = "```toml\n# file: a.toml\n[b]\nc = 1\nd = [1, 2]\n```\n```toml\n# in a.toml\n[b]\nd = []\ne = 2\n```\n";
    for block in blocks(page) {
        write(&folder, &block);
    }
    let table: Table = folder.read("a.toml").parse().unwrap();
    let expect: Table = "[b]\nc = 1\nd = []\ne = 2\n".parse().unwrap();
    assert_eq!(table, expect);
}
