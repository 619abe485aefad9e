//! Processes that this command starts end with it, however it ends.
//!
//! Processes of this program read a pipe to which nobody writes. When the parent is gone, the system closes the pipe.
//! A foreign program, such as cargo, is started by another instance of this program, its guard. The guard reads the
//! pipe, and ends the foreign program with all processes that it has started.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::process::{Child, Command, ExitCode, Stdio};
use std::{env, thread};

/// The guard's command. It is not among the subcommands of clap, because clap would suggest it.
const COMMAND: &str = "__guard";

/// Makes a program of ours end with this process. It notices the end by its stdin, which is then kept open until the
/// program has ended. A program of a sweep notices it by its stderr.
pub(super) const WITH_PARENT: &str = "--with-parent";

/// Code of a process whose parent is gone.
const ORPHANED: i32 = 1;

/// A program that ends with this process. It uses the program's stdin: keep the child's end open until the program
/// has ended.
pub(super) fn guarded(program: impl AsRef<OsStr>) -> io::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(COMMAND).arg(program).stdin(Stdio::piped());
    Ok(command)
}

/// Runs a guarded program to its end. Returns its exit code and its output on stderr.
pub(super) fn finished(command: &mut Command) -> io::Result<(Option<i32>, String)> {
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdin = child.stdin.take();
    let mut words = Vec::new();
    if let Some(mut stderr) = child.stderr.take() {
        stderr.read_to_end(&mut words)?;
    }
    let status = child.wait()?;
    drop(stdin);
    Ok((status.code(), String::from_utf8_lossy(&words).into_owned()))
}

/// Makes this process end when its stdin is closed.
pub(super) fn end_with_parent() {
    thread::spawn(|| {
        wait_for_end();
        std::process::exit(ORPHANED);
    });
}

/// The guard's side; `None` if this process is no guard.
pub(super) fn guard() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next()? != COMMAND {
        return None;
    }
    let mut command = Command::new(arguments.next()?);
    command.args(arguments).stdin(Stdio::null());
    apart(&mut command);
    let code = match command.spawn() {
        Ok(child) => outcome(child),
        // The code with which shells report that there is no such program.
        Err(_) => NOT_FOUND,
    };
    Some(ExitCode::from(code))
}

/// The guard's code if the program cannot be started.
pub(super) const NOT_FOUND: u8 = 127;

fn outcome(mut child: Child) -> u8 {
    let id = child.id();
    thread::spawn(move || {
        wait_for_end();
        end_group(id);
        std::process::exit(ORPHANED);
    });
    let code = child.wait().ok().and_then(|status| status.code());
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

fn wait_for_end() {
    let mut stdin = io::stdin().lock();
    let mut bytes = [0; 64];
    while stdin.read(&mut bytes).is_ok_and(|n| n > 0) {}
}

/// Ctrl-C goes to this process's group. The program gets a group of its own, so that the guard can end all of it, and
/// the guard outlives the signal to do so.
#[cfg(unix)]
fn apart(command: &mut Command) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use std::os::unix::process::CommandExt;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // It only sets a flag that nobody reads.
        let _ = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
    }
    command.process_group(0);
}

#[cfg(not(unix))]
fn apart(_: &mut Command) {}

#[cfg(unix)]
fn end_group(id: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let id = i32::try_from(id).ok().and_then(Pid::from_raw);
    let _ = id.map(|id| kill_process_group(id, Signal::KILL));
}

#[cfg(not(unix))]
fn end_group(_: u32) {}
