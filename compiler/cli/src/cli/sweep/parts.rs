//! The parts of a sweep: a folder beside its table, with a manifest and a file for each chunk of points. A file
//! appears when it is complete, so finished parts remain valid however the sweep ends. The first line of each file
//! names its sweep and its points, and has a checksum of these and the rows. A part that was changed, cut off or
//! exchanged is therefore noticed and made again.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{failed, unfit};
use crate::cache::{ContentKey, seal};
use crate::diagnostics::Diagnostics;
use crate::output_file;

const MANIFEST: &str = "manifest.json";

/// Each share locks it while it writes. A sweep without shares locks it alone, because it puts the parts together at
/// the end.
const LOCK: &str = "lock";

/// The identity of a sweep: two sweeps with the same manifest have the same rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    /// Version of the program.
    pub(super) bellcrank: String,
    /// Content key of the model, its options and the compiler.
    pub(super) model: String,
    /// Names of the columns.
    pub(super) columns: Vec<String>,
    /// How many points there are.
    pub(super) points: u64,
    /// Number of points in a part.
    pub(super) chunk: u64,
    /// The varied parameters and inputs, with their values.
    pub(super) varied: Vec<String>,
    /// The settings of each run.
    pub(super) settings: Vec<String>,
}

/// The most points of a sweep: the names of parts have digits for this many.
pub(super) const MOST_POINTS: u64 = 1_000_000_000_000;

/// The most parts of a sweep: a folder with more files is slow.
pub(super) const MOST_PARTS: u64 = 1_000_000;

/// A share of the parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    /// The number of this share, from 1 on.
    pub(super) number: u64,
    /// The number of shares.
    pub(super) of: u64,
}

impl Default for Shard {
    fn default() -> Self {
        Self { number: 1, of: 1 }
    }
}

/// Reads `2/8`.
pub(super) fn shard(text: &str) -> Result<Shard, String> {
    let read = |text: &str| text.trim().parse().ok().filter(|n: &u64| *n > 0);
    let parts = text.split_once('/');
    let shard = parts.and_then(|(number, of)| Some((read(number)?, read(of)?)));
    match shard {
        Some((number, of)) if number <= of => Ok(Shard { number, of }),
        _ => Err("expected i/n with i from 1 to n".to_owned()),
    }
}

/// The folder of the parts.
pub(super) struct Parts {
    pub(super) manifest: Manifest,
    folder: PathBuf,
    /// Identifies the sweep.
    key: ContentKey,
    /// Held until the parts are written.
    _lock: Option<File>,
}

/// The state of a part.
enum PartStatus {
    Missing,
    /// Changed, cut off, or with the rows of other points.
    Damaged,
    /// Part of another sweep.
    Foreign,
    /// Complete, with its rows.
    Complete(String),
}

const PREFIX: &str = "# part of sweep ";

impl Parts {
    /// Makes the folder of this sweep, or opens the one that it already has.
    pub(super) fn begin(
        file: &Path,
        manifest: Manifest,
        is_share: bool,
    ) -> Result<Self, Diagnostics> {
        let folder = folder(file);
        fs::create_dir_all(&folder).map_err(|why| failed(&folder, &why))?;
        let parts = Self {
            _lock: Some(lock(&folder, is_share)?),
            ..Self::of(folder, manifest)
        };
        let path = parts.folder.join(MANIFEST);
        if path.exists() {
            let found = read(&path)?;
            if found != parts.manifest {
                let differs = difference(&parts.manifest, &found);
                let message = format!(
                    "{} has the parts of another sweep: {differs}",
                    parts.folder.display()
                );
                return Err(unfit(
                    message,
                    "remove that folder, or give another `--out`",
                ));
            }
            return Ok(parts);
        }
        let json = serde_json::to_string_pretty(&parts.manifest).unwrap_or_default();
        output_file::write(&path, (json + "\n").as_bytes()).map_err(|why| failed(&path, &why))?;
        Ok(parts)
    }

    /// Opens the folder that an earlier sweep of this model has left.
    pub(super) fn found(file: &Path, model: &str) -> Result<Self, Diagnostics> {
        let folder = folder(file);
        let path = folder.join(MANIFEST);
        if !path.exists() {
            let message = format!("{} has no parts: there is no {MANIFEST}", folder.display());
            return Err(unfit(message, "run the shares with the same `--out` first"));
        }
        let manifest = read(&path)?;
        if manifest.model != model {
            let message = format!(
                "{} has the parts of another model, or of one compiled in another way",
                folder.display()
            );
            return Err(unfit(
                message,
                "merge with the model and the options of the shares",
            ));
        }
        Ok(Self::of(folder, manifest))
    }

    fn of(folder: PathBuf, manifest: Manifest) -> Self {
        let json = serde_json::to_string(&manifest).unwrap_or_default();
        Self {
            manifest,
            folder,
            key: ContentKey::of(&[&json]),
            _lock: None,
        }
    }

    /// Points of each part, in order.
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<u64>> {
        let Manifest { points, chunk, .. } = self.manifest;
        (0..points.div_ceil(chunk)).map(move |k| {
            let start = k * chunk;
            start..start.saturating_add(chunk).min(points)
        })
    }

    /// Parts of a share that do not exist yet, or are damaged.
    pub(super) fn missing(&self, shard: Shard) -> Result<Vec<Range<u64>>, Diagnostics> {
        let mut missing = Vec::new();
        for (k, range) in self.ranges().enumerate() {
            if k as u64 % shard.of + 1 != shard.number {
                continue;
            }
            match self.part(&range)? {
                PartStatus::Complete(_) => {}
                PartStatus::Missing | PartStatus::Damaged => missing.push(range),
                PartStatus::Foreign => {
                    return Err(foreign(&[self.path(&range).display().to_string()]));
                }
            }
        }
        Ok(missing)
    }

    /// Writes the rows of a part.
    pub(super) fn put(&self, range: &Range<u64>, rows: &str) -> Result<(), Diagnostics> {
        let path = self.path(range);
        let text = format!("{}{rows}", self.line(range, rows));
        output_file::write(&path, text.as_bytes()).map_err(|why| failed(&path, &why))
    }

    /// The rows of a part, which must exist.
    pub(super) fn rows(&self, range: &Range<u64>) -> Result<String, Diagnostics> {
        match self.part(range)? {
            PartStatus::Complete(rows) => Ok(rows),
            PartStatus::Missing => Err(self.lacking("missing", &[name(range)])),
            PartStatus::Damaged => Err(self.lacking("damaged", &[name(range)])),
            PartStatus::Foreign => Err(foreign(&[self.path(range).display().to_string()])),
        }
    }

    fn part(&self, range: &Range<u64>) -> Result<PartStatus, Diagnostics> {
        let path = self.path(range);
        if !path.exists() {
            return Ok(PartStatus::Missing);
        }
        let bytes = fs::read(&path).map_err(|why| failed(&path, &why))?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Ok(PartStatus::Damaged);
        };
        let Some((line, rows)) = text.split_once('\n') else {
            return Ok(PartStatus::Damaged);
        };
        let named = line
            .strip_prefix(PREFIX)
            .and_then(|rest| rest.split(' ').next());
        let own = self.line(range, rows);
        Ok(match named {
            _ if own.trim_end() == line => PartStatus::Complete(rows.to_owned()),
            Some(other) if is_key(other) && other != self.key.to_string() => PartStatus::Foreign,
            _ => PartStatus::Damaged,
        })
    }

    /// First line of a part.
    fn line(&self, range: &Range<u64>, rows: &str) -> String {
        let (start, end) = (range.start, range.end - 1);
        let place = format!("{PREFIX}{} points {start} to {end}", self.key);
        let seal = seal(&ContentKey::of(&[&place]), rows.as_bytes());
        format!("{place} seal {seal}\n")
    }

    fn path(&self, range: &Range<u64>) -> PathBuf {
        self.folder.join(name(range))
    }

    /// C607 with the names of parts that are missing, damaged or of another sweep.
    pub(super) fn check(&self) -> Result<(), Diagnostics> {
        let expected: HashSet<String> = self.ranges().map(|range| name(&range)).collect();
        let mut strange = self.names()?;
        strange.retain(|name| !expected.contains(name));
        let (mut missing, mut damaged) = (Vec::new(), Vec::new());
        for range in self.ranges() {
            match self.part(&range)? {
                PartStatus::Complete(_) => {}
                PartStatus::Missing => missing.push(name(&range)),
                PartStatus::Damaged => damaged.push(name(&range)),
                PartStatus::Foreign => strange.push(self.path(&range).display().to_string()),
            }
        }
        match (&*strange, &*missing, &*damaged) {
            ([], [], []) => Ok(()),
            ([_, ..], _, _) => Err(foreign(&strange)),
            (_, [_, ..], _) => Err(self.lacking("missing", &missing)),
            _ => Err(self.lacking("damaged", &damaged)),
        }
    }

    fn lacking(&self, how: &str, names: &[String]) -> Diagnostics {
        let message = format!(
            "{} of {} parts are {how} in {}: {}",
            names.len(),
            self.ranges().count(),
            self.folder.display(),
            listed(names)
        );
        let hint = "run the shares that make them again; what is there is kept";
        unfit(message, hint)
    }

    /// Removes the parts, which are all in the table now. A folder that remains does no harm.
    pub(super) fn remove(&self) {
        let _ = fs::remove_dir_all(&self.folder);
    }

    /// Names of all parts in the folder, in order.
    fn names(&self) -> Result<Vec<String>, Diagnostics> {
        let entries = fs::read_dir(&self.folder).map_err(|why| failed(&self.folder, &why))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<_> = names.filter(|name| name.starts_with("points-")).collect();
        names.sort();
        Ok(names)
    }
}

/// C607 if another sweep writes into the folder.
fn lock(folder: &Path, is_share: bool) -> Result<File, Diagnostics> {
    let path = folder.join(LOCK);
    let mut options = File::options();
    let opened = options.create(true).append(true).open(&path);
    let file = opened.map_err(|why| failed(&path, &why))?;
    let locked = match is_share {
        true => file.try_lock_shared(),
        false => file.try_lock(),
    };
    match locked {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(unfit(
            format!("another sweep writes into {}", folder.display()),
            "wait until it has ended, or give another `--out`; sweeps that share one `--out` each need `--shard i/n`",
        )),
        Err(TryLockError::Error(why)) => Err(failed(&path, &why)),
    }
}

fn read(path: &Path) -> Result<Manifest, Diagnostics> {
    let no_manifest = |why: &str| {
        let message = format!("{} is no manifest of a sweep: {why}", path.display());
        unfit(message, "remove its folder, or give another `--out`")
    };
    let text = fs::read_to_string(path).map_err(|why| failed(path, &why))?;
    let manifest: Manifest =
        serde_json::from_str(&text).map_err(|why| no_manifest(&why.to_string()))?;
    let Manifest { points, chunk, .. } = manifest;
    if chunk == 0 {
        return Err(no_manifest("`chunk` is 0"));
    }
    if points > MOST_POINTS || points.div_ceil(chunk) > MOST_PARTS {
        let why = format!("there is no sweep of {points} points in parts of {chunk}");
        return Err(no_manifest(&why));
    }
    if manifest.columns.is_empty() {
        return Err(no_manifest("it has no columns"));
    }
    Ok(manifest)
}

fn is_key(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `sweep.csv.parts`
fn folder(file: &Path) -> PathBuf {
    let mut folder = file.as_os_str().to_owned();
    folder.push(".parts");
    folder.into()
}

/// `points-000000000000-000000001023.csv`
fn name(range: &Range<u64>) -> String {
    format!("points-{:012}-{:012}.csv", range.start, range.end - 1)
}

fn foreign(names: &[String]) -> Diagnostics {
    let message = format!("not of this sweep: {}", listed(names));
    unfit(message, "take these files out of the folder")
}

/// A few names, and how many more there are.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The first difference of two manifests.
fn difference(own: &Manifest, found: &Manifest) -> String {
    let pairs = [
        (
            "bellcrank",
            format!("{:?}", own.bellcrank),
            format!("{:?}", found.bellcrank),
        ),
        ("model", own.model.clone(), found.model.clone()),
        ("varied", own.varied.join(", "), found.varied.join(", ")),
        ("columns", own.columns.join(", "), found.columns.join(", ")),
        ("settings", own.settings.join(" "), found.settings.join(" ")),
        ("points", own.points.to_string(), found.points.to_string()),
        ("chunk", own.chunk.to_string(), found.chunk.to_string()),
    ];
    let differing = pairs.iter().find(|(_, own, found)| own != found);
    differing.map_or(String::new(), |(name, own, found)| {
        format!("its `{name}` is {found}, not {own}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_counted_from_one() {
        assert_eq!(shard("2/8"), Ok(Shard { number: 2, of: 8 }));
        for wrong in ["0/8", "9/8", "2", "a/b", "1/0"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }
}
