//! `bellcrank formulations --chains`: what chains of bodies come to, from one body to a hundred.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

use serde_json::{Value, json};

use super::Formulations;
use crate::candidate::{Grown, by_chain};
use crate::cli::report::Reporter;
use crate::cli::{data, found};
use crate::diagnostics::{Code, Diagnostics};
use crate::generate::chain::{Kind, chain};

/// How many bodies the chains have, if nothing is said.
const BODIES: [u16; 7] = [1, 2, 5, 10, 20, 50, 100];

/// Prints the table.
pub(super) fn chains(arguments: &Formulations, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    let mut bodies = match arguments.bodies.is_empty() {
        true => BODIES.to_vec(),
        false => arguments.bodies.clone(),
    };
    bodies.sort_unstable();
    bodies.dedup();
    let folder = Folder::new();
    let (mut grown, n_chains) = (Vec::new(), Kind::ALL.len() * bodies.len());
    for kind in Kind::ALL {
        for &bodies in &bodies {
            let index = grown.len() + 1;
            reporter.progress(&format!("{kind}, n = {bodies} ({index} of {n_chains})"));
            let bodies = usize::from(bodies);
            let path = folder.write(&chain(kind, bodies))?;
            grown.push(Grown {
                kind: kind.to_string(),
                bodies,
                candidates: super::candidates(&path, reporter)?,
            });
        }
    }
    match arguments.json {
        true => data(&format!(
            "{:#}\n",
            grown.iter().map(entry).collect::<Value>()
        )),
        false => data(&by_chain(&grown)),
    }
}

/// One chain in JSON.
fn entry(grown: &Grown) -> Value {
    json!({ "chain": grown.kind, "bodies": grown.bodies, "candidates": grown.candidates })
}

/// Where the descriptions lie while they are compiled; removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        Self(env::temp_dir().join(format!("bellcrank-chains-{}", process::id())))
    }

    fn write(&self, text: &str) -> Result<PathBuf, Diagnostics> {
        let path = self.0.join("chain.toml");
        let failed = |path: &Path, error| {
            let message = format!("cannot write {}: {error}", path.display());
            found(Code::C601, message)
        };
        fs::create_dir_all(&self.0).map_err(|error| failed(&self.0, error))?;
        fs::write(&path, text).map_err(|error| failed(&path, error))?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
