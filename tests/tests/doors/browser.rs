//! A browser without a window, for pages.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use crate::workbench::{Folder, root};

const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// It asks nobody for anything: no updates, no accounts, no reports.
const ARGUMENTS: [&str; 11] = [
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
    // Time passes as fast as the page has nothing to do.
    "--virtual-time-budget=20000",
];

/// What a page said of itself.
pub struct Visit {
    /// What the script that drove it found.
    pub report: Value,
    /// What the page wrote to its console, errors included.
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
    command.args(ARGUMENTS).arg("--dump-dom");
    command.arg(format!("--user-data-dir={}", profile.display()));
    command.arg(format!("--window-size={},{}", size[0], size[1]));
    command.arg(format!("file://{}", file.display()));
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let document = String::from_utf8_lossy(&output.stdout);
    let report = document
        .split_once("<pre id=\"report\">")
        .and_then(|(_, rest)| rest.split_once("</pre>"))
        .unwrap_or_else(|| panic!("{page} left no report ({})\n{said}", output.status));
    let console = said.lines().filter(|line| line.contains("CONSOLE"));
    Visit {
        report: serde_json::from_slice(&decoded(report.0)).unwrap(),
        console: console.map(str::to_owned).collect(),
    }
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

/// Base 64, as `btoa` writes it.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> = text
        .bytes()
        .filter(|c| *c != b'=')
        .map(|c| u32::from(digit(c)))
        .collect();
    let bytes = digits.chunks(4).flat_map(|chunk| {
        let word = (0..4).fold(0, |word, k| word << 6 | chunk.get(k).copied().unwrap_or(0));
        let all = [16, 8, 0].map(|shift| (word >> shift) as u8);
        all.into_iter().take(chunk.len() - 1)
    });
    bytes.collect()
}
