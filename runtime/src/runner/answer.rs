//! Programs with one text as their result, as `compare` and `bench` build them.

use std::io::{self, Write};
use std::process::ExitCode;
use std::string::{String, ToString};
use std::{format, thread};

use super::STACK;
use super::parent::{ParentStream, arguments};

/// Runs with the arguments of this process, on a stack that holds large mechanisms. The result goes to stdout, an
/// error to stderr.
pub(crate) fn answer(
    what: &str,
    run: impl FnOnce(&[String]) -> Result<String, String> + Send + 'static,
) -> ExitCode {
    let run = move || run(&arguments(ParentStream::Stdin));
    let worker = thread::Builder::new().stack_size(STACK).spawn(run);
    let answer = worker.map_err(|why| why.to_string()).and_then(|worker| {
        let died = |_| format!("{what} broke off");
        worker.join().map_err(died).and_then(|answer| answer)
    });
    match answer {
        Ok(text) => {
            // A closed stdout leaves nobody to write to.
            let _ = writeln!(io::stdout().lock(), "{text}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            let _ = writeln!(io::stderr().lock(), "stop: {why}");
            ExitCode::from(2)
        }
    }
}
