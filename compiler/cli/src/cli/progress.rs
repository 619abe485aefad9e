//! Progress messages: a spinner on a terminal, elsewhere a line for tasks that take long.

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Begins a line on stderr of a compiling process that says what the process waits for. No line follows when it
/// continues.
pub(super) const WAITING: &str = "waiting: ";

/// Whether progress messages are switched off.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Switches progress messages off.
pub(super) fn be_silent() {
    SILENT.store(true, Ordering::Relaxed);
}

/// A moving spinner with the current task and its time; hidden if stderr is no terminal.
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

/// A line for output without a spinner.
pub(super) fn line(text: &str) {
    if !SILENT.load(Ordering::Relaxed) && !std::io::stderr().is_terminal() {
        super::say(&format!("{text}\n"));
    }
}

/// Shows what a compiling process waits for, and passes on all other lines that it prints.
pub(super) fn relay(stderr: impl Read, spinner: &ProgressBar, doing: &str) {
    let mut reported = false;
    let lines = BufReader::new(stderr).lines().map_while(Result::ok);
    for text in lines {
        match text.strip_prefix(WAITING) {
            Some("") => spinner.set_message(doing.to_owned()),
            Some(reason) => {
                spinner.set_message(format!("waiting for {reason}"));
                if !reported {
                    line(&format!("waiting for {reason}"));
                }
                reported = true;
            }
            None => spinner.suspend(|| super::say(&format!("{text}\n"))),
        }
    }
}
