//! Earlier results by content. The key is made of the description, the options and the compiler, so an unchanged
//! input never starts an algebra session, and a changed compiler never returns old output. A failure of the cache
//! never fails a build.
//!
//! The folder belongs to one user alone. Each entry has a seal: a hash of its content, keyed by its name, which is
//! checked before the entry is used. A damaged entry is made again.

use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

use serde::{Deserialize, Serialize};

use crate::description::read;
use crate::diagnostics::{Diagnostics, Severity};
use crate::front_end::Output;
use crate::options::Options;
use crate::output_file::write_checked;
use crate::source::Source;

pub use evict::{evict, used};
pub use private::Refused;

mod evict;
mod private;

/// A content key, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ContentKey(String);

/// Version and sources of this compiler.
pub const STAMP: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("BELLCRANK_STAMP"));

/// The key of an input. It depends on the description that was read, so comments and the order of keys within a line
/// do not change it.
pub fn key(source: &Source, options: &Options) -> Result<ContentKey, Diagnostics> {
    let description = read(source)?;
    let name = match description.name {
        None => source.type_name().unwrap_or_default(),
        Some(_) => String::new(),
    };
    let json = serde_json::to_string(&description).unwrap_or_default();
    Ok(ContentKey::of(&[
        STAMP,
        &name,
        &format!("{options:?}"),
        &json,
    ]))
}

/// The output that was stored under a key; `None` if there is none, or none that can be used.
pub fn load(key: &ContentKey) -> Option<Output> {
    load_from(&root().ok()?, key)
}

/// Stores an output under its key. A failure does no harm: the next build only takes longer.
pub fn store(output: &Output) {
    if let Ok(root) = root() {
        let _ = store_in(&root, output);
        evict(&root);
    }
}

/// A warning if the folder of the caches is refused: nothing is read from it, and nothing is stored.
pub fn refusal() -> Diagnostics {
    match root() {
        Ok(_) => Diagnostics::new(),
        Err(refused) => refused.diagnostics(Severity::Warning),
    }
}

/// The folder of all caches: `$BELLCRANK_CACHE`, else `bellcrank` in the user's cache folder, else a folder with the
/// user's number among the temporary files. It is made if it does not exist. A folder that others could have written
/// to is refused.
pub fn root() -> Result<PathBuf, Refused> {
    let folder = folder();
    private::own(&folder)?;
    Ok(folder)
}

fn folder() -> PathBuf {
    let folder = |name: &str| {
        env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    if let Some(own) = folder("BELLCRANK_CACHE") {
        return std::path::absolute(&own).unwrap_or(own);
    }
    // Without HOME, the system's list of users gives the folder.
    let home = |below: &str| {
        let home = env::home_dir().filter(|home| home.is_absolute());
        home.map(|home| home.join(below))
    };
    let user = match env::consts::OS {
        "windows" => folder("LOCALAPPDATA"),
        "macos" => home("Library/Caches"),
        _ => folder("XDG_CACHE_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| home(".cache")),
    };
    match user {
        Some(user) => user.join("bellcrank"),
        None => env::temp_dir().join(format!("bellcrank-{}", private::user())),
    }
}

/// The seal of an entry: the hash of its content, keyed by its name. An entry that was changed, or that stands under
/// another name, has a wrong seal.
pub fn seal(key: &ContentKey, content: &[u8]) -> String {
    let name = blake3::derive_key("bellcrank entry of a cache", key.0.as_bytes());
    blake3::keyed_hash(&name, content).to_hex().to_string()
}

impl ContentKey {
    /// The key of several parts; different lists of parts have different keys.
    pub fn of(parts: &[&str]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        Self(hasher.finalize().to_hex()[..32].to_owned())
    }
}

impl fmt::Display for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn file(root: &Path, key: &ContentKey) -> PathBuf {
    root.join("modules").join(format!("{key}.json"))
}

/// An entry is the seal of what follows, a new line, and the output as JSON.
fn load_from(root: &Path, key: &ContentKey) -> Option<Output> {
    let file = file(root, key);
    let text = fs::read_to_string(&file).ok()?;
    let (found, json) = text.split_once('\n')?;
    let is_sound = seal(key, json.as_bytes()) == found;
    let output: Output = serde_json::from_str(json).ok().filter(|_| is_sound)?;
    evict::used(&file);
    (output.key == *key).then_some(output)
}

fn store_in(root: &Path, output: &Output) -> io::Result<()> {
    let json = serde_json::to_string(output)?;
    let entry = format!("{}\n{json}", seal(&output.key, json.as_bytes()));
    write_checked(&file(root, &output.key), entry.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::Assembly;
    use crate::description::{Integrator, Stabilizer};
    use crate::front_end::{Interpretable, PrintedStages};
    use crate::kernel::{Function, Instruction, Kernel, Name};
    use crate::model::Simulation;

    fn folder(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("bellcrank-cache-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn output(rust: &str) -> Output {
        Output {
            key: ContentKey::of(&["a"]),
            name: "A".to_owned(),
            rust: rust.to_owned(),
            warnings: Diagnostics::new(),
            parameters: Vec::new(),
            inputs: Vec::new(),
            dimensions: Default::default(),
            outputs: Vec::new(),
            poses: Vec::new(),
            candidates: Vec::new(),
            size: crate::front_end::Size::default(),
            stable_below: None,
            summary: String::new(),
            operations: String::new(),
            loops: Vec::new(),
            stages: PrintedStages::default(),
            interpretable: interpretable(),
            elements: crate::front_end::ModelElements::default(),
        }
    }

    /// An output with numbers that a careless conversion to JSON would change or lose.
    fn interpretable() -> Interpretable {
        let instructions = [f64::INFINITY, -0.0, 0.1 + 0.2].map(Instruction::Constant);
        let function = Function {
            name: Name::Energy,
            instructions: instructions.to_vec(),
            outputs: Vec::new(),
        };
        let coordinates = (1..500).map(|k| f64::from(k).sqrt().recip() * 1e-7);
        Interpretable {
            kernel: Kernel {
                functions: vec![function],
                ..Kernel::default()
            },
            assembly: Assembly {
                coordinates: coordinates.collect(),
                ..Assembly::default()
            },
            couplings: Vec::new(),
            rows: Vec::new(),
            parameters: Vec::new(),
            inputs: Vec::new(),
            variables: Vec::new(),
            tables: Vec::new(),
            simulation: Simulation {
                until: 1.0,
                step: 1e-3,
                integrator: Integrator::Rk4,
                stabilizer: Stabilizer::None,
                tolerance: 1e-6,
                methods: Vec::new(),
            },
        }
    }

    #[test]
    fn what_is_stored_is_loaded_and_what_is_broken_is_not() {
        let root = folder("entry");
        let output = output("struct A;");
        assert_eq!(load_from(&root, &output.key), None);
        store_in(&root, &output).unwrap();
        assert_eq!(load_from(&root, &output.key), Some(output.clone()));
        let file = file(&root, &output.key);
        let broken = fs::read_to_string(&file)
            .unwrap()
            .replace("struct", "strict");
        fs::write(&file, broken).unwrap();
        assert_eq!(load_from(&root, &output.key), None);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn keys_tell_parts_apart() {
        assert_ne!(ContentKey::of(&["ab", "c"]), ContentKey::of(&["a", "bc"]));
    }
}
