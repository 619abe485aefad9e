//! Files that the front ends write. Readers see the old content or the complete new one, and nothing between. A
//! [`Draft`] is a temporary file beside its target, with a name that no other process has. It takes the target's name
//! when it is complete.
//!
//! A device or a FIFO is written to and never replaced. So is everything below `/proc` and `/dev`, except files in
//! memory below `/dev/shm`. A symbolic link stays a link, and the file that it leads to is replaced. A read-only file
//! is refused, even for a user who could replace it. A file keeps its mode and, where the system allows it, its
//! owner.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

pub use live::remove_temporaries;

mod fault;
mod live;
#[cfg(test)]
mod tests;

/// Longer chains of symbolic links are loops.
const LINKS: usize = 40;

/// Number of bytes of a target's name that its temporary file repeats; names have at most 255.
const REPEATED: usize = 100;

/// Whether a file must survive a crash of the machine right after it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The file and its folder are synchronised with the disk.
    Synced,
    /// The reader of the file checks it, and makes it again if it is damaged.
    Checked,
}

/// A file that is being written.
#[derive(Debug)]
pub struct Draft(DraftKind);

#[derive(Debug)]
enum DraftKind {
    /// A special file, which is written to directly.
    Special(File),
    /// A temporary file, which replaces the target at the end.
    Temporary(Temporary),
}

#[derive(Debug)]
struct Temporary {
    file: NamedTempFile,
    target: PathBuf,
    /// Removed from the list of temporary files last.
    _listed: live::Listed,
}

/// Writes a whole file.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    write_with(path, content, Durability::Synced)
}

/// Writes a whole file that its readers check; makes the folder if it does not exist.
pub fn write_checked(path: &Path, content: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder_of(path))?;
    write_with(path, content, Durability::Checked)
}

/// Renames a file of ours on the same disk, and replaces a file that already has the new name.
pub fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

fn write_with(path: &Path, content: &[u8], durability: Durability) -> io::Result<()> {
    let draft = Draft::create(path)?;
    draft.writer().write_all(content)?;
    draft.finish(durability)
}

/// Whether a file of this name could be written. The check disturbs neither the file nor another process that writes
/// it.
pub fn check(path: &Path) -> io::Result<()> {
    match target(path)? {
        Target::Special(path) => may_write(&path),
        Target::File(path, found) => {
            refuse_protected(&path, found.as_ref())?;
            live::temporary(&path, found.as_ref()).map(drop)
        }
    }
}

impl Draft {
    /// Begins a file. The folder must exist.
    pub fn create(path: &Path) -> io::Result<Self> {
        fault::step()?;
        match target(path)? {
            Target::Special(path) => {
                let file = OpenOptions::new().append(true).open(path)?;
                Ok(Self(DraftKind::Special(file)))
            }
            Target::File(target, found) => {
                refuse_protected(&target, found.as_ref())?;
                let (file, _listed) = live::temporary(&target, found.as_ref())?;
                keep_mode(file.as_file(), found.as_ref())?;
                Ok(Self(DraftKind::Temporary(Temporary {
                    file,
                    target,
                    _listed,
                })))
            }
        }
    }

    /// The open file, to write to.
    pub fn file(&self) -> &File {
        match &self.0 {
            DraftKind::Special(file) => file,
            DraftKind::Temporary(temporary) => temporary.file.as_file(),
        }
    }

    /// Writes in large pieces.
    pub fn writer(&self) -> Writer<'_> {
        Writer(BufWriter::new(Faulty(self.file())))
    }

    /// The name of the temporary file, to read the written content; a special file has none.
    pub fn written(&self) -> Option<&Path> {
        match &self.0 {
            DraftKind::Special(_) => None,
            DraftKind::Temporary(temporary) => Some(temporary.file.path()),
        }
    }

    /// Gives the file its name. Without this call the temporary file is removed.
    pub fn finish(self, durability: Durability) -> io::Result<()> {
        match self.0 {
            // A pipe has nothing to synchronise.
            DraftKind::Special(_) => Ok(()),
            DraftKind::Temporary(temporary) => temporary.finish(durability),
        }
    }

    /// Gives the file another name in the same folder, unless it is special. This keeps the content so far, although
    /// it is incomplete.
    pub fn finish_as(self, path: &Path) -> io::Result<()> {
        let DraftKind::Temporary(mut temporary) = self.0 else {
            return Err(ErrorKind::Unsupported.into());
        };
        match target(path)? {
            Target::File(target, found) if folder_of(&target) == folder_of(&temporary.target) => {
                refuse_protected(&target, found.as_ref())?;
                temporary.target = target;
                temporary.finish(Durability::Synced)
            }
            _ => Err(ErrorKind::Unsupported.into()),
        }
    }
}

impl Temporary {
    fn finish(self, durability: Durability) -> io::Result<()> {
        if durability == Durability::Synced {
            fault::step()?;
            self.file.as_file().sync_all()?;
        }
        fault::step()?;
        let renamed = self.file.persist(&self.target);
        renamed.map_err(|failed| failed.error)?;
        match durability {
            Durability::Synced => sync_folder(folder_of(&self.target)),
            Durability::Checked => Ok(()),
        }
    }
}

/// Writes to a draft. The content of its buffer is written by `flush` or `write_all`.
pub struct Writer<'d>(BufWriter<Faulty<'d>>);

impl Writer<'_> {
    /// Writes all of it, to the end.
    pub fn write_all(mut self, content: &[u8]) -> io::Result<()> {
        Write::write_all(&mut self, content)?;
        self.flush()
    }
}

impl Write for Writer<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.0.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A file whose writes fail where a test says so.
struct Faulty<'d>(&'d File);

impl Write for Faulty<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        fault::step()?;
        self.0.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The target of a path.
enum Target {
    Special(PathBuf),
    File(PathBuf, Option<Metadata>),
}

/// Follows symbolic links, also one to a file that does not exist yet.
fn target(path: &Path) -> io::Result<Target> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let is_device = path.starts_with("/dev") && !path.starts_with("/dev/shm");
        if is_device || path.starts_with("/proc") {
            return Ok(Target::Special(path));
        }
        let found = match fs::symlink_metadata(&path) {
            Ok(found) => found,
            Err(why) if why.kind() == ErrorKind::NotFound => {
                return Ok(Target::File(path, None));
            }
            Err(why) => return Err(why),
        };
        if !found.is_symlink() {
            return match found {
                _ if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
                _ if found.is_file() => Ok(Target::File(path, Some(found))),
                _ => Ok(Target::Special(path)),
            };
        }
        let link = fs::read_link(&path)?;
        path = folder_of(&path).join(link);
    }
    Err(io::Error::other("too many symbolic links"))
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Root can write to any file, but a file that is read-only for everybody is meant to be read-only for root, too.
fn refuse_protected(path: &Path, found: Option<&Metadata>) -> io::Result<()> {
    match found {
        Some(found) if found.permissions().readonly() => Err(io::Error::new(
            ErrorKind::PermissionDenied,
            "the file is read-only",
        )),
        Some(_) => may_write(path),
        None => Ok(()),
    }
}

#[cfg(unix)]
fn may_write(path: &Path) -> io::Result<()> {
    Ok(rustix::fs::access(path, rustix::fs::Access::WRITE_OK)?)
}

#[cfg(not(unix))]
fn may_write(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A new file has the mode that the user's mask gives it, an existing one keeps its own.
#[cfg(unix)]
fn keep_mode(file: &File, found: Option<&Metadata>) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let Some(found) = found else {
        return Ok(());
    };
    // Only root may give a file away. For other users the file becomes their own, as a copy would.
    let own = file.metadata()?;
    if (own.uid(), own.gid()) != (found.uid(), found.gid()) {
        let _ = fchown(file, Some(found.uid()), Some(found.gid()));
    }
    file.set_permissions(fs::Permissions::from_mode(found.mode() & 0o777))
}

#[cfg(not(unix))]
fn keep_mode(_: &File, _: Option<&Metadata>) -> io::Result<()> {
    Ok(())
}

/// The new name is permanent when its folder is on the disk. Some file systems cannot synchronise a folder, and some
/// folders may be written but not read. There the name becomes permanent with the next synchronisation.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    use ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(why) if !matches!(why.kind(), InvalidInput | PermissionDenied | Unsupported) => {
            Err(why)
        }
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
