//! Makes a program that another one has started end with it, however that one ends.

use std::io::{self, Read, Write};
use std::process::exit;
use std::string::String;
use std::thread;
use std::time::Duration;
use std::vec::Vec;

/// The argument by which the parent requests this. The parent holds the other ends of the program's streams.
const WITH_PARENT: &str = "--with-parent";

/// Code of a program whose parent is gone.
const ORPHANED: i32 = 1;

/// Time between two checks of stderr by a program that reads its stdin.
const INTERVAL: Duration = Duration::from_millis(500);

/// The stream by which a program notices that its parent is gone.
#[derive(Clone, Copy)]
pub(crate) enum ParentStream {
    /// Nobody writes to it; it is closed with the parent.
    Stdin,
    /// The program writes an empty line to it at intervals, which fails without a reader. For programs that read
    /// their input from stdin.
    #[cfg_attr(not(feature = "sweep"), allow(dead_code))]
    Stderr,
}

/// The arguments of this program, which ends with its parent if they request that.
pub(crate) fn arguments(stream: ParentStream) -> Vec<String> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let n_told = arguments.len();
    arguments.retain(|argument| argument != WITH_PARENT);
    if arguments.len() < n_told {
        thread::spawn(move || {
            match stream {
                ParentStream::Stdin => wait_for_stdin(),
                ParentStream::Stderr => wait_for_stderr(),
            }
            exit(ORPHANED);
        });
    }
    arguments
}

fn wait_for_stdin() {
    let mut bytes = [0; 64];
    while io::stdin().lock().read(&mut bytes).is_ok_and(|n| n > 0) {}
}

fn wait_for_stderr() {
    while io::stderr().write_all(b"\n").is_ok() {
        thread::sleep(INTERVAL);
    }
}
