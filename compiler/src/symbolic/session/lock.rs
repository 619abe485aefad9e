//! The file of the machine-wide lock. It lies where every user of the machine can write, so it may be anything that
//! somebody has put there: no symbolic link is followed, no FIFO is waited for, and the file is usable by everybody,
//! whatever mask its first user has.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

const NAME: &str = "bellcrank-symbolica.lock";

/// Number of attempts at a file that was just made, or has just gone.
const TRIES: usize = 50;

/// The same path for all users, whatever folder each of them has for temporary files.
pub(super) fn path() -> PathBuf {
    let shared = Path::new("/tmp");
    match shared.is_dir() {
        true => shared.join(NAME),
        false => std::env::temp_dir().join(NAME),
    }
}

/// Opens the file, or makes it. A lock needs no more than the right to read.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let mut tries = 0;
    loop {
        match existing(path).or_else(|why| or_new(path, why)) {
            // Another user has made it in this instant and has not opened it for all yet.
            Err(why) if is_passing(&why) && tries < TRIES => {
                tries += 1;
                std::thread::sleep(Duration::from_millis(10));
            }
            done => return done,
        }
    }
}

/// Writes into the file, as far as it may be written.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut options = File::options();
    let mut file = without_surprise(options.write(true)).open(path)?;
    file.set_len(0)?;
    file.write_all(text.as_bytes())
}

/// The text of the file, at most as much as a holder writes.
pub(super) fn text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    existing(path)?.take(100).read_to_string(&mut text)?;
    Ok(text)
}

fn is_passing(why: &io::Error) -> bool {
    use ErrorKind::{AlreadyExists, NotFound, PermissionDenied};
    matches!(why.kind(), AlreadyExists | NotFound | PermissionDenied)
}

fn existing(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    let file = without_surprise(options.read(true)).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is no file")),
    }
}

/// A new file, if there is none. Systems refuse to open an existing file of another user for creation in a folder for
/// all, so this is tried second.
fn or_new(path: &Path, why: io::Error) -> io::Result<File> {
    if why.kind() != ErrorKind::NotFound {
        return Err(why);
    }
    let mut options = File::options();
    let file = without_surprise(options.write(true).create_new(true)).open(path)?;
    for_all(&file)?;
    Ok(file)
}

#[cfg(unix)]
fn without_surprise(options: &mut std::fs::OpenOptions) -> &mut std::fs::OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.custom_flags(flags.bits().cast_signed())
}

#[cfg(not(unix))]
fn without_surprise(options: &mut std::fs::OpenOptions) -> &mut std::fs::OpenOptions {
    options
}

#[cfg(unix)]
fn for_all(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn for_all(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_new_file_is_for_all_and_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let first = open(&path).unwrap();
        // The mask of this process would take the right to write away from others.
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o666
        );
        first.lock().unwrap();
        let second = open(&path).unwrap();
        assert!(second.try_lock().is_err());
        drop(first);
        second.try_lock().unwrap();
        // A file that may only be read is as good.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        assert!(open(&path).unwrap().try_lock().is_err());
    }

    #[test]
    fn links_pipes_and_folders_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("precious"), "x").unwrap();
        symlink(path("precious"), path("link")).unwrap();
        symlink(path("nothing"), path("dangling")).unwrap();
        let pipe = std::process::Command::new("mkfifo")
            .arg(path("pipe"))
            .status();
        assert!(pipe.unwrap().success());
        fs::create_dir(path("folder")).unwrap();
        for name in ["link", "dangling", "pipe", "folder"] {
            assert!(open(&path(name)).is_err(), "{name}");
        }
        assert!(!path("nothing").exists());
        assert_eq!(fs::read_to_string(path("precious")).unwrap(), "x");
    }

    /// Many begin at once, and one file is locked by all of them.
    #[test]
    fn processes_that_begin_together_share_one_file() {
        for _ in 0..50 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("lock");
            let open = || open(&path).unwrap();
            let files: Vec<File> = std::thread::scope(|scope| {
                let workers: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
                workers
                    .into_iter()
                    .map(|worker| worker.join().unwrap())
                    .collect()
            });
            files[0].lock().unwrap();
            assert!(files[1..].iter().all(|file| file.try_lock().is_err()));
        }
    }
}
