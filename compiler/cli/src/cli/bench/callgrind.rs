//! Instructions of a step, counted by callgrind. Callgrind knows no AVX-512, so the program that it counts is built
//! for a common processor. The count does not depend on other load of the machine.

use std::path::{Path, PathBuf};
use std::{env, fmt};

use clap::ValueEnum;

use super::super::found;
use super::super::guard::{finished, guarded};
use crate::diagnostics::{Code, Diagnostics};

/// Whether to count instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, ValueEnum)]
pub(super) enum Counting {
    /// Count if valgrind is installed
    #[default]
    Auto,
    /// Count, and fail if valgrind is not installed
    Always,
    /// Do not count
    Never,
}

/// The path of valgrind.
pub(super) struct Callgrind(PathBuf);

impl Callgrind {
    /// Finds valgrind on the path, if counting is wanted.
    pub(super) fn find(counting: Counting) -> Result<Option<Self>, Diagnostics> {
        let folders = env::var_os("PATH").unwrap_or_default();
        let mut files = env::split_paths(&folders).map(|folder| folder.join("valgrind"));
        match (counting, files.find(|file| file.is_file())) {
            (Counting::Never, _) | (Counting::Auto, None) => Ok(None),
            (_, Some(file)) => Ok(Some(Self(file))),
            (Counting::Always, None) => {
                let why = "instructions cannot be counted: `valgrind` is not on the path";
                Err(found(Code::C605, why))
            }
        }
    }

    /// Instructions of a step: the difference between a run of `steps + 1` steps and a run of one, for each step.
    pub(super) fn per_step(
        &self,
        program: &Path,
        subject: usize,
        steps: usize,
        arguments: &[String],
    ) -> Result<f64, String> {
        let count = |steps: usize| self.count(program, subject, steps, arguments);
        let (one, all) = (count(1)?, count(1 + steps)?);
        Ok(all.saturating_sub(one) as f64 / steps as f64)
    }

    fn count(
        &self,
        program: &Path,
        subject: usize,
        steps: usize,
        arguments: &[String],
    ) -> Result<u64, String> {
        let mut command = guarded(&self.0).map_err(text)?;
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        command.arg(program).args(arguments);
        command.arg(format!("--walk={subject}"));
        command.arg(format!("--steps={steps}"));
        let (_, words) = finished(&mut command).map_err(text)?;
        collected(&words).ok_or_else(|| why(&words))
    }
}

/// The message of valgrind; one line if it met an instruction that it does not know.
fn why(words: &str) -> String {
    let unknown = words
        .lines()
        .find(|line| line.contains("unhandled instruction"));
    match unknown {
        Some(line) => format!("valgrind does not know an instruction of it ({line})"),
        None => format!("valgrind says\n{}", words.trim_end()),
    }
}

/// Reads `==7== Collected : 123`. `None` if the program ended early, for instance at an instruction that valgrind
/// does not know: the count up to there is not that of a step.
fn collected(words: &str) -> Option<u64> {
    if words.contains("Process terminating") {
        return None;
    }
    let line = words.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(' ').next()?.parse().ok()
}

fn text(why: impl fmt::Display) -> String {
    why.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_what_valgrind_says() {
        let words = "==7== Events    : Ir\n==7== Collected : 2530017\n==7== \n";
        assert_eq!(collected(words), Some(2_530_017));
        assert_eq!(collected("==7== Process terminating: SIGILL"), None);
        let ended = "==7== Process terminating with default action of signal 4 (SIGILL)\n";
        assert_eq!(collected(&format!("{ended}{words}")), None);
    }
}
