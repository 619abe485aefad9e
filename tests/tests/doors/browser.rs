//! A browser without a window, for pages.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{OnceLock, mpsc};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use serde_json::Value;

use crate::workbench::{Folder, root};

const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// It asks nobody for anything: no updates, no accounts, no reports. What the page says comes on stderr.
const ARGUMENTS: [&str; 10] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
];

/// A page that has not said by then what it found will not; it takes a second or two on a machine with nothing else
/// to do.
const PATIENCE: Duration = Duration::from_secs(120);

/// The report of a page.
pub struct Visit {
    /// The result of the script that drove it.
    pub report: Value,
    /// The rest of its console, errors included.
    pub console: Vec<String>,
}

/// Opens a page of this size from disk and drives it: asks where a point is at some times, and uses every control.
pub fn visit(folder: &Folder, page: &str, point: &str, times: &[f64], size: [u32; 2]) -> Visit {
    let driver = fs::read_to_string(root().join("tests/browser/drive.js")).unwrap();
    let asked = format!("const ASKED = {{ point: {point:?}, times: {times:?} }};");
    let text = format!(
        "{}<script>\n{asked}\n{driver}</script>\n",
        folder.read(page)
    );
    let file = folder.write(&format!("driven-{page}"), &text);
    let profile = folder.path(&format!("profile-{page}"));
    let mut command = Command::new(browser());
    command.args(ARGUMENTS);
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.arg(format!("--window-size={},{}", size[0], size[1]));
    command.arg(format!("file://{}", file.display()));
    let mut console = heard(&mut command);
    let report = console.pop().unwrap_or_default();
    let found = report
        .split_once("\"report ")
        .and_then(|(_, rest)| rest.rsplit_once(" end\""))
        .unwrap_or_else(|| panic!("{page} said nothing of itself: {console:?} {report}"));
    Visit {
        report: serde_json::from_str(&found.0.replace('\'', "\"")).unwrap(),
        console,
    }
}

/// The console of a page, up to its report; then the browser is ended.
fn heard(command: &mut Command) -> Vec<String> {
    command.stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        let said = stderr.lines().map_while(Result::ok);
        let mut said = said.filter(|line| line.contains(":CONSOLE"));
        said.any(|line| sender.send(line).is_err())
    });
    let mut console = Vec::new();
    let start = Instant::now();
    while let Ok(line) = lines.recv_timeout(PATIENCE.saturating_sub(start.elapsed())) {
        let is_report = line.contains("\"report ");
        console.push(line);
        if is_report {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    console
}

/// `$BELLCRANK_BROWSER`, else the first one on the path, else one that is installed now.
fn browser() -> &'static OsString {
    static BROWSER: OnceLock<OsString> = OnceLock::new();
    BROWSER.get_or_init(|| {
        if let Some(told) = env::var_os("BELLCRANK_BROWSER") {
            return told;
        }
        on_path().unwrap_or_else(|| {
            let install = root().join("tests/browser/install");
            let done = Command::new(&install).output().unwrap();
            on_path().unwrap_or_else(|| {
                panic!(
                    "no browser: {} did not bring one. Install Chromium, or set BELLCRANK_BROWSER\n{}",
                    install.display(),
                    String::from_utf8_lossy(&done.stderr)
                )
            })
        })
    })
}

fn on_path() -> Option<OsString> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let found = |name: &&str| env::split_paths(&folders).any(|folder| is_file(&folder, name));
    NAMES.iter().find(|name| found(name)).map(OsString::from)
}

fn is_file(folder: &Path, name: &str) -> bool {
    folder.join(name).is_file()
}
