use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use tempfile::{TempDir, tempdir};

use super::*;

fn folder() -> TempDir {
    tempdir().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn readers_beside_writers_see_whole_files() {
    let folder = folder();
    let path = folder.path().join("file");
    let long = |c: &str| c.repeat(100_000);
    write_checked(&path, long("a").as_bytes()).unwrap();
    std::thread::scope(|scope| {
        for c in ["a", "b"] {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..50 {
                    write_checked(path, long(c).as_bytes()).unwrap();
                }
            });
        }
        for _ in 0..100 {
            let text = fs::read_to_string(&path).unwrap();
            assert!(text == long("a") || text == long("b"));
        }
    });
    assert_eq!(names(folder.path()), ["file"]);
}

/// Each operation on the file fails in turn: the old content stays, and nothing else is there.
#[test]
fn a_fault_anywhere_leaves_the_old_file() {
    let folder = folder();
    let path = folder.path().join("file");
    fs::write(&path, "old").unwrap();
    let new = "new".repeat(20_000);
    let mut faults = 0;
    loop {
        fault::after(Some(faults));
        let written = write(&path, new.as_bytes());
        fault::after(None);
        assert_eq!(names(folder.path()), ["file"]);
        if written.is_ok() {
            break;
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        faults += 1;
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), new);
    // To create, to write, to synchronise and to rename it.
    assert!(faults >= 4, "{faults}");
}

#[test]
fn a_draft_that_is_dropped_leaves_nothing() {
    let folder = folder();
    let draft = Draft::create(&folder.path().join("file")).unwrap();
    assert_eq!(names(folder.path()).len(), 1);
    drop(draft);
    assert!(names(folder.path()).is_empty());
}

#[test]
fn two_drafts_of_one_file_do_not_mix() {
    let folder = folder();
    let path = folder.path().join("file");
    let [one, two] = ["1", "2"].map(|_| Draft::create(&path).unwrap());
    let (mut a, mut b) = (one.file(), two.file());
    for _ in 0..10 {
        a.write_all(b"1").unwrap();
        b.write_all(b"2").unwrap();
    }
    one.finish(Durability::Synced).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "1".repeat(10));
    two.finish(Durability::Synced).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "2".repeat(10));
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn a_folder_and_a_missing_folder_are_refused() {
    let folder = folder();
    let kind = |path: PathBuf| {
        let kinds = [write(&path, b""), check(&path)].map(|done| done.unwrap_err().kind());
        assert_eq!(kinds[0], kinds[1]);
        kinds[0]
    };
    assert_eq!(kind(folder.path().to_owned()), ErrorKind::IsADirectory);
    assert_eq!(kind(folder.path().join("a/b")), ErrorKind::NotFound);
}

#[test]
fn a_name_of_the_greatest_length_has_a_temporary_file() {
    let folder = folder();
    let name = "é".repeat(127);
    write(&folder.path().join(&name), b"x").unwrap();
    assert_eq!(names(folder.path()), [name]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_file_keeps_its_mode() {
        let folder = folder();
        let path = folder.path().join("file");
        for kept in [0o600, 0o644, 0o666, 0o755] {
            fs::write(&path, "old").unwrap();
            set_mode(&path, kept);
            write(&path, b"new").unwrap();
            assert_eq!(mode(&path), kept);
        }
    }

    #[test]
    fn a_new_file_has_the_mode_that_others_have() {
        let folder = folder();
        let [ours, others] = ["ours", "others"].map(|name| folder.path().join(name));
        write(&ours, b"").unwrap();
        fs::write(&others, "").unwrap();
        assert_eq!(mode(&ours), mode(&others));
    }

    /// Also for root, as whom these tests may run.
    #[test]
    fn a_read_only_file_is_refused() {
        let folder = folder();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        set_mode(&path, 0o444);
        for done in [write(&path, b"new"), check(&path)] {
            assert_eq!(done.unwrap_err().kind(), ErrorKind::PermissionDenied);
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn a_symbolic_link_stays_a_link() {
        let folder = folder();
        fs::create_dir(folder.path().join("below")).unwrap();
        let link = folder.path().join("link");
        symlink("below/file", &link).unwrap();
        // The first time there is nothing that it leads to.
        for text in ["one", "two"] {
            check(&link).unwrap();
            write(&link, text.as_bytes()).unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            let target = folder.path().join("below/file");
            assert_eq!(fs::read_to_string(target).unwrap(), text);
        }
        assert_eq!(names(&folder.path().join("below")), ["file"]);
        symlink("self", folder.path().join("self")).unwrap();
        assert!(write(&folder.path().join("self"), b"").is_err());
    }

    #[test]
    fn a_device_is_written_to() {
        let null = Path::new("/dev/null");
        check(null).unwrap();
        write(null, b"x").unwrap();
        assert!(fs::metadata(null).unwrap().file_type().is_char_device());
        let folder = folder();
        let link = folder.path().join("link");
        symlink("/dev/null", &link).unwrap();
        write(&link, b"x").unwrap();
        assert!(fs::metadata(null).unwrap().file_type().is_char_device());
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    /// `/dev/shm` is a folder of files in memory, not of devices.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_new_file_in_memory_is_written() {
        let Ok(folder) = tempfile::tempdir_in("/dev/shm") else {
            return;
        };
        let path = folder.path().join("new");
        write(&path, b"x").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"x");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let told = write(Path::new("/dev/full"), b"x").unwrap_err();
        assert_eq!(told.kind(), ErrorKind::StorageFull);
    }

    #[test]
    fn a_pipe_is_written_to_and_not_replaced() {
        let folder = folder();
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        // Nobody reads, and still this returns.
        check(&path).unwrap();
        let reader = std::thread::spawn({
            let path = path.clone();
            move || {
                let mut text = String::new();
                File::open(path).unwrap().read_to_string(&mut text).unwrap();
                text
            }
        });
        write(&path, b"through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
    }

    /// A shell that appends has the file open in that way.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_file_behind_stdout_keeps_what_it_has() {
        use std::os::fd::AsRawFd;
        let folder = folder();
        let path = folder.path().join("log");
        fs::write(&path, "before\n").unwrap();
        let log = File::options().append(true).open(&path).unwrap();
        let open = PathBuf::from(format!("/proc/self/fd/{}", log.as_raw_fd()));
        write(&open, b"rows\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "before\nrows\n");
    }
}
