//! The box that Symbolica lives in: one thread, one instance a machine.
//!
//! Without a licence key Symbolica allows one process a machine and one thread, and a second process
//! aborts. So all algebra runs on one worker thread, started at its first use; before that this process
//! takes a machine-wide file lock, which it holds until it ends because the instance lives that long.
//! An instance that is not ours occupies the port that Symbolica listens on: we ask before we start, so
//! that a person gets a diagnostic and never an abort. With a key in the environment none of this is
//! needed. This is the one place where the pipeline touches the system.
//!
//! Environment: `SYMBOLICA_LICENSE` (a key, which needs no lock) and `SYMBOLICA_PORT` (where instances listen, 12011 if
//! absent). The front ends set the longest wait for another compilation, which they read from `BELLCRANK_WAIT`.

use std::fs::{File, TryLockError};
use std::net::{SocketAddr, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};

mod lock;

type Job = Box<dyn FnOnce() + Send>;

/// Expressions are trees, and walking a deep one needs room.
const STACK: usize = 512 << 20;

/// Longest wait for another compilation; parallel builds queue up here.
static WAIT: Mutex<Duration> = Mutex::new(Duration::from_secs(900));

/// Sets the longest wait for another compilation.
pub fn set_wait(wait: Duration) {
    if let Ok(mut known) = WAIT.lock() {
        *known = wait;
    }
}

/// The lock, if it is another file than the machine's.
static LOCK_FILE: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Takes another file for the machine-wide lock, so that a test has a machine of its own.
#[doc(hidden)]
pub fn set_lock(path: PathBuf) {
    if let Ok(mut known) = LOCK_FILE.lock() {
        *known = Some(path);
    }
}

/// Reports the reason for waiting.
type Tell = fn(&str);

static TELL: Mutex<Option<Tell>> = Mutex::new(None);

/// From now on `tell` gets the reason for waiting, once a second, and an empty text when work goes on.
pub fn on_wait(tell: Tell) {
    if let Ok(mut known) = TELL.lock() {
        *known = Some(tell);
    }
}

/// Runs a job on the thread that owns Symbolica.
pub fn run<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> Result<T, Diagnostics> {
    let wait = *WAIT.lock().map_err(|_| failed())?;
    let worker = worker(wait)?;
    let (answer, result) = channel();
    let job = move || {
        // A lost answer means that the job panicked; the caller sees the closed channel.
        if let Ok(value) = catch_unwind(AssertUnwindSafe(job)) {
            let _ = answer.send(value);
        }
    };
    worker.send(Box::new(job)).map_err(|_| failed())?;
    result.recv().map_err(|_| failed())
}

fn worker(wait: Duration) -> Result<Sender<Job>, Diagnostics> {
    static WORKER: Mutex<Option<Sender<Job>>> = Mutex::new(None);
    let mut worker = WORKER.lock().map_err(|_| failed())?;
    if let Some(sender) = &*worker {
        return Ok(sender.clone());
    }
    if std::env::var_os("SYMBOLICA_LICENSE").is_none() {
        let mut queue = TurnQueue::new(wait);
        take_lock(&mut queue)?;
        await_foreign_instance(&mut queue)?;
        queue.leave();
    }
    let (sender, jobs) = channel::<Job>();
    std::thread::Builder::new()
        .name("algebra".to_owned())
        .stack_size(STACK)
        .spawn(move || jobs.into_iter().for_each(|job| job()))
        .map_err(|_| failed())?;
    *worker = Some(sender.clone());
    Ok(sender)
}

/// Waits until it is this process's turn, and reports the reason for waiting.
struct TurnQueue {
    since: Instant,
    wait: Duration,
    reported: Option<Instant>,
}

impl TurnQueue {
    fn new(wait: Duration) -> Self {
        Self {
            since: Instant::now(),
            wait,
            reported: None,
        }
    }

    /// A moment later; false if the time is up.
    fn go_on(&mut self, reason: impl Fn() -> String) -> bool {
        /// Waits shorter than this are not reported.
        const SOON: Duration = Duration::from_millis(300);
        const AGAIN: Duration = Duration::from_secs(1);
        if self.since.elapsed() >= self.wait {
            return false;
        }
        let due = match self.reported {
            None => self.since.elapsed() >= SOON,
            Some(reported) => reported.elapsed() >= AGAIN,
        };
        if due {
            self.reported = Some(Instant::now());
            tell(&reason());
        }
        std::thread::sleep(Duration::from_millis(20));
        true
    }

    fn leave(self) {
        if self.reported.is_some() {
            tell("");
        }
    }
}

fn tell(reason: &str) {
    let known = TELL.lock().ok().and_then(|known| *known);
    if let Some(tell) = known {
        tell(reason);
    }
}

fn take_lock(queue: &mut TurnQueue) -> Result<(), Diagnostics> {
    static LOCK: OnceLock<File> = OnceLock::new();
    if LOCK.get().is_some() {
        return Ok(());
    }
    let path = LOCK_FILE.lock().map_err(|_| failed())?.clone();
    let path = path.unwrap_or_else(lock::path);
    let file = lock::open(&path).map_err(|why| {
        let hint = "remove that file, or have its owner remove it";
        no_lock(&format!("cannot open `{}`: {why}", path.display()), hint)
    })?;
    let reason = || format!("another compilation ({})", holder(&path));
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if queue.go_on(reason) => {}
            Err(TryLockError::WouldBlock) => {
                let reason = format!(
                    "another Bellcrank compilation ({}) held `{}` for {} s",
                    holder(&path),
                    path.display(),
                    queue.wait.as_secs_f64()
                );
                return Err(no_lock(&reason, WAIT_LONGER));
            }
            Err(TryLockError::Error(error)) => {
                return Err(no_lock(&error.to_string(), WAIT_LONGER));
            }
        }
    }
    sign(&path);
    let _ = LOCK.set(file);
    Ok(())
}

/// Writes into the lock who holds it: `process 1234 since 1760000000`, in seconds of the Unix era. It is for people
/// who wait; a lock that cannot be written is held as well.
fn sign(path: &std::path::Path) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |now| now.as_secs());
    let text = format!("process {} since {now}\n", std::process::id());
    let _ = lock::write(path, &text);
}

/// Who holds the lock and for how long, as far as it says so.
fn holder(path: &std::path::Path) -> String {
    let text = lock::text(path).unwrap_or_default();
    held_by(&text, SystemTime::now()).unwrap_or_else(|| "an unknown process".to_owned())
}

fn held_by(text: &str, now: SystemTime) -> Option<String> {
    let rest = text.trim().strip_prefix("process ")?;
    let (process, since) = rest.split_once(" since ")?;
    let process: u32 = process.parse().ok()?;
    let since = UNIX_EPOCH + Duration::from_secs(since.parse().ok()?);
    let seconds = now.duration_since(since).ok()?.as_secs();
    Some(match seconds {
        ..120 => format!("process {process}, for {seconds} s"),
        _ => format!("process {process}, for {} min", seconds / 60),
    })
}

/// A running instance listens on its port and lets go of it for an instant every second, so one refused
/// connection proves nothing. Connecting disturbs it less than binding, which could make it abort.
fn await_foreign_instance(queue: &mut TurnQueue) -> Result<(), Diagnostics> {
    let port = std::env::var("SYMBOLICA_PORT")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(12011);
    let reason = || format!("another program that uses Symbolica (port {port})");
    while is_taken(port) {
        if !queue.go_on(reason) {
            let message = format!(
                "another Symbolica instance is running on this machine (port {port}), and did not end within {} s",
                queue.wait.as_secs_f64()
            );
            return Err(Diagnostic::error(Code::S501, &Path::root(), message)
                .hint("end the other program, wait longer with BELLCRANK_WAIT (seconds), or set SYMBOLICA_LICENSE to a licence key")
                .into());
        }
    }
    Ok(())
}

fn is_taken(port: u16) -> bool {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    for _ in 0..3 {
        if TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_ok() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}

const WAIT_LONGER: &str = "try again when the other compilation has ended, wait longer with BELLCRANK_WAIT (seconds), or set SYMBOLICA_LICENSE";

fn no_lock(reason: &str, hint: &str) -> Diagnostics {
    Diagnostic::error(
        Code::S502,
        &Path::root(),
        format!("waited in vain for the algebra system: {reason}"),
    )
    .hint(hint)
    .into()
}

fn failed() -> Diagnostics {
    Diagnostic::error(
        Code::S503,
        &Path::root(),
        "the algebra session ended unexpectedly",
    )
    .hint("this is a fault of Bellcrank: please report it together with the description")
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_says_who_holds_it() {
        let now = UNIX_EPOCH + Duration::from_secs(1000);
        let reported = |text: &str| held_by(text, now);
        let short = reported("process 42 since 988\n");
        assert_eq!(short.as_deref(), Some("process 42, for 12 s"));
        let long = reported("process 42 since 400\n");
        assert_eq!(long.as_deref(), Some("process 42, for 10 min"));
        // Empty as locks of older versions are, from a clock that was put back, or no lock of ours.
        for strange in ["", "process 42 since 2000", "process x since 1", "hello"] {
            assert_eq!(reported(strange), None, "{strange}");
        }
    }
}
