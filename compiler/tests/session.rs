//! The box of the algebra system, seen from outside: each test runs this program again as a child, because
//! lock and instance last as long as a process.
//!
//! Where the algebra itself is not reached, children have a lock and a port of their own, so that nothing
//! else on the machine disturbs them; where it is reached, they queue for the machine's.

use std::fs::File;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bellcrank_compiler::diagnostics::Diagnostics;
use bellcrank_compiler::stages::symbolic::session;
use bellcrank_compiler::{Options, Source, compile};

const ROLE: &str = "BELLCRANK_TEST_ROLE";
/// The lock of a child that has one of its own.
const LOCK: &str = "BELLCRANK_TEST_LOCK";

/// The work of a child; nothing in the process that runs the tests.
#[test]
fn child() {
    if let Some(lock) = std::env::var_os(LOCK) {
        session::set_lock(lock.into());
    }
    match std::env::var(ROLE).as_deref() {
        Ok("compile") => println!("outcome: {}", outcome()),
        Ok("compile in haste") => {
            session::set_wait(Duration::from_millis(300));
            println!("outcome: {}", outcome());
        }
        Ok("compile twice in haste") => {
            session::set_wait(Duration::from_millis(300));
            println!("outcome: {} {}", outcome(), outcome());
        }
        Ok("wait aloud") => {
            session::on_wait(|reason| println!("waits for {reason:?}"));
            let answer = session::run(|| 7);
            println!("outcome: {answer:?}");
        }
        Ok("panic") => {
            let failed = session::run(|| assert!(std::env::var_os(ROLE).is_none()));
            let next = session::run(|| 7);
            println!("outcome: {} {next:?}", codes(&failed.unwrap_err()));
        }
        _ => {}
    }
}

#[test]
fn a_foreign_instance_that_does_not_end_is_told() {
    let folder = Folder::new("foreign");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let child = folder.child(
        "compile twice in haste",
        [("SYMBOLICA_PORT", &port.to_string())],
    );
    // The answer does not wear off, and nothing aborts.
    assert_eq!(answer(child), "S501 S501");
}

/// The job does no algebra, so that no second instance starts.
#[test]
fn a_foreign_instance_that_ends_is_waited_for() {
    let folder = Folder::new("ends");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let mut child = folder.child("wait aloud", [("SYMBOLICA_PORT", port.as_str())]);
    std::thread::sleep(Duration::from_millis(1500));
    assert!(child.try_wait().unwrap().is_none(), "it waits");
    drop(listener);
    let said = said(child);
    let reason = format!("waits for \"another program that uses Symbolica (port {port})\"");
    assert!(said.contains(&reason), "{said}");
    assert!(said.contains("waits for \"\""), "{said}");
    assert!(said.contains("outcome: Ok(7)"), "{said}");
}

#[test]
fn those_who_wait_are_told_who_holds_the_lock() {
    let folder = Folder::new("holder");
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
    let port = free.unwrap().port().to_string();
    // The first writes its number into the lock; a lock that somebody else takes then keeps the text.
    let first = folder.child("wait aloud", [("SYMBOLICA_PORT", port.as_str())]);
    let id = first.id();
    assert_eq!(answer(first), "Ok(7)");
    let lock = File::options().write(true).open(folder.0.join("lock"));
    let lock = lock.unwrap();
    lock.lock().unwrap();
    let second = folder.child("wait aloud", [("SYMBOLICA_PORT", port.as_str())]);
    std::thread::sleep(Duration::from_millis(1500));
    lock.unlock().unwrap();
    let said = said(second);
    let reason = format!("waits for \"another compilation (process {id}, for ");
    assert!(said.contains(&reason), "{said}");
}

#[test]
fn a_lock_that_is_held_too_long_is_told() {
    let folder = Folder::new("held");
    let lock = folder.lock();
    lock.lock().unwrap();
    let start = Instant::now();
    let child = folder.child("compile in haste", []);
    assert_eq!(answer(child), "S502");
    assert!(start.elapsed() >= Duration::from_millis(300), "it waited");
}

#[test]
fn a_lock_that_is_held_briefly_is_waited_for() {
    let lock = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open("/tmp/bellcrank-symbolica.lock")
        .unwrap();
    lock.lock().unwrap();
    // Users with other folders for temporary files take the same lock.
    let folder = Folder::new("briefly");
    let mut child = role("compile").env("TMPDIR", &folder.0).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(400));
    assert!(child.try_wait().unwrap().is_none(), "it waits");
    lock.unlock().unwrap();
    assert_eq!(answer(child), "compiled");
}

#[test]
fn a_job_that_panics_is_told() {
    let folder = Folder::new("panic");
    // A port that was free a moment ago.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
    let port = free.unwrap().port().to_string();
    let child = folder.child("panic", [("SYMBOLICA_PORT", port.as_str())]);
    assert_eq!(answer(child), "S503 Ok(7)");
}

/// `compiled`, or the codes that were found.
fn outcome() -> String {
    let source = Source::Toml {
        file: "free.toml".to_owned(),
        text: "space = 'planar'\nbodies.a = { mass = 1, inertia = 1, free = true }".to_owned(),
    };
    match compile(&source, &Options::default()) {
        Ok(_) => "compiled".to_owned(),
        Err(found) => codes(&found),
    }
}

fn codes(found: &Diagnostics) -> String {
    found.iter().map(|d| d.code.to_string()).collect()
}

/// This program with one test only, which plays a role.
fn role(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "child", "--nocapture"])
        .env(ROLE, name)
        .env_remove("SYMBOLICA_LICENSE")
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// All that a child says, which must end well.
fn said(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    text
}

/// The outcome that a child reports.
fn answer(child: Child) -> String {
    let text = said(child);
    let line = text.lines().find_map(|line| line.split_once("outcome: "));
    line.unwrap_or_else(|| panic!("{text}")).1.to_owned()
}

/// A temporary folder for a lock of its own; removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("bellcrank-session-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn lock(&self) -> File {
        File::create(self.0.join("lock")).unwrap()
    }

    /// A child that takes the lock in this folder for the machine's.
    fn child<const N: usize>(&self, name: &str, more: [(&str, &str); N]) -> Child {
        let mut child = role(name);
        child.env(LOCK, self.0.join("lock")).envs(more);
        child.spawn().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
