//! `bellcrank man` and `bellcrank completions`: manual pages and completions for shells.

use std::path::PathBuf;

use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man as Page;

use super::{Cli, data, found};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element, meant};

/// Arguments of `man`.
#[derive(Clone, Debug, Args)]
pub(super) struct Man {
    /// The command; if absent, `bellcrank` itself
    command: Option<String>,
    /// Write all pages into this folder instead, `bellcrank.1`, `bellcrank-run.1` and so on.
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    out: Option<PathBuf>,
}

/// Prints a page, or writes all.
pub(super) fn man(man: &Man) -> Result<(), Diagnostics> {
    let mut root = Cli::command();
    // Gives each command the name of its page, `bellcrank-run`.
    root.build();
    if let Some(folder) = &man.out {
        let made = std::fs::create_dir_all(folder);
        let written = made.and_then(|()| clap_mangen::generate_to(root, folder));
        let failed = |why| format!("cannot write into {}: {why}", folder.display());
        return written.map_err(|why| found(Code::C601, failed(why)));
    }
    let command = match &man.command {
        Some(name) => own(&root, name)?,
        None => root,
    };
    let mut page = Vec::new();
    let rendered = Page::new(command).render(&mut page);
    rendered.map_err(|why| found(Code::C601, format!("cannot write the page: {why}")))?;
    data(&String::from_utf8_lossy(&page))
}

/// Prints completions.
pub(super) fn completions(shell: Shell) -> Result<(), Diagnostics> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "bellcrank", &mut text);
    data(&String::from_utf8_lossy(&text))
}

/// A command under the name by which it is called; C605.
fn own(root: &Command, name: &str) -> Result<Command, Diagnostics> {
    if let Some(command) = root.find_subcommand(name) {
        return Ok(command.clone());
    }
    let names: Vec<&str> = root.get_subcommands().map(Command::get_name).collect();
    let message = format!("there is no command `{name}`");
    Err(Diagnostic::error(Code::C605, &Element::root(), message)
        .hint(meant(name, &names))
        .into())
}
