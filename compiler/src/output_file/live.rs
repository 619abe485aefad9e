//! Temporary files of this process, so that a signal that ends it can remove them first.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::{Builder, NamedTempFile};

use super::{REPEATED, folder_of};

static LIVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// An entry in the list of temporary files, until it is dropped.
#[derive(Debug)]
pub(super) struct Listed(PathBuf);

/// A temporary file beside `target`. It is made and listed in one step, so that none is forgotten.
pub(super) fn temporary(
    target: &Path,
    found: Option<&Metadata>,
) -> io::Result<(NamedTempFile, Listed)> {
    let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut builder = Builder::new();
    let prefix = prefix(target);
    builder.prefix(&prefix);
    with_mode(&mut builder, found);
    let file = builder.tempfile_in(folder_of(target))?;
    live.push(file.path().to_owned());
    let listed = Listed(file.path().to_owned());
    Ok((file, listed))
}

/// Removes all temporary files of this process, which must end at once: further writes fail.
pub fn remove_temporaries() {
    let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
    for path in live.iter() {
        let _ = fs::remove_file(path);
    }
    // No further one is made before this process ends.
    std::mem::forget(live);
}

impl Drop for Listed {
    fn drop(&mut self) {
        let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        live.retain(|path| *path != self.0);
    }
}

/// `.name.`, after which `tempfile` writes letters of its own.
fn prefix(target: &Path) -> OsString {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let end = name.floor_char_boundary(REPEATED);
    format!(".{}.", &name[..end]).into()
}

#[cfg(unix)]
fn with_mode(builder: &mut Builder<'_, '_>, found: Option<&Metadata>) {
    use std::os::unix::fs::PermissionsExt;
    let mode = found.map_or(0o666, |found| found.permissions().mode() & 0o777);
    builder.permissions(fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
fn with_mode(_: &mut Builder<'_, '_>, _: Option<&Metadata>) {}
