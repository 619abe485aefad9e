//! The program that runs the points: they go in as lines, rows come out in the same order.

use std::io::{BufRead, BufReader, BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::thread;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use super::super::guard::WITH_PARENT;
use super::super::{found, say};
use super::points::SweepPoints;
use crate::diagnostics::{Code, Diagnostics};

/// The program and its arguments.
pub(super) struct Crew {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    pub(super) threads: Option<NonZeroUsize>,
    pub(super) quiet: bool,
}

impl Crew {
    /// Runs these points, and passes on the rows of at most `block` points of a range together.
    pub(super) fn work(
        &self,
        points: &SweepPoints,
        ranges: &[Range<u64>],
        block: u64,
        mut done: impl FnMut(&Range<u64>, &str) -> Result<(), Diagnostics>,
    ) -> Result<(), Diagnostics> {
        let count: u64 = ranges.iter().map(|range| range.end - range.start).sum();
        let (begin, bar) = (Instant::now(), self.bar(count));
        let mut child = self.start(block)?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut tally = Tally::default();
        let (taken, words) = thread::scope(|scope| {
            scope.spawn(|| stdin.map(|stdin| feed(points, ranges, stdin)));
            let words = scope.spawn(|| stderr.map_or(String::new(), said));
            // Without a reader the program ends, and with it the thread that writes to it.
            let taken = take_all(stdout, ranges, block, |range, rows| {
                tally.count(rows);
                bar.inc(range.end - range.start);
                done(range, rows)
            });
            (taken, words.join().unwrap_or_default())
        });
        bar.finish_and_clear();
        let status = child.wait();
        match taken {
            Ok(()) if self.quiet => Ok(()),
            Ok(()) => {
                say(&tally.text(begin.elapsed().as_secs_f64()));
                Ok(())
            }
            Err(Failure::Reported(found)) => Err(found),
            Err(Failure::Ended) => {
                let status = status.map_or_else(|why| why.to_string(), |status| status.to_string());
                let reason = words.lines().find_map(|line| line.strip_prefix("stop: "));
                let reason = reason.map(str::to_owned);
                Err(found(
                    Code::C604,
                    reason.unwrap_or_else(|| format!("the program ended early ({status})")),
                ))
            }
        }
    }

    fn start(&self, block: u64) -> Result<Child, Diagnostics> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .arg(format!("--block={block}"))
            .arg(WITH_PARENT);
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(threads) = self.threads {
            command.env("RAYON_NUM_THREADS", threads.to_string());
        }
        let program = self.program.display();
        command
            .spawn()
            .map_err(|why| found(Code::C604, format!("{program} cannot be run: {why}")))
    }

    fn bar(&self, count: u64) -> ProgressBar {
        if self.quiet {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(count);
        let style = "{wide_bar} {pos}/{len} points, {per_sec}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar
    }
}

/// Counts of the points.
#[derive(Default)]
struct Tally {
    points: u64,
    stopped: u64,
}

impl Tally {
    /// The last column is empty unless the run of the point stopped early.
    fn count(&mut self, rows: &str) {
        self.points += rows.lines().count() as u64;
        self.stopped += rows.lines().filter(|row| !row.ends_with(',')).count() as u64;
    }

    fn text(&self, seconds: f64) -> String {
        let Self { points, stopped } = self;
        let rate = *points as f64 / seconds.max(1e-9);
        format!(
            "{points} points in {seconds:.1} s, {rate:.0} a second; {stopped} of them ended early\n"
        )
    }
}

/// Reason why rows are missing.
enum Failure {
    /// An error, ready to be reported.
    Reported(Diagnostics),
    /// The program has ended.
    Ended,
}

/// Passes on the rows, block by block.
fn take_all(
    stdout: Option<ChildStdout>,
    ranges: &[Range<u64>],
    block: u64,
    mut done: impl FnMut(&Range<u64>, &str) -> Result<(), Diagnostics>,
) -> Result<(), Failure> {
    let mut rows = BufReader::new(stdout.ok_or(Failure::Ended)?);
    for range in ranges.iter().flat_map(|range| cut(range, block)) {
        let text = take(&mut rows, &range).ok_or(Failure::Ended)?;
        done(&range, &text).map_err(Failure::Reported)?;
    }
    Ok(())
}

/// All messages of a program.
fn said(stderr: ChildStderr) -> String {
    let lines = BufReader::new(stderr).lines().map_while(Result::ok);
    // By writing empty lines the program finds out whether anybody reads.
    let lines = lines.filter(|line| !line.is_empty());
    lines.map(|line| line + "\n").collect()
}

/// The range divided into ranges of at most `block` points.
fn cut(range: &Range<u64>, block: u64) -> impl Iterator<Item = Range<u64>> {
    let end = range.end;
    let starts = range.clone().step_by(block as usize);
    starts.map(move |start| start..start.saturating_add(block).min(end))
}

/// A line for each point: its number and its values. The program may end before it has read all.
fn feed(points: &SweepPoints, ranges: &[Range<u64>], stdin: impl Write) {
    let mut stdin = BufWriter::new(stdin);
    for point in ranges.iter().flat_map(Clone::clone) {
        let values = points.at(point);
        let values: String = values.iter().map(|value| format!(" {value:?}")).collect();
        if writeln!(stdin, "{point}{values}").is_err() {
            return;
        }
    }
}

/// The rows of these points; `None` if there are fewer rows, or rows of other points.
fn take(rows: &mut impl BufRead, range: &Range<u64>) -> Option<String> {
    let mut text = String::new();
    for point in range.clone() {
        let begin = text.len();
        let read = rows.read_line(&mut text).ok()?;
        let number = text[begin..].split(',').next()?;
        if read == 0 || number != point.to_string() {
            return None;
        }
    }
    Some(text)
}
