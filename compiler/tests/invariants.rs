//! The invariants of ARCHITECTURE.md that a search through the sources can guard.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bellcrank_compiler::stages::joints::JointType;

/// Each module of the compiler with the modules that it may import, in the order of the line. ARCHITECTURE.md has the
/// reasons in its table.
const IMPORTS: &[(&str, &str)] = &[
    // A source carries tokens, and a description is read from a source.
    ("description", "diagnostics joints source"),
    // A number of a model is the value of an expression, which may look into a table of the model.
    ("model", "description diagnostics evaluate expr joints"),
    ("topology", "diagnostics model"),
    // Of the description: the word for the plane or space.
    (
        "formulation",
        "description diagnostics expr joints model structure topology",
    ),
    // Of the model: three numbers, as a type.
    ("symbolic", "diagnostics expr formulation model structure"),
    (
        "assembly",
        "description diagnostics evaluate expr formulation model numeric ordering structure symbolic topology",
    ),
    // Of the model: vectors and tables of numbers.
    (
        "kernel",
        "assembly expr model options ordering small_keys structure symbolic",
    ),
    // The stages from the model to the kernel, which it runs again. Its figures are printed as a table.
    (
        "search",
        "assembly columns description diagnostics expr formulation kernel model options symbolic topology",
    ),
    // Of the assembly: the start, as numbers. Of the model: names, defaults and tables.
    (
        "emit",
        "assembly description expr kernel model options small_keys",
    ),
    // Shared by the stages.
    ("expr", "small_keys"),
    ("options", "description model"),
    ("diagnostics", ""),
    ("evaluate", "expr model small_keys"),
    ("ordering", ""),
    ("small_keys", ""),
    ("structure", "expr"),
    // A kind has other facts in the plane than in space, which the description says.
    ("joints", "description expr structure"),
    // Assembly, analyses and the interpreted run close loops in one way.
    ("numeric", ""),
    ("columns", ""),
    // The front end for `build.rs`, and the parts that all front ends share. Only `front_end` sees the stages: it
    // collects their results, which the cache keeps.
    ("build", "diagnostics front_end options output_file source"),
    (
        "front_end",
        "assembly cache description diagnostics emit expr formulation kernel model options search source symbolic topology",
    ),
    ("source", "description diagnostics"),
    (
        "cache",
        "description diagnostics front_end options output_file source",
    ),
    ("output_file", ""),
];

/// The same for the parts of the workbench that the command uses. The command itself may import all that the workbench
/// has.
const IMPORTS_OF_WORKBENCH: &[(&str, &str)] = &[
    (
        "analysis",
        "assembly description diagnostics front_end expr joints kernel model numeric",
    ),
    ("picture", "description evaluate expr joints model"),
    ("generate", ""),
    (
        "interpreted",
        "assembly description front_end kernel model numeric",
    ),
];

/// Modules without IO, environment and messages.
const PURE: &[&str] = &[
    "src/assembly",
    "src/columns.rs",
    "src/description",
    "src/diagnostics",
    "src/diagnostics.rs",
    "src/emit",
    "src/evaluate.rs",
    "src/expr",
    "src/formulation",
    "src/joints",
    "src/kernel",
    "src/model",
    "src/options",
    "src/options.rs",
    "src/ordering.rs",
    "src/small_keys.rs",
    "src/numeric",
    "src/search",
    "src/structure",
    "src/symbolic",
    "src/topology",
    "cli/src/analysis",
    "cli/src/generate",
    "cli/src/picture",
];

/// The one place of the pipeline that touches the system: lock, licence key and port of Symbolica.
const TOUCHES_THE_SYSTEM: &[&str] = &["src/symbolic/session.rs", "src/symbolic/session/lock.rs"];

const SYSTEM: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::{",
    "env::var",
    "File::",
    "print!(",
    "println!(",
    "dbg!(",
];

#[test]
fn stages_import_what_the_table_allows() {
    assert_eq!(imports_beyond("src", IMPORTS), "");
    assert_eq!(imports_beyond("cli/src", IMPORTS_OF_WORKBENCH), "");
}

/// A module that is added, or renamed, gets a line in the table.
#[test]
fn the_table_has_every_module() {
    let tabled = IMPORTS.iter().map(|(name, _)| (*name).to_owned());
    let named = sources().filter_map(|file| Some(module(file.strip_prefix("src/")?).to_owned()));
    let is_part = |name: &String| !["lib", "stages"].contains(&name.as_str());
    let (tabled, found): (BTreeSet<String>, BTreeSet<String>) =
        (tabled.collect(), named.filter(is_part).collect());
    assert_eq!(tabled, found);
}

#[test]
fn only_symbolic_names_symbolica() {
    let elsewhere = sources().filter(|file| !file.starts_with("src/symbolic/"));
    assert_eq!(naming(elsewhere, &["symbolica::", "use symbolica"]), "");
}

/// The macro crate is a front end and uses it too, for the line that makes rustc watch the file.
#[test]
fn only_emit_uses_quote() {
    let elsewhere = sources().filter(|file| !file.starts_with("src/emit/"));
    assert_eq!(naming(elsewhere, &["use quote", "quote::", "quote!"]), "");
}

/// The file of a kind of joint says everything about it, so that a new kind is one file and one line.
#[test]
fn no_stage_names_a_kind_of_joint() {
    let elsewhere = sources().filter(|file| !file.starts_with("src/joints/"));
    let kinds = JointType::ALL.iter();
    let names: Vec<String> = kinds.map(|kind| format!("JointType::{kind:?}")).collect();
    let mut words: Vec<&str> = names.iter().map(String::as_str).collect();
    words.push("JointType::{");
    assert_eq!(naming(elsewhere, &words), "");
}

#[test]
fn stages_do_no_io() {
    let is_below = |file: &str, name: &str| {
        let below = file.strip_prefix(name);
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let stages = sources().filter(|file| {
        let is_pure = PURE.iter().any(|name| is_below(file, name));
        is_pure && !TOUCHES_THE_SYSTEM.contains(&file.as_str())
    });
    assert_eq!(naming(stages, SYSTEM), "");
}

/// It solves what `structure` and the equations describe, whatever mechanism they come from.
#[test]
fn the_kernel_names_no_formulation() {
    let kernel = sources().filter(|file| file.starts_with("src/kernel/"));
    assert_eq!(naming(kernel, &["formulation::"]), "");
}

/// These panic where stderr is closed, and change the exit code.
#[test]
fn the_command_talks_in_one_way() {
    let cli = sources().filter(|file| file.starts_with("cli/src/"));
    assert_eq!(naming(cli, &["eprint!(", "eprintln!("]), "");
}

/// Every file is written whole, or not at all.
#[test]
fn files_are_written_in_one_place() {
    let elsewhere = sources().filter(|file| !file.starts_with("src/output_file"));
    let ways = ["fs::write(", "File::create(", "fs::rename("];
    assert_eq!(naming(elsewhere, &ways), "");
}

/// A stage that is renamed must not slip out of the test above, nor an exception outlive its reason.
#[test]
fn the_lists_are_of_what_exists() {
    for name in PURE.iter().chain(TOUCHES_THE_SYSTEM) {
        assert!(root().join(name).exists(), "{name}");
    }
    for file in TOUCHES_THE_SYSTEM {
        assert_ne!(naming([(*file).to_owned()].into_iter(), SYSTEM), "");
    }
}

/// `bellcrank run` in the root of the repository leaves its table there.
#[test]
fn tables_in_the_root_are_not_committed() {
    let ignored = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.gitignore");
    let ignored = fs::read_to_string(ignored).unwrap();
    assert!(ignored.lines().any(|line| line == "/*.csv"), "{ignored}");
}

/// The folder of the compiler; `cli` below it is the workbench.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All sources that are not tests, by their path below the root, in order.
fn sources() -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    for folder in ["src", "cli/src"] {
        let before = found.len();
        collect(&root().join(folder), &format!("{folder}/"), &mut found);
        assert!(found.len() > before + 50, "{folder} has the sources");
    }
    found.sort();
    found.into_iter()
}

fn collect(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{prefix}{name}");
        if name == "tests" || name == "tests.rs" {
            continue;
        } else if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), &format!("{path}/"), found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

/// The lines of these files that contain one of the words, comments and tests aside: `file:line: text`.
fn naming(files: impl Iterator<Item = String>, words: &[&str]) -> String {
    let mut report = String::new();
    for file in files {
        for (number, code) in code_of(&file) {
            if words.iter().any(|word| code.contains(word)) {
                report += &format!("{file}:{number}: {code}\n");
            }
        }
    }
    report
}

/// The lines of a file with their numbers, comments and tests aside.
fn code_of(file: &str) -> Vec<(usize, String)> {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let lines = text.lines().map(|line| line.trim_start().to_owned());
    let lines = (1..).zip(lines);
    lines
        .take_while(|(_, code)| code != "mod tests {")
        .filter(|(_, code)| !code.starts_with("//"))
        .collect()
}

/// The imports that a table does not allow: `file: module`. Modules that it does not list may import anything.
fn imports_beyond(folder: &str, table: &[(&str, &str)]) -> String {
    let mut report = String::new();
    for file in sources() {
        let Some(path) = file.strip_prefix(&format!("{folder}/")) else {
            continue;
        };
        let own = module(path);
        let Some((_, allowed)) = table.iter().find(|(name, _)| *name == own) else {
            continue;
        };
        let lines = code_of(&file).into_iter().map(|(_, code)| code);
        let code = lines.collect::<Vec<_>>().join("\n");
        for name in imports(&code) {
            let is_module = IMPORTS.iter().chain(table).any(|(known, _)| *known == name);
            if is_module && name != own && !allowed.split(' ').any(|one| one == name) {
                report += &format!("{file}: {name}\n");
            }
        }
        // The root by another name.
        if code.contains(&"super::".repeat(depth(path))) {
            report += &format!("{file}: `super` beyond the module\n");
        }
    }
    report
}

/// The name of the module of the crate that a file belongs to.
fn module(path: &str) -> &str {
    let first = path.split('/').next().unwrap_or_default();
    first.strip_suffix(".rs").unwrap_or(first)
}

/// How many modules a file is below the root of the crate.
fn depth(path: &str) -> usize {
    let path = path.strip_suffix("/mod.rs").unwrap_or(path);
    path.split('/').count()
}

/// The first names after `crate::`, also of groups.
fn imports(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(group) => found.extend(first_names(group)),
            None => found.extend(name(rest)),
        }
    }
    found
}

/// The names in a group that stand outside of groups within it.
fn first_names(group: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut level, mut begins) = (0, 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => level += 1,
            '}' if level > 0 => level -= 1,
            ',' | '}' if level == 0 => {
                found.extend(name(group[begins..at].trim_start()));
                begins = at + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

fn name(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    Some(&text[..end.unwrap_or(text.len())]).filter(|name| !name.is_empty())
}

#[test]
fn imports_are_found_in_every_form() {
    let code = "use crate::model::{Body, Joint};\nuse crate::{\n    Compiled,\n    emit::{self, Names},\n    topology,\n};\n\
        let x = crate::expr::Expr::zero();";
    assert_eq!(
        imports(code),
        ["model", "Compiled", "emit", "topology", "expr"]
    );
}
