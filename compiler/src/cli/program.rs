//! The native program of a mechanism: a small crate in the cache, built by cargo once for each content.
//! All of them share one target folder, so the runtime and nalgebra are built once.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Output as Finished, Stdio};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::{found, runtime_crate};
use crate::cache::{self, Key, write_atomically};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element};

/// Nobody debugs or edits it.
const PROFILE: &str = "opt-level = 3\ndebug = 0\nincremental = false\n";

/// What programs share is built once, in however many units they are themselves.
const SHARED: &str = "[profile.release.package.\"*\"]\ncodegen-units = 16\n";

/// Bytes of generated text up to which a program is one unit of optimisation.
const ONE_UNIT: usize = 120_000;

/// The sources of a program.
pub(super) struct Sources {
    /// What is built, for those who wait.
    pub(super) name: String,
    /// `src/main.rs`
    pub(super) main: String,
    /// Further modules: name of the file in `src`, and text.
    pub(super) modules: Vec<(String, String)>,
    /// What it needs of the runtime.
    pub(super) feature: &'static str,
}

impl Sources {
    /// A short step is faster if all of it is optimised as one; of a long one the accelerations are not inlined
    /// anyway, so that two units are built side by side and run at the same speed.
    fn profile(&self) -> String {
        let length: usize = self.modules.iter().map(|(_, text)| text.len()).sum();
        let n_units = 1 + usize::from(length > ONE_UNIT);
        format!("{PROFILE}codegen-units = {n_units}\n")
    }
}

/// For which processor a program is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Processor {
    /// The one that it runs on, with all that it can do.
    Native,
    /// A common one, whose instructions tools that simulate processors know.
    Common,
}

/// The path of the program for this machine, built if it is not there yet.
pub(super) fn program(sources: &Sources, quiet: bool) -> Result<PathBuf, Diagnostics> {
    program_for(Processor::Native, sources, quiet)
}

/// The same for another processor.
pub(super) fn program_for(
    processor: Processor,
    sources: &Sources,
    quiet: bool,
) -> Result<PathBuf, Diagnostics> {
    let root = cache::root();
    let dependency =
        runtime_crate::dependency(&root, sources.feature).map_err(|why| unwritable(&root, &why))?;
    let (flags, features) = (processor.flags(), processor.features());
    let profile = sources.profile();
    let mut parts = vec![&*sources.main, &*dependency, &*profile, &*flags, &*features];
    parts.extend(
        sources
            .modules
            .iter()
            .flat_map(|(name, text)| [&**name, &**text]),
    );
    let key = Key::of(&parts);
    let folder = root.join("programs").join(key.to_string());
    let program = folder.join(format!("program{}", std::env::consts::EXE_SUFFIX));
    if program.is_file() {
        return Ok(program);
    }
    let package = format!("model-{key}");
    write_crate(&folder, &package, &dependency, sources)
        .map_err(|why| unwritable(&folder, &why))?;
    let spinner = spinner(&sources.name, quiet);
    // Cargo sees the flags but not which processor `native` is.
    let target = root
        .join("target")
        .join(Key::of(&[&*flags, &*features]).to_string());
    let built = build(&folder, &target, &flags);
    spinner.finish_and_clear();
    built?;
    let built = target
        .join("release")
        .join(package + std::env::consts::EXE_SUFFIX);
    match fs::rename(&built, &program) {
        // Another process may have built the same program and moved it already.
        Err(why) if !program.is_file() => Err(unwritable(&program, &why)),
        _ => Ok(program),
    }
}

fn write_crate(
    folder: &Path,
    package: &str,
    dependency: &str,
    sources: &Sources,
) -> io::Result<()> {
    let manifest = format!(
        "[package]\nname = \"{package}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\n{dependency}\n\n\
         [profile.release]\n{}\n\
         {SHARED}\n\
         [workspace]\n",
        sources.profile()
    );
    write_atomically(&folder.join("Cargo.toml"), manifest.as_bytes())?;
    if !runtime_crate::LOCK.is_empty() {
        write_atomically(&folder.join("Cargo.lock"), runtime_crate::LOCK.as_bytes())?;
    }
    for (name, text) in &sources.modules {
        write_atomically(&folder.join("src").join(name), text.as_bytes())?;
    }
    write_atomically(&folder.join("src/main.rs"), sources.main.as_bytes())
}

/// First with what is already on this machine; with the registry only if something is not.
fn build(folder: &Path, target: &Path, flags: &str) -> Result<(), Diagnostics> {
    let mut finished = cargo(folder, target, flags, &["--offline"])?;
    if String::from_utf8_lossy(&finished.stderr).contains("offline") {
        finished = cargo(folder, target, flags, &[])?;
    }
    if finished.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&finished.stderr);
    let message = format!("cargo refused the crate in {}", folder.display());
    let diagnostic = Diagnostic::error(Code::C602, &Element::root(), message);
    let hint = format!("cargo says\n{}", words.trim_end());
    Err(diagnostic.hint(hint).into())
}

/// The flags of the user's own crates are not those of this one.
fn cargo(
    folder: &Path,
    target: &Path,
    flags: &str,
    more: &[&str],
) -> Result<Finished, Diagnostics> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--release", "--quiet"]).args(more);
    command.current_dir(folder).stdin(Stdio::null());
    command.env("CARGO_TARGET_DIR", target);
    command.env("RUSTFLAGS", flags);
    command.env_remove("CARGO_ENCODED_RUSTFLAGS");
    command.env_remove("CARGO_BUILD_TARGET");
    command.output().map_err(|why| match why.kind() {
        ErrorKind::NotFound => {
            let message = "`cargo` is not on the path";
            let diagnostic = Diagnostic::error(Code::C603, &Element::root(), message);
            diagnostic.hint("install Rust, or add `--interpret`").into()
        }
        _ => found(Code::C602, format!("cargo cannot be started: {why}")),
    })
}

impl Processor {
    fn flags(self) -> String {
        format!("-C target-cpu={} -A warnings", self.name())
    }

    fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            #[cfg(target_arch = "x86_64")]
            Self::Common if is_x86_feature_detected!("avx2") => "x86-64-v3",
            #[cfg(target_arch = "x86_64")]
            Self::Common => "x86-64",
            #[cfg(not(target_arch = "x86_64"))]
            Self::Common => "generic",
        }
    }

    /// What `target-cpu=native` depends on: a cache may be shared by unlike machines.
    fn features(self) -> String {
        match self {
            Self::Native => native_features(),
            Self::Common => std::env::consts::ARCH.to_owned(),
        }
    }
}

fn native_features() -> String {
    #[allow(unused_mut)]
    let mut text = std::env::consts::ARCH.to_owned();
    #[cfg(target_arch = "x86_64")]
    {
        let features = [
            ("sse4.2", is_x86_feature_detected!("sse4.2")),
            ("avx", is_x86_feature_detected!("avx")),
            ("avx2", is_x86_feature_detected!("avx2")),
            ("fma", is_x86_feature_detected!("fma")),
            ("bmi2", is_x86_feature_detected!("bmi2")),
            ("avx512f", is_x86_feature_detected!("avx512f")),
            ("avx512vl", is_x86_feature_detected!("avx512vl")),
        ];
        let present = features.iter().filter(|(_, present)| *present);
        text.extend(present.flat_map(|(name, _)| [" ", name]));
    }
    text
}

fn spinner(name: &str, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let spinner = ProgressBar::new_spinner().with_message(format!("building {name}"));
    let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
    if let Ok(style) = style {
        spinner.set_style(style);
    }
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

fn unwritable(path: &Path, why: &io::Error) -> Diagnostics {
    let message = format!("cannot write {}: {why}", path.display());
    let diagnostic = Diagnostic::error(Code::C601, &Element::root(), message);
    diagnostic
        .hint("set BELLCRANK_CACHE to a folder that can be written")
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_programs_are_built_in_two_units() {
        let of = |length: usize| Sources {
            name: String::new(),
            main: String::new(),
            modules: vec![("model.rs".to_owned(), " ".repeat(length))],
            feature: "std",
        };
        assert!(of(ONE_UNIT).profile().ends_with("codegen-units = 1\n"));
        assert!(of(ONE_UNIT + 1).profile().ends_with("codegen-units = 2\n"));
    }
}
