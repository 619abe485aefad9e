//! The box that Symbolica lives in: one thread, one instance a machine.
//!
//! Without a licence key Symbolica allows one process a machine and one thread, and a second process
//! aborts. So all algebra runs on one worker thread, started at its first use; before that this process
//! takes a machine-wide file lock, which it holds until it ends because the instance lives that long.
//! An instance that is not ours occupies the port that Symbolica listens on: we ask before we start, so
//! that a person gets a diagnostic and never an abort. With a key in the environment none of this is
//! needed. This is the one place where the pipeline touches the system.
//!
//! Environment: `SYMBOLICA_LICENSE` (a key, which needs no lock) and `SYMBOLICA_PORT` (where instances
//! listen, 12011 if absent). How long to wait for another compilation is for the doors to set, which take
//! it from `BELLCRANK_WAIT`.

use std::fs::{File, TryLockError};
use std::net::{SocketAddr, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path};

mod lock;

type Job = Box<dyn FnOnce() + Send>;

/// Expressions are trees, and walking a deep one needs room.
const STACK: usize = 512 << 20;

/// How long to wait for another compilation; parallel builds queue up here.
static WAIT: Mutex<Duration> = Mutex::new(Duration::from_secs(900));

/// Sets how long to wait for another compilation.
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
        take_lock(wait)?;
        refuse_foreign_instance()?;
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

fn take_lock(wait: Duration) -> Result<(), Diagnostics> {
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
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if start.elapsed() < wait => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => {
                let reason = format!(
                    "another Bellcrank compilation held `{}` for {} s",
                    path.display(),
                    wait.as_secs_f64()
                );
                return Err(no_lock(&reason, WAIT_LONGER));
            }
            Err(TryLockError::Error(error)) => {
                return Err(no_lock(&error.to_string(), WAIT_LONGER));
            }
        }
    }
    let _ = LOCK.set(file);
    Ok(())
}

/// A running instance listens on its port and lets go of it for an instant every second, so one refused
/// connection proves nothing. Connecting disturbs it less than binding, which could make it abort.
fn refuse_foreign_instance() -> Result<(), Diagnostics> {
    let port = std::env::var("SYMBOLICA_PORT")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(12011);
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    for _ in 0..3 {
        if TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_ok() {
            return Err(Diagnostic::error(
                Code::S501,
                &Path::root(),
                format!("another Symbolica instance is running on this machine (port {port})"),
            )
            .hint("end the other program, or set SYMBOLICA_LICENSE to a licence key")
            .into());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(())
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
