//! `bellcrank cache`: where compiled models and programs are kept, how much they take, and how to remove them.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use clap::Args;

use super::{data, found};
use crate::cache;
use crate::columns::spaced;
use crate::diagnostics::{Code, Diagnostics, Severity};

/// Arguments of `cache`.
#[derive(Clone, Debug, Args)]
pub(super) struct Cache {
    /// Remove all entries; they are compiled again when they are needed
    #[arg(long)]
    clear: bool,
}

/// The folders that Bellcrank makes in its cache, and their contents. Only these are removed, because
/// `BELLCRANK_CACHE` may name a folder that also has other contents.
const FOLDERS: &[(&str, &str)] = &[
    ("modules", "compiled models"),
    ("programs", "built programs"),
    ("locks", "locks of builds"),
    ("runtime", "sources of the runtime"),
    ("target", "the runtime as built by cargo"),
];

/// Files and bytes below a folder.
#[derive(Clone, Copy, Default)]
struct CacheSize {
    files: u64,
    bytes: u64,
}

/// Prints the contents of the cache, or removes them.
pub(super) fn caches(arguments: &Cache) -> Result<(), Diagnostics> {
    let root = cache::root().map_err(|refused| refused.diagnostics(Severity::Error))?;
    let sizes: Vec<CacheSize> = FOLDERS
        .iter()
        .map(|(name, _)| size(&root.join(name)))
        .collect();
    let bytes = sizes.iter().map(|size| size.bytes).sum();
    if arguments.clear {
        for (name, _) in FOLDERS {
            remove(&root.join(name))?;
        }
        return data(&format!(
            "removed {} from {}\n",
            amount(bytes),
            root.display()
        ));
    }
    let mut out = format!("{}\n", root.display());
    let cells = |((name, what), size): (&(&str, &str), &CacheSize)| {
        let files = format!("{} files", size.files);
        vec![
            format!("  {name}"),
            (*what).to_owned(),
            files,
            amount(size.bytes),
        ]
    };
    let lines: Vec<Vec<String>> = FOLDERS.iter().zip(&sizes).map(cells).collect();
    out += &spaced(&lines, 2);
    let _ = writeln!(
        out,
        "{} in all; `bellcrank cache --clear` removes it",
        amount(bytes)
    );
    data(&out)
}

/// Files that cannot be read count as nothing; links are not followed.
fn size(path: &Path) -> CacheSize {
    let Ok(meta) = fs::symlink_metadata(path) else {
        return CacheSize::default();
    };
    if !meta.is_dir() {
        return CacheSize {
            files: 1,
            bytes: meta.len(),
        };
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| size(&entry.path()));
    sizes.fold(CacheSize::default(), |sum, size| CacheSize {
        files: sum.files + size.files,
        bytes: sum.bytes + size.bytes,
    })
}

fn remove(folder: &Path) -> Result<(), Diagnostics> {
    match fs::remove_dir_all(folder) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(found(
            Code::C601,
            format!("cannot remove {}: {why}", folder.display()),
        )),
        _ => Ok(()),
    }
}

/// In the unit that reads best.
fn amount(bytes: u64) -> String {
    let bytes = bytes as f64;
    match bytes {
        1e9.. => format!("{:.1} GB", bytes / 1e9),
        1e6.. => format!("{:.1} MB", bytes / 1e6),
        1e3.. => format!("{:.1} kB", bytes / 1e3),
        _ => format!("{bytes:.0} bytes"),
    }
}
