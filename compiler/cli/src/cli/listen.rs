//! Runs a program that reports its progress on stderr and its result on stdout.

use std::io::Read as _;
use std::process::{Command, Stdio};

use super::found;
use super::guard::WITH_PARENT;
use super::run::drive::Listener;
use crate::diagnostics::{Code, Diagnostics};

/// The result of the program. Progress counts `units`; error messages name the program `name`.
pub(super) fn listen(
    command: &mut Command,
    name: &str,
    units: &'static str,
    quiet: bool,
) -> Result<String, Diagnostics> {
    let failed = |why| found(Code::C604, format!("{name} cannot be run: {why}"));
    command
        .arg(WITH_PARENT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let answer = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.map(|mut stdout| stdout.read_to_string(&mut text));
        text
    });
    let stop = Listener::new(quiet)
        .counting(units)
        .listen(child.stderr.take());
    let status = child.wait().map_err(failed)?;
    drop(stdin);
    let answer = answer.join().unwrap_or_default();
    match stop {
        Some(reason) => Err(found(Code::C604, reason)),
        None if status.success() => Ok(answer),
        None => Err(found(Code::C604, format!("{name} ended early ({status})"))),
    }
}
