//! Says what is being done to a person who waits: a spinner on a terminal, elsewhere a line for what takes long.

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Begins a line on the stderr of a compiling process that says what it waits for; nothing follows when it goes on.
pub(super) const WAITING: &str = "waiting: ";

/// Whether nobody wants to know.
static SILENT: AtomicBool = AtomicBool::new(false);

/// From now on nothing is said.
pub(super) fn be_silent() {
    SILENT.store(true, Ordering::Relaxed);
}

/// A spinner that moves, with what is being done and for how long; hidden where stderr is no terminal.
pub(super) fn spinner(doing: &str) -> ProgressBar {
    if SILENT.load(Ordering::Relaxed) {
        return ProgressBar::hidden();
    }
    let spinner = ProgressBar::new_spinner().with_message(doing.to_owned());
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        spinner.set_style(style);
    }
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

/// A line for those who see no spinner.
pub(super) fn line(text: &str) {
    if !SILENT.load(Ordering::Relaxed) && !std::io::stderr().is_terminal() {
        super::say(&format!("{text}\n"));
    }
}

/// Shows what a compiling process waits for, and passes on all else that it says.
pub(super) fn relay(stderr: impl Read, spinner: &ProgressBar, doing: &str) {
    let mut told = false;
    let lines = BufReader::new(stderr).lines().map_while(Result::ok);
    for text in lines {
        match text.strip_prefix(WAITING) {
            Some("") => spinner.set_message(doing.to_owned()),
            Some(reason) => {
                spinner.set_message(format!("waiting for {reason}"));
                if !told {
                    line(&format!("waiting for {reason}"));
                }
                told = true;
            }
            None => spinner.suspend(|| super::say(&format!("{text}\n"))),
        }
    }
}
