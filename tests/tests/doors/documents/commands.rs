//! The commands of the README are tests.

use std::fs;

use crate::workbench::{Folder, root, succeeded};

/// Every `bellcrank …` in a shell block runs, from a folder that has the models; the others are cargo's
/// and run here already.
#[test]
fn commands_of_the_readme_run() {
    let Ok(text) = fs::read_to_string(root().join("README.md")) else {
        return;
    };
    let folder = Folder::new("readme");
    copy_models(&folder);
    // Cargo has made it before the command runs.
    fs::create_dir(folder.path("target")).unwrap();
    for command in commands(&text) {
        let Some(arguments) = arguments(&command) else {
            assert!(command.starts_with("cargo "), "{command}");
            continue;
        };
        let output = folder.bellcrank(&arguments).output().unwrap();
        let told = succeeded(&output);
        assert!(arguments[0] != "run" || told.starts_with("   time") || told.contains("energy"));
    }
}

#[test]
fn only_shell_blocks_are_commands() {
    let text = "a\n```sh\n# said\ncargo test\nbellcrank check a.toml\n```\n```toml\nb = 1\n```\n";
    let found = commands(text);
    assert_eq!(found, ["cargo test", "bellcrank check a.toml"]);
    assert_eq!(arguments(&found[0]), None);
    assert_eq!(arguments(&found[1]), Some(vec!["check", "a.toml"]));
    let run = "cargo run --release -- run a.toml";
    assert_eq!(arguments(run), Some(vec!["run", "a.toml"]));
}

fn copy_models(folder: &Folder) {
    for (name, path) in crate::workbench::models() {
        let to = format!("models/{name}");
        fs::create_dir_all(folder.path(&to)).unwrap();
        fs::copy(path, folder.path(&to).join("model.toml")).unwrap();
    }
}

/// Lines of the shell blocks without comments.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("```sh\n").skip(1);
    let blocks = blocks.filter_map(|block| block.split("```").next());
    let lines = blocks.flat_map(str::lines);
    let lines = lines.map(|line| line.split(" #").next().unwrap_or_default().trim());
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// Arguments of the `bellcrank` in a command.
fn arguments(command: &str) -> Option<Vec<&str>> {
    let rest = command
        .strip_prefix("cargo run --release -- ")
        .or_else(|| command.strip_prefix("bellcrank "))?;
    Some(rest.split_whitespace().collect())
}
