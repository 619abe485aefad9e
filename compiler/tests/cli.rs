//! The command as a person uses it.
#![cfg(feature = "cli")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for each test, with its own cache; removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("bellcrank-cli-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bellcrank"));
        command
            .args(arguments)
            .current_dir(&self.0)
            .env("BELLCRANK_CACHE", self.0.join("cache"));
        command
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

#[test]
fn explain_tells_title_and_text() {
    let folder = Folder::new("explain");
    let output = folder.run(&["explain", "m203"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).starts_with("M203: joint from a body to itself\n\n"));
    let guesses = folder.run(&["explain", "M216"]);
    assert!(stdout(&guesses).contains("the guess of positions"));
    let unknown = folder.run(&["explain", "X999"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stderr(&unknown).contains("no code `X999`"));
    let hint = "= hint: `bellcrank explain` lists all\n";
    assert!(stderr(&unknown).ends_with(hint), "{}", stderr(&unknown));
    let near = folder.run(&["explain", "m2o3"]);
    assert!(
        stderr(&near).contains("did you mean `M203`?"),
        "{}",
        stderr(&near)
    );
    assert!(stdout(&folder.run(&["explain"])).contains("T303  redundant constraints\n"));
}

#[test]
fn schema_is_json_with_the_keys_of_a_description() {
    let output = Folder::new("schema").run(&["schema"]);
    let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in ["bodies", "joints", "simulation"] {
        assert!(schema["properties"][key].is_object(), "{key}");
    }
}

#[test]
fn a_missing_file_is_a_finding_and_a_wrong_command_is_not() {
    let folder = Folder::new("missing");
    let missing = folder.run(&["check", "nowhere.toml"]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        stderr(&missing).starts_with("error[D105]: "),
        "{}",
        stderr(&missing)
    );
    assert_eq!(folder.run(&["chekc"]).status.code(), Some(2));
    assert_eq!(folder.run(&["run"]).status.code(), Some(2));
}

#[test]
fn a_syntax_error_has_a_place_in_text_and_json() {
    let folder = Folder::new("syntax");
    folder.write("a.toml", "name = \"A\"\nspace = = 1\n");
    let text = folder.run(&["check", "a.toml"]);
    assert_eq!(text.status.code(), Some(1));
    assert!(stderr(&text).contains("--> a.toml:2:"), "{}", stderr(&text));
    assert!(stdout(&text).is_empty());
    let json = folder.run(&["--json-diagnostics", "check", "a.toml"]);
    let first = stderr(&json).lines().next().unwrap();
    let finding: serde_json::Value = serde_json::from_str(first).unwrap();
    assert_eq!(finding["code"], "D101");
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["place"]["file"], "a.toml");
    assert_eq!(finding["place"]["line"], 2);
    let drawn = folder.run(&["--color", "always", "check", "a.toml"]);
    assert!(stderr(&drawn).contains("error[D101]"), "{}", stderr(&drawn));
}

#[test]
fn emit_compiles_once_and_gives_the_same_bytes_from_the_cache() {
    let folder = Folder::new("emit");
    folder.write("four_bar.toml", include_str!("../templates/four_bar.toml"));
    let first = folder.run(&["emit", "four_bar.toml"]);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    assert!(stdout(&first).contains("pub struct FourBar"));
    let second = folder.run(&["emit", "four_bar.toml"]);
    assert_eq!(first.stdout, second.stdout);
    assert!(!stderr(&second).contains("Symbolica"));
    assert_eq!(entries(&folder.0.join("cache/modules")), 1);
}

#[test]
fn operations_are_counted_in_one_way() {
    let folder = Folder::new("counts");
    folder.write("four_bar.toml", include_str!("../templates/four_bar.toml"));
    let line = |arguments: &[&str], start: &str| {
        let output = folder.run(arguments);
        let mut lines = stdout(&output).lines().map(str::trim);
        let line = lines.find(|line| line.starts_with(start)).unwrap();
        let numbers = line.split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<u32> = numbers.filter_map(|word| word.parse().ok()).collect();
        numbers[numbers.len() - 2..].to_vec()
    };
    let check = line(&["check", "four_bar.toml"], "Accelerate ");
    let header = line(&["emit", "four_bar.toml"], "/// | `accelerate` |");
    let kernel = ["emit", "four_bar.toml", "--stage", "kernel"];
    assert_eq!(check, header);
    assert_eq!(check, line(&kernel, "function Accelerate: "));
}

#[test]
fn a_cache_that_cannot_be_written_fails_no_build() {
    let folder = Folder::new("unwritable");
    folder.write("four_bar.toml", include_str!("../templates/four_bar.toml"));
    folder.write("cache", "a file where a folder should be");
    let output = folder.run(&["emit", "four_bar.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_parameter_that_does_not_exist_is_told_before_anything_is_built() {
    let folder = Folder::new("set");
    folder.write("four_bar.toml", include_str!("../templates/four_bar.toml"));
    let output = folder.run(&["run", "four_bar.toml", "--set", "dampnig=1"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("error[C605]"),
        "{}",
        stderr(&output)
    );
    assert!(!folder.0.join("cache/programs").exists());
}

#[test]
fn hidden_commands_are_not_suggested() {
    let output = Folder::new("hidden").run(&["compile", "a.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!stderr(&output).contains("__"), "{}", stderr(&output));
}

#[test]
fn the_terms_of_symbolica_are_told_only_if_algebra_starts() {
    let folder = Folder::new("notice");
    let good = include_str!("../templates/four_bar.toml");
    folder.write(
        "bad.toml",
        &good.replacen("mass = \"0.2 kg\"", "mass = -1", 1),
    );
    let bad = folder.run(&["check", "bad.toml"]);
    assert_eq!(bad.status.code(), Some(1));
    assert!(stderr(&bad).starts_with("error[M206]"), "{}", stderr(&bad));
}

#[test]
fn an_interpreted_run_needs_no_algebra_once_compiled_and_counts_like_a_native_one() {
    let folder = Folder::new("interpret");
    folder.write("four_bar.toml", include_str!("../templates/four_bar.toml"));
    assert_eq!(
        folder.run(&["check", "four_bar.toml"]).status.code(),
        Some(0)
    );
    let run = ["run", "four_bar.toml", "--interpret", "--until", "0.1"];
    let output = folder.run(&run);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(
        !stderr(&output).contains("Symbolica"),
        "{}",
        stderr(&output)
    );
    assert!(
        stderr(&output).starts_with("100 steps, 401 evaluations, "),
        "{}",
        stderr(&output)
    );
    let csv = fs::read_to_string(folder.0.join("four_bar.csv")).unwrap();
    assert_eq!(csv.lines().count(), 102);
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_anything_is_built() {
    let folder = Folder::new("csv");
    folder.write("four_bar.toml", include_str!("../templates/four_bar.toml"));
    for file in ["nowhere/x.csv", "."] {
        let output = folder.run(&["run", "four_bar.toml", "--csv", file]);
        assert_eq!(output.status.code(), Some(1));
        let told = format!("error[C601]: cannot write {file}: ");
        assert!(stderr(&output).contains(&told), "{}", stderr(&output));
        assert!(!folder.0.join("cache/programs").exists());
    }
}

#[test]
fn a_run_that_stops_says_why() {
    let folder = Folder::new("stops");
    folder.write("four_bar.toml", include_str!("../templates/four_bar.toml"));
    let coarse = ["--step", "0.5", "--until", "20"];
    let output = folder.run(&[&["run", "four_bar.toml", "--interpret"], &coarse[..]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("error[C604]: "),
        "{}",
        stderr(&output)
    );
    assert!(!folder.0.join("four_bar.csv").exists());
}

#[test]
fn a_machine_without_cargo_is_told_what_to_do() {
    let folder = Folder::new("no-cargo");
    folder.write("four_bar.toml", include_str!("../templates/four_bar.toml"));
    let mut command = folder.command(&["run", "four_bar.toml"]);
    let output = command
        .env_remove("CARGO")
        .env("PATH", "")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("error[C603]: "),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("--interpret"));
}

#[test]
#[cfg(unix)]
fn the_words_of_a_cargo_that_fails_are_shown() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("bad-cargo");
    let model = include_str!("../templates/four_bar.toml");
    folder.write("four_bar.toml", &model.replacen("FourBar", "four_bar", 1));
    folder.write(
        "cargo",
        "#!/bin/sh\necho 'error: linker not found' >&2\nexit 101\n",
    );
    let cargo = folder.0.join("cargo");
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = folder.command(&["run", "four_bar.toml"]);
    let output = command.env("CARGO", cargo).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("error[C602]: "),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("error: linker not found"));
    let programs = fs::read_dir(folder.0.join("cache/programs")).unwrap();
    let program = programs.map(|entry| entry.unwrap().path()).next().unwrap();
    let text = |name: &str| fs::read_to_string(program.join("src").join(name)).unwrap();
    assert!(text("model.rs").contains("pub struct FourBar "));
    assert!(
        text("main.rs").contains("<model::FourBar, "),
        "{}",
        text("main.rs")
    );
}

#[test]
fn new_writes_a_crate_and_overwrites_nothing() {
    let folder = Folder::new("new");
    let output = folder.run(&["new", "four-bar"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("--path"), "{}", stderr(&output));
    let crate_folder = folder.0.join("four-bar");
    let manifest = fs::read_to_string(crate_folder.join("Cargo.toml")).unwrap();
    let manifest: toml::Table = toml::from_str(&manifest).unwrap();
    assert_eq!(manifest["package"]["name"].as_str(), Some("four-bar"));
    assert_eq!(manifest["dependencies"]["bellcrank"].as_str(), Some("0.1"));
    let main = fs::read_to_string(crate_folder.join("src/main.rs")).unwrap();
    assert!(main.contains("FourBar::default()"));
    fs::write(crate_folder.join("model.toml"), "mine").unwrap();
    let again = folder.run(&["new", "four-bar"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(stderr(&again).contains("error[C601]"));
    assert_eq!(
        fs::read_to_string(crate_folder.join("model.toml")).unwrap(),
        "mine"
    );
    assert_eq!(folder.run(&["new", "4bar"]).status.code(), Some(1));
    let nowhere = folder.run(&["new", "press", "--path", "nowhere"]);
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(stderr(&nowhere).contains("`nowhere` is no checkout of Bellcrank"));
    assert!(!folder.0.join("press").exists());
}

/// After a change that is meant: `bellcrank formulations` prints the new table.
#[test]
fn the_table_of_formulations_is_up_to_date() {
    let folder = Folder::new("formulations");
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    let mut command = folder.command(&["formulations"]);
    let output = command.current_dir(models.join("..")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("four_bar ("));
    let page = fs::read_to_string(models.join("FORMULATIONS.md")).unwrap();
    let table = stdout(&output);
    assert!(
        page.contains(&format!("\n\n{table}\n")),
        "models/FORMULATIONS.md should have\n{table}"
    );
}

/// After a change that is meant: `bellcrank formulations --chains` prints the new table. Here are those lines
/// that take little time; columns are as wide as the longest number, so cells are compared.
#[test]
fn the_table_of_chains_is_up_to_date() {
    let folder = Folder::new("chains");
    let output = folder.run(&["formulations", "--chains", "--bodies", "5,1,2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("planar revolute, n = 5 (3 of 9)"));
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models");
    let page = fs::read_to_string(models.join("FORMULATIONS.md")).unwrap();
    let rows = |text: &str| -> Vec<String> {
        let cells = |line: &str| line.split('|').map(str::trim).collect::<Vec<_>>().join("|");
        let lines = text.lines().filter(|line| !line.contains("---"));
        lines.map(cells).collect()
    };
    let (known, found) = (rows(&page), rows(stdout(&output)));
    // A line of titles, then three kinds in four formulations and three lengths, and the planar one in one more.
    assert_eq!(found.len(), 40, "{}", stdout(&output));
    for row in found {
        assert!(
            known.contains(&row),
            "models/FORMULATIONS.md should have {row}"
        );
    }
}

#[test]
fn chains_come_as_json_and_take_no_models() {
    let folder = Folder::new("chains-json");
    let output = folder.run(&["formulations", "--chains", "--bodies", "1", "--json"]);
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(list[1]["chain"], "spatial revolute");
    assert_eq!(list[1]["bodies"], 1);
    assert_eq!(list[1]["candidates"].as_array().unwrap().len(), 4);
    for wrong in [
        &["--chains", "a.toml"][..],
        &["--chains", "--bodies", "0"],
        &["--bodies", "1"],
    ] {
        let output = folder.run(&[&["formulations"], wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn formulations_come_as_json_and_from_files_that_are_named() {
    let folder = Folder::new("formulations-json");
    let none = folder.run(&["formulations"]);
    assert_eq!(none.status.code(), Some(1));
    assert!(
        stderr(&none).starts_with("error[C605]: "),
        "{}",
        stderr(&none)
    );
    folder.write("four_bar.toml", include_str!("../templates/four_bar.toml"));
    let output = folder.run(&["formulations", "--json", "four_bar.toml"]);
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(list[0]["model"], "four_bar");
    let candidates = list[0]["candidates"].as_array().unwrap();
    let kept = candidates.iter().filter(|one| one["kept"] == true).count();
    assert_eq!(kept, 1, "{list}");
    let check = folder.run(&["check", "--formulation", "auto", "four_bar.toml"]);
    for one in candidates {
        let name = one["formulation"].as_str().unwrap();
        assert!(stdout(&check).contains(name), "{}", stdout(&check));
    }
    let wrong = folder.run(&["check", "--formulation", "partcle", "four_bar.toml"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        stderr(&wrong).contains("particle/multiplier"),
        "{}",
        stderr(&wrong)
    );
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

/// A thin rod that a revolute joint turns: in points no order of pivots is safe, so every evaluation is
/// dense, and the motion is that of the body.
#[test]
fn a_thin_rod_runs_in_bodies_and_in_points() {
    let folder = Folder::new("thin");
    let text = "space = 'spatial'
        gravity = [0, -9.81, 0]
        bodies.rod = { mass = 2, inertia = [0.24, 0, 0.24], center = [0, -0.6, 0], orientation = { axis = 'z', angle = 0.4 } }
        joints.A = { type = 'revolute', between = ['ground', 'rod'], axis = 'z' }
        outputs.angle = 'A.angle'";
    let angles = ["body", "particle"].map(|formulation| {
        let file = format!("{formulation}.toml");
        folder.write(&file, &format!("formulation = '{formulation}'\n{text}"));
        let output = folder.run(&["run", &file, "--interpret", "--until", "0.5"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let csv = fs::read_to_string(folder.0.join(format!("{formulation}.csv"))).unwrap();
        let last = csv.lines().last().unwrap();
        last.split(',').nth(1).unwrap().parse::<f64>().unwrap()
    });
    // Two solves, projected at each step: round-off.
    assert!((angles[0] - angles[1]).abs() < 1e-10, "{angles:?}");
    let points = folder.run(&["emit", "particle.toml", "--stage", "topology"]);
    assert!(
        stdout(&points).contains("points of rod\n  A at [0, 0.6, 0], taken over from ground\n")
    );
    let body = folder.run(&["emit", "body.toml", "--stage", "topology"]);
    assert_eq!(stdout(&body), "body rod on ground by A (revolute)\n");
}
