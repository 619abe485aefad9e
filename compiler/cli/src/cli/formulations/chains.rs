//! `bellcrank formulations --chains`: the cost of chains of bodies, from one body to a hundred.

use std::env;

use serde_json::{Value, json};
use tempfile::{Builder, TempDir};

use super::Formulations;
use crate::cli::report::Reporter;
use crate::cli::{data, unwritten, write};
use crate::diagnostics::Diagnostics;
use crate::generate::chain::{ChainKind, chain};
use crate::search::{Grown, by_chain};

/// Default numbers of bodies in the chains.
const BODIES: [u16; 7] = [1, 2, 5, 10, 20, 50, 100];

/// Prints the table.
pub(super) fn chains(arguments: &Formulations, reporter: &mut Reporter) -> Result<(), Diagnostics> {
    let mut bodies = match arguments.bodies.is_empty() {
        true => BODIES.to_vec(),
        false => arguments.bodies.clone(),
    };
    bodies.sort_unstable();
    bodies.dedup();
    let folder = folder()?;
    let path = folder.path().join("chain.toml");
    let (mut grown, n_chains) = (Vec::new(), ChainKind::ALL.len() * bodies.len());
    for kind in ChainKind::ALL {
        for &bodies in &bodies {
            let index = grown.len() + 1;
            reporter.progress(&format!("{kind}, n = {bodies} ({index} of {n_chains})"));
            let bodies = usize::from(bodies);
            write(&path, &chain(kind, bodies))?;
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

/// A folder of this user for the descriptions while they are compiled; removed at the end.
fn folder() -> Result<TempDir, Diagnostics> {
    let folder = Builder::new().prefix("bellcrank-chains-").tempdir();
    folder.map_err(|why| unwritten(&env::temp_dir(), &why))
}
