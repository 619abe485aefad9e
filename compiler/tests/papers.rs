//! Licences and sources of the dependencies against `deny.toml`, and the packages as a registry would get them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;
use spdx::{Expression, Licensee, ParseMode};
use toml::{Table, Value};

/// The packages that users depend on or install.
const PUBLISHED: [&str; 4] = [
    "bellcrank",
    "bellcrank-cli",
    "bellcrank-compiler",
    "bellcrank-macros",
];

#[test]
fn licences_are_those_that_deny_toml_allows() {
    let deny = Deny::read();
    let refused: Vec<String> = packages()
        .iter()
        .filter(|package| package["source"].is_string())
        .filter_map(|package| deny.refuses(package))
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

/// An exception that nobody needs any more would let the next package in without a word.
#[test]
fn exceptions_of_deny_toml_are_needed_and_named_in_third_party() {
    let deny = Deny::read();
    let packages = packages();
    let names: BTreeSet<&str> = packages.iter().filter_map(name).collect();
    let third_party = fs::read_to_string(root().join("THIRD_PARTY.md")).unwrap();
    for package in deny.exceptions.keys() {
        assert!(names.contains(package.as_str()), "{package} is not used");
        let code = format!("`{package}`");
        assert!(third_party.contains(&code), "{package} is not named");
    }
}

#[test]
fn dependencies_come_from_one_registry() {
    let packages = packages();
    let sources: BTreeSet<&str> = packages
        .iter()
        .filter_map(|package| package["source"].as_str())
        .collect();
    assert_eq!(sources.len(), 1, "{sources:?}");
    assert!(sources.iter().all(|source| source.starts_with("registry+")));
}

#[test]
fn packages_say_what_a_registry_shows() {
    for package in published() {
        let name = name(&package).unwrap().to_owned();
        for key in ["description", "license", "repository", "readme"] {
            assert!(package[key].is_string(), "{name} has no {key}");
        }
        let keywords = package["keywords"].as_array().map_or(0, Vec::len);
        assert!((1..=5).contains(&keywords), "{name}: {keywords} keywords");
    }
}

/// A package has its sources, README and both licences, and nothing that it includes lies outside of it.
#[test]
fn packages_are_complete() {
    for package in published() {
        let name = name(&package).unwrap();
        let files = cargo(&["package", "--list", "--allow-dirty", "--locked", "-p", name]);
        let files: BTreeSet<&str> = files.lines().collect();
        for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "src/lib.rs"] {
            assert!(files.contains(file), "{name} has no {file}");
        }
    }
    assert_eq!(includes_from_outside(), Vec::<String>::new());
}

/// Files outside of their package that its sources include, unit tests aside: these are not built from a package.
fn includes_from_outside() -> Vec<String> {
    let mut found = Vec::new();
    for package in published() {
        let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap());
        let folder = manifest.parent().unwrap().to_owned();
        for file in rust_files(&folder.join("src")) {
            let text = fs::read_to_string(&file).unwrap();
            let built = text.split("#[cfg(test)]").next().unwrap_or_default();
            for call in built.split("include_str!(\"").skip(1) {
                let included = call.split('"').next().unwrap_or_default();
                let place = file.parent().unwrap().join(included);
                let place = place.canonicalize().unwrap_or(place);
                if !place.starts_with(folder.canonicalize().unwrap()) {
                    found.push(format!("{} includes {included}", file.display()));
                }
            }
        }
    }
    // A file that is itself a module of tests has no `#[cfg(test)]` in it.
    found.retain(|line| !line.contains("tests.rs") && !line.contains("/tests/"));
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.flat_map(|entry| match entry.path() {
        path if path.is_dir() => rust_files(&path),
        path => vec![path],
    });
    files
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .collect()
}

/// The parts of `deny.toml` that decide.
struct Deny {
    allowed: Vec<Licensee>,
    exceptions: BTreeMap<String, Vec<Licensee>>,
    clarified: BTreeMap<String, String>,
}

impl Deny {
    fn read() -> Self {
        let text = fs::read_to_string(root().join("deny.toml")).unwrap();
        let table: Table = toml::from_str(&text).unwrap();
        let licenses = &table["licenses"];
        let exceptions = licenses["exceptions"].as_array().unwrap().iter();
        let clarified = licenses["clarify"].as_array().unwrap().iter();
        Self {
            allowed: licensees(&licenses["allow"]),
            exceptions: exceptions
                .map(|one| (text_of(&one["crate"]), licensees(&one["allow"])))
                .collect(),
            clarified: clarified
                .map(|one| (text_of(&one["crate"]), text_of(&one["expression"])))
                .collect(),
        }
    }

    /// Why a package may not be used, if it may not.
    fn refuses(&self, package: &Json) -> Option<String> {
        let name = name(package)?;
        let stated = package["license"].as_str().map(str::to_owned);
        let Some(license) = stated.or_else(|| self.clarified.get(name).cloned()) else {
            return Some(format!("{name} states no licence"));
        };
        let mode = ParseMode {
            // `MIT/Apache-2.0` and `MPL-2.0+` were the way to write it once.
            allow_slash_as_or_operator: true,
            allow_imprecise_license_names: true,
            allow_postfix_plus_on_gpl: true,
            allow_deprecated: true,
            allow_unknown: true,
        };
        let Ok(expression) = Expression::parse_mode(&license, mode) else {
            return Some(format!("{name}: `{license}` is no SPDX expression"));
        };
        let own = self.exceptions.get(name).into_iter().flatten();
        let known: Vec<&Licensee> = self.allowed.iter().chain(own).collect();
        let is_allowed = expression.evaluate(|asked| known.iter().any(|one| one.satisfies(asked)));
        (!is_allowed).then(|| format!("{name}: `{license}` is not allowed"))
    }
}

fn licensees(list: &Value) -> Vec<Licensee> {
    let list = list.as_array().unwrap().iter();
    list.map(|one| Licensee::parse(one.as_str().unwrap()).unwrap())
        .collect()
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn name(package: &Json) -> Option<&str> {
    package["name"].as_str()
}

fn published() -> Vec<Json> {
    let mut packages = packages();
    packages.retain(|package| name(package).is_some_and(|name| PUBLISHED.contains(&name)));
    assert_eq!(packages.len(), PUBLISHED.len());
    packages
}

/// All packages that are built on this platform: those of others need not be at hand.
fn packages() -> Vec<Json> {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let platform = ["--filter-platform", host.unwrap()];
    let arguments = ["metadata", "--locked", "--format-version", "1"];
    let text = cargo(&[&arguments[..], &platform[..]].concat());
    let mut metadata: Json = serde_json::from_str(&text).unwrap();
    let Json::Array(packages) = metadata["packages"].take() else {
        panic!("cargo lists no packages");
    };
    packages
}

fn cargo(arguments: &[&str]) -> String {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let ran = Command::new(cargo)
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    let complaint = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{arguments:?}: {complaint}");
    String::from_utf8(ran.stdout).unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
