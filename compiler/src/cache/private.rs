//! A folder that only one user can write to. Programs are run from it, so nobody else may put one there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element, Severity};

/// Reason why a folder is not used.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// Another user made it.
    #[error("the cache folder {} belongs to user {owner}, and this is user {user}", folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// Number of the user who made it.
        owner: u32,
        /// Number of the user of this process.
        user: u32,
    },
    /// Others may write to it.
    #[error("other users may write to the cache folder {}", .0.display())]
    Open(PathBuf),
}

impl Refused {
    /// The reason as an error or a warning.
    pub fn diagnostics(&self, severity: Severity) -> Diagnostics {
        let diagnostic = Diagnostic {
            severity,
            ..Diagnostic::error(Code::C608, &Element::root(), self.to_string())
        };
        let hint = match self {
            Self::Foreign { .. } => "set BELLCRANK_CACHE to a folder of your own".to_owned(),
            Self::Open(folder) => format!(
                "remove {}, or set BELLCRANK_CACHE to a folder of your own",
                folder.display()
            ),
        };
        diagnostic.hint(hint).into()
    }
}

/// Makes the folder if it does not exist, and ensures that only this user can write to it. A folder that cannot be
/// made is not refused: nothing can be stored in it, either.
pub(super) fn own(folder: &Path) -> Result<(), Refused> {
    if !folder.is_dir() {
        // Reading from it and writing to it then report the failure.
        let _ = make(folder);
    }
    checked(folder)
}

#[cfg(unix)]
fn make(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(PRIVATE).create(folder)
}

#[cfg(not(unix))]
fn make(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// Only the owner may read, write or enter.
#[cfg(unix)]
const PRIVATE: u32 = 0o700;

#[cfg(unix)]
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// The folder itself, and a symbolic link that leads to it, belong to this user.
#[cfg(unix)]
fn checked(folder: &Path) -> Result<(), Refused> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let user = user();
    let both = [fs::symlink_metadata(folder), fs::metadata(folder)];
    let mut owned = both.iter().flatten();
    if let Some(found) = owned.find(|found| found.uid() != user) {
        return Err(Refused::Foreign {
            folder: folder.to_owned(),
            owner: found.uid(),
            user,
        });
    }
    match &both[1] {
        Ok(found) if !found.is_dir() => Ok(()),
        Ok(found) if found.mode() & WRITABLE_BY_OTHERS != 0 => {
            Err(Refused::Open(folder.to_owned()))
        }
        Ok(found) if found.mode() & 0o777 != PRIVATE => {
            let _ = fs::set_permissions(folder, fs::Permissions::from_mode(PRIVATE));
            Ok(())
        }
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn checked(_: &Path) -> Result<(), Refused> {
    Ok(())
}

/// Number of the user of this process.
#[cfg(unix)]
pub(super) fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
pub(super) fn user() -> u32 {
    0
}
