//! Removes entries that have not been used for long, so that a cache does not grow for ever.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::output_file::write_checked;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Entries that were not used for this long are removed.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// An entry that was used this recently is always kept: another process may be using it.
const RECENT: Duration = Duration::from_secs(60 * 60);

/// Largest size of a cache in bytes. Beyond it the least recently used entries are removed until half of it is left.
const MOST: u64 = 4 << 30;

/// Folders whose entries are files or folders.
const KINDS: [&str; 5] = ["modules", "programs", "runtime", "target", "locks"];

/// Removes old entries, once a day.
pub fn evict(root: &Path) {
    let marker = root.join("evicted");
    let now = SystemTime::now();
    if age(&marker, now).is_some_and(|age| age < DAY) {
        return;
    }
    // Other processes need not do the same at the same time.
    if write_checked(&marker, b"").is_ok() {
        evict_down_to(root, MOST, now);
    }
}

/// Marks an entry as used: a file by its time, a folder by a file of this name in it.
pub fn used(entry: &Path) {
    let file = match entry.is_dir() {
        true => entry.join("used"),
        false => entry.to_owned(),
    };
    let now = SystemTime::now();
    match age(&file, now) {
        Some(age) if age < RECENT / 2 => {}
        Some(_) => drop(File::open(&file).and_then(|file| file.set_modified(now))),
        None => drop(write_checked(&file, b"")),
    }
}

struct CachedFile {
    path: PathBuf,
    age: Duration,
    size: u64,
}

fn evict_down_to(root: &Path, most: u64, now: SystemTime) {
    let mut entries: Vec<CachedFile> = KINDS
        .iter()
        .flat_map(|kind| children(&root.join(kind)))
        .map(|path| CachedFile {
            age: last_used(&path, now),
            size: size(&path),
            path,
        })
        .collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.age));
    let mut total: u64 = entries.iter().map(|entry| entry.size).sum();
    let goal = if total > most { most / 2 } else { most };
    for entry in entries.iter().filter(|entry| entry.age > RECENT) {
        if entry.age > LONGEST || total > goal {
            remove(&entry.path);
            total -= entry.size;
        }
    }
}

fn remove(path: &Path) {
    let _ = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
}

/// Time since the entry, or a file in it, was changed.
fn last_used(path: &Path, now: SystemTime) -> Duration {
    let inside = children(path).into_iter();
    let times = inside.chain([path.to_owned()]);
    let ages = times.filter_map(|path| age(&path, now));
    ages.min().unwrap_or_default()
}

/// A time in the future counts as now: clocks of two machines differ.
fn age(path: &Path, now: SystemTime) -> Option<Duration> {
    let modified = fs::symlink_metadata(path).and_then(|found| found.modified());
    Some(now.duration_since(modified.ok()?).unwrap_or_default())
}

fn size(path: &Path) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => children(path).iter().map(|path| size(path)).sum(),
        Ok(found) => found.len(),
        Err(_) => 0,
    }
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(root: &Path, name: &str, days: u32, now: SystemTime) -> PathBuf {
        let path = root.join(name);
        write_checked(&path, &[0; 1000]).unwrap();
        for touched in [&*path, path.parent().unwrap()] {
            let file = File::open(touched).unwrap();
            file.set_modified(now - days * DAY).unwrap();
        }
        path
    }

    #[test]
    fn the_old_and_the_least_used_go() {
        let root = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let module = |name: &str, days| entry(root.path(), &format!("modules/{name}"), days, now);
        let (ancient, old, new) = (module("a", 31), module("b", 20), module("c", 0));
        let program = entry(root.path(), "programs/p/program", 10, now);
        let foreign = entry(root.path(), "other/file", 100, now);
        let are = |there: [bool; 5]| {
            let paths = [&ancient, &old, &new, &program, &foreign];
            assert_eq!(paths.map(|path| path.exists()), there);
        };
        evict_down_to(root.path(), 1 << 20, now);
        are([false, true, true, true, true]);
        evict_down_to(root.path(), 2500, now);
        are([false, false, true, false, true]);
        // An entry in use is kept, however large it is.
        evict_down_to(root.path(), 10, now);
        are([false, false, true, false, true]);
    }

    #[test]
    fn an_entry_that_is_used_is_young_again() {
        let root = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let file = entry(root.path(), "modules/a", 31, now);
        let folder = entry(root.path(), "programs/p/program", 31, now);
        let folder = folder.parent().unwrap();
        used(&file);
        used(folder);
        evict_down_to(root.path(), 1 << 20, SystemTime::now());
        assert!(file.exists() && folder.exists());
    }

    #[test]
    fn it_is_done_once_a_day() {
        let root = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        evict(root.path());
        let file = entry(root.path(), "modules/a", 31, now);
        evict(root.path());
        assert!(file.exists());
        let marker = File::open(root.path().join("evicted")).unwrap();
        marker.set_modified(now - 2 * DAY).unwrap();
        evict(root.path());
        assert!(!file.exists());
    }
}
