//! The native program of a mechanism: a small crate in the cache, which cargo builds once for each content. All
//! programs share one target folder, so that the runtime and nalgebra are built once.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::guard::{NOT_FOUND, finished, guarded};
use super::{found, progress, runtime_crate};
use crate::cache::{self, ContentKey, evict, seal, used};
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Path as Element, Severity};
use crate::output_file::{move_file, write_checked};

/// Nobody debugs or edits these programs.
const PROFILE: &str = "opt-level = 3\ndebug = 0\nincremental = false\n";

/// Crates that all programs share are built once, whatever the number of codegen units of a program.
const SHARED: &str = "[profile.release.package.\"*\"]\ncodegen-units = 16\n";

/// Bytes of generated text up to which a program is one unit of optimisation.
const ONE_UNIT: usize = 120_000;

/// The sources of a program.
pub(super) struct Sources {
    /// The name that progress messages show.
    pub(super) name: String,
    /// `src/main.rs`
    pub(super) main: String,
    /// Further modules: name of the file in `src`, and text.
    pub(super) modules: Vec<(String, String)>,
    /// The feature of the runtime that it needs.
    pub(super) feature: &'static str,
}

impl Sources {
    /// A short step is faster if the program is optimised as one unit. In a long step the accelerations are not
    /// inlined, so two units are built in parallel and run at the same speed.
    fn profile(&self) -> String {
        let length: usize = self.modules.iter().map(|(_, text)| text.len()).sum();
        let n_units = 1 + usize::from(length > ONE_UNIT);
        format!("{PROFILE}codegen-units = {n_units}\n")
    }
}

/// The processor for which a program is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Processor {
    /// This machine's processor, with all its instructions.
    Native,
    /// A common processor, whose instructions are known to tools that simulate processors.
    Common,
}

/// The path of the program for this machine; builds it if it does not exist yet.
pub(super) fn program(sources: &Sources, quiet: bool) -> Result<PathBuf, Diagnostics> {
    program_for(Processor::Native, sources, quiet)
}

/// The same for another processor.
pub(super) fn program_for(
    processor: Processor,
    sources: &Sources,
    quiet: bool,
) -> Result<PathBuf, Diagnostics> {
    let root = cache::root().map_err(|refused| refused.diagnostics(Severity::Error))?;
    let dependency = runtime_crate::dependency(&root, sources.feature);
    let (flags, features) = (processor.flags(), processor.features());
    let profile = sources.profile();
    let mut parts = vec![&*sources.main, &*dependency, &*profile, &*flags, &*features];
    parts.extend(
        sources
            .modules
            .iter()
            .flat_map(|(name, text)| [&**name, &**text]),
    );
    let key = ContentKey::of(&parts);
    let place = BuildFolder {
        package: format!("model-{key}"),
        folder: root.join("programs").join(key.to_string()),
        // Cargo sees the flags but not which processor `native` is.
        target: root
            .join("target")
            .join(ContentKey::of(&[&*flags, &*features]).to_string()),
        key,
    };
    if place.is_whole() {
        used(&place.folder);
        return Ok(place.program());
    }
    let spinner = match quiet {
        true => ProgressBar::hidden(),
        false => progress::spinner(&doing(&sources.name, &place.target)),
    };
    let made = made(&root, &place, &dependency, &flags, sources);
    spinner.finish_and_clear();
    made.map(|()| place.program())
}

/// The paths of a program and of its build.
struct BuildFolder {
    key: ContentKey,
    package: String,
    folder: PathBuf,
    target: PathBuf,
}

impl BuildFolder {
    fn program(&self) -> PathBuf {
        self.folder
            .join(format!("program{}", std::env::consts::EXE_SUFFIX))
    }

    fn seal(&self) -> PathBuf {
        self.folder.join("program.seal")
    }

    /// Whether the program exists unchanged since it was built, and may be run.
    fn is_whole(&self) -> bool {
        let may_run = fs::metadata(self.program()).is_ok_and(|found| is_executable(&found));
        may_run && self.is_sealed()
    }

    fn is_sealed(&self) -> bool {
        let (program, found) = (fs::read(self.program()), fs::read_to_string(self.seal()));
        match (program, found) {
            (Ok(program), Ok(found)) => seal(&self.key, &program) == found,
            _ => false,
        }
    }

    /// Moves the program out of cargo's folder, so that cargo forgets it. Cargo would otherwise keep a second link to
    /// the same file, and regard the program as built even if that file is damaged later.
    fn take(&self) -> io::Result<()> {
        let release = self.target.join("release");
        let built = release.join(format!("{}{}", self.package, std::env::consts::EXE_SUFFIX));
        let found = seal(&self.key, &fs::read(&built)?);
        move_file(&built, &self.program())?;
        write_checked(&self.seal(), found.as_bytes())?;
        self.forget();
        Ok(())
    }

    fn forget(&self) {
        let release = self.target.join("release");
        let underscored = self.package.replace('-', "_");
        for folder in [
            release.clone(),
            release.join("deps"),
            release.join(".fingerprint"),
        ] {
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            for entry in entries {
                let name = entry.file_name().to_string_lossy().into_owned();
                if !name.starts_with(&self.package) && !name.starts_with(&underscored) {
                    continue;
                }
                let _ = match entry.path().is_dir() {
                    true => fs::remove_dir_all(entry.path()),
                    false => fs::remove_file(entry.path()),
                };
            }
        }
    }
}

#[cfg(unix)]
fn is_executable(found: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    // The cache belongs to this user.
    const BY_OWNER: u32 = 0o100;
    found.permissions().mode() & BY_OWNER != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}

/// Builds a program, one process at a time.
fn made(
    root: &Path,
    place: &BuildFolder,
    dependency: &str,
    flags: &str,
    sources: &Sources,
) -> Result<(), Diagnostics> {
    let folder = &place.folder;
    let _lock = lock(root, &place.key).map_err(|why| unwritable(root, &why))?;
    if place.is_whole() {
        return Ok(());
    }
    runtime_crate::restore(root).map_err(|why| unwritable(root, &why))?;
    let _ = fs::remove_dir_all(folder);
    write_crate(folder, &place.package, dependency, sources)
        .map_err(|why| unwritable(folder, &why))?;
    let existed = place.target.is_dir();
    place.forget();
    let mut built = build(folder, &place.target, flags);
    if existed && built.as_ref().is_err_and(Unbuilt::may_heal) {
        // A file of an earlier build may be damaged.
        let _ = fs::remove_dir_all(&place.target);
        built = build(folder, &place.target, flags);
    }
    built.map_err(Diagnostics::from)?;
    used(&place.target);
    evict(root);
    place
        .take()
        .map_err(|why| unwritable(&place.program(), &why))
}

fn lock(root: &Path, key: &ContentKey) -> io::Result<File> {
    let folder = root.join("locks");
    fs::create_dir_all(&folder)?;
    let mut options = File::options();
    let file = options
        .create(true)
        .append(true)
        .open(folder.join(key.to_string()))?;
    file.lock()?;
    Ok(file)
}

/// Reason why cargo has built nothing.
enum Unbuilt {
    /// Cargo refused the crate.
    Refused(Diagnostics),
    /// Cargo could not be started.
    Absent(Diagnostics),
}

impl Unbuilt {
    fn may_heal(&self) -> bool {
        matches!(self, Self::Refused(_))
    }
}

impl From<Unbuilt> for Diagnostics {
    fn from(unbuilt: Unbuilt) -> Self {
        match unbuilt {
            Unbuilt::Refused(found) | Unbuilt::Absent(found) => found,
        }
    }
}

/// The progress message. The first program of a cache waits for the runtime, which all others share.
fn doing(name: &str, target: &Path) -> String {
    let program = format!("building native code of {name}");
    match target.is_dir() {
        true => program,
        false => {
            let first = "building the runtime for the first time, which takes about half a minute";
            progress::line(first);
            format!("{program}; {first}")
        }
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
    write_checked(&folder.join("Cargo.toml"), manifest.as_bytes())?;
    if !runtime_crate::LOCK.is_empty() {
        write_checked(&folder.join("Cargo.lock"), runtime_crate::LOCK.as_bytes())?;
    }
    for (name, text) in &sources.modules {
        write_checked(&folder.join("src").join(name), text.as_bytes())?;
    }
    write_checked(&folder.join("src/main.rs"), sources.main.as_bytes())
}

/// Builds offline first, and with the registry only if a crate is not on this machine.
fn build(folder: &Path, target: &Path, flags: &str) -> Result<(), Unbuilt> {
    let (mut code, mut words) = cargo(folder, target, flags, &["--offline"])?;
    if words.contains("offline") {
        (code, words) = cargo(folder, target, flags, &[])?;
    }
    if code == Some(0) {
        return Ok(());
    }
    let message = format!("cargo refused the crate in {}", folder.display());
    let diagnostic = Diagnostic::error(Code::C602, &Element::root(), message);
    let hint = format!("cargo says\n{}", words.trim_end());
    Err(Unbuilt::Refused(diagnostic.hint(hint).into()))
}

/// The flags of the user's own crates do not apply to this one.
fn cargo(
    folder: &Path,
    target: &Path,
    flags: &str,
    more: &[&str],
) -> Result<(Option<i32>, String), Unbuilt> {
    let failed = |why: io::Error| {
        let message = format!("cargo cannot be started: {why}");
        Unbuilt::Absent(found(Code::C602, message))
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = guarded(cargo).map_err(failed)?;
    command.args(["build", "--release", "--quiet"]).args(more);
    command.current_dir(folder);
    command.env("CARGO_TARGET_DIR", target);
    command.env("RUSTFLAGS", flags);
    command.env_remove("CARGO_ENCODED_RUSTFLAGS");
    command.env_remove("CARGO_BUILD_TARGET");
    let (code, words) = finished(&mut command).map_err(failed)?;
    if code == Some(NOT_FOUND.into()) {
        let message = "`cargo` is not on the path";
        let diagnostic = Diagnostic::error(Code::C603, &Element::root(), message);
        let diagnostic = diagnostic.hint("install Rust, or add `--interpret`");
        return Err(Unbuilt::Absent(diagnostic.into()));
    }
    Ok((code, words))
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

    /// The processor features that `target-cpu=native` selects: different machines may share a cache.
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
