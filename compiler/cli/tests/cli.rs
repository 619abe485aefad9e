//! The command as a person uses it.

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
    assert!(
        stdout(&output)
            .ends_with("Example:\n\n    [joints.B]\n    between = [\"rod.end\", \"rod\"]\n")
    );
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
    let check = line(&["check", "--operations", "four_bar.toml"], "Accelerate ");
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
    assert_eq!(stdout(&output), "four-bar is written\n");
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

#[test]
fn new_knows_every_model_of_the_gallery() {
    let folder = Folder::new("gallery");
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for entry in fs::read_dir(models).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = fs::read_to_string(path.join("model.toml")) else {
            continue;
        };
        let name = path.file_name().unwrap().to_str().unwrap();
        let output = folder.run(&["new", name, "--model", name]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let model = fs::read_to_string(folder.0.join(name).join("model.toml")).unwrap();
        assert_eq!(model, text);
        let main = fs::read_to_string(folder.0.join(name).join("src/main.rs")).unwrap();
        assert!(
            !main.contains(['«', '»']) && !main.contains("{type}"),
            "{main}"
        );
    }
    let main = fs::read_to_string(folder.0.join("yamaha_engine/src/main.rs")).unwrap();
    for part in [
        "Rk2::new(2e-3)",
        "SuccessiveProjection::default()",
        "until(10.0)",
    ] {
        assert!(main.contains(part), "{main}");
    }
    let wrong = folder.run(&["new", "x", "--model", "for_bar"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(
        stderr(&wrong).contains("did you mean `four_bar`?"),
        "{}",
        stderr(&wrong)
    );
}

/// The example of a generated module that people read. After a change that is meant:
/// `bellcrank emit models/four_bar/model.toml > models/four_bar/four_bar.rs` writes it anew.
#[test]
fn the_module_of_the_four_bar_is_what_emit_prints() {
    let folder = Folder::new("module");
    let four_bar = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/four_bar");
    let mut command = folder.command(&["emit", "models/four_bar/model.toml"]);
    let output = command
        .current_dir(four_bar.join("../.."))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let committed = fs::read_to_string(four_bar.join("four_bar.rs")).unwrap();
    assert!(
        committed == stdout(&output),
        "models/four_bar/four_bar.rs is not what emit prints. If that is meant, run \
         `bellcrank emit models/four_bar/model.toml > models/four_bar/four_bar.rs`"
    );
}

/// After a change that is meant: `bellcrank formulations` prints the new table.
#[test]
fn the_table_of_formulations_is_up_to_date() {
    let folder = Folder::new("formulations");
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
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
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
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
    let auto = ["check", "--operations", "--formulation", "auto"];
    let check = folder.run(&[&auto[..], &["four_bar.toml"]].concat());
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

const FOUR_BAR: &str = include_str!("../templates/four_bar.toml");

/// The four-bar with a coupler of another length.
fn with_coupler(length: &str) -> String {
    let follows = FOUR_BAR.split_once("[bodies.coupler]").unwrap().1;
    let coupler = follows.split_once("[bodies.follower]").unwrap().0;
    FOUR_BAR.replace(
        coupler,
        &coupler.replace("[\"300 mm\", 0]", &format!("[{length:?}, 0]")),
    )
}

#[test]
fn check_answers_with_what_assemble_knows() {
    let folder = Folder::new("open");
    folder.write("long.toml", &with_coupler("700 mm"));
    let output = folder.run(&["check", "long.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(
        said.contains("error[T305]: joint `C` does not close: it stays open by 50 mm"),
        "{said}"
    );
    assert!(said.contains("`coupler` 50 mm shorter"), "{said}");
    assert_eq!(said.matches("error[").count(), 1, "{said}");
    folder.write("metres.toml", &with_coupler("3000 mm"));
    let output = folder.run(&["check", "metres.toml"]);
    let said = stderr(&output);
    assert!(
        said.contains("`coupler` is 3 m long from joint to joint"),
        "{said}"
    );
    assert!(said.contains("check its unit"), "{said}");
}

#[test]
fn two_motors_on_one_degree_of_freedom_contradict_each_other() {
    let folder = Folder::new("motors");
    let driven = |joint: &str, text: &str| {
        let at = format!("\n{joint} = {{ type = \"revolute\",");
        text.replace(&at, &format!("{at} motion = {{ angle = \"2 * t\" }},"))
    };
    folder.write("motors.toml", &driven("D", &driven("A", FOUR_BAR)));
    let output = folder.run(&["check", "motors.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    let expect = "the motions of joints `A` and `D` contradict each other: the joints leave 1 degree of freedom";
    assert!(said.contains(expect), "{said}");
    assert!(
        said.contains("= hint: remove the `motion` of `D`, or of `A`"),
        "{said}"
    );
    assert_eq!(said.matches("error[").count(), 1, "{said}");
}

#[test]
fn check_tells_degrees_of_freedom_first_and_operations_on_request() {
    let folder = Folder::new("summary");
    folder.write("four_bar.toml", FOUR_BAR);
    let output = folder.run(&["check", "four_bar.toml"]);
    let mut lines = stdout(&output).lines();
    assert_eq!(lines.next(), Some("FourBar, planar"));
    let freedom = lines.next().unwrap().split_whitespace().last();
    assert_eq!(freedom, Some("1"), "{}", stdout(&output));
    assert!(stdout(&output).contains("C closes D – A – B"));
    assert!(!stdout(&output).contains("weighted"), "{}", stdout(&output));
    let more = folder.run(&["check", "--operations", "four_bar.toml"]);
    assert!(stdout(&more).starts_with(stdout(&output)));
    assert!(stdout(&more).contains("weighted"));
}

#[test]
fn check_takes_several_files_and_gives_json() {
    let folder = Folder::new("several");
    folder.write("good.toml", FOUR_BAR);
    folder.write("bad.toml", &FOUR_BAR.replacen("0.2 kg", "-1 kg", 1));
    let output = folder.run(&["check", "bad.toml", "good.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("--> bad.toml:"),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains("degrees of freedom"));
    let output = folder.run(&["check", "--json", "bad.toml", "good.toml"]);
    assert_eq!(output.status.code(), Some(1));
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(list[0]["ok"], false);
    assert_eq!(list[0]["found"][0]["code"], "M206");
    assert_eq!(list[0]["found"][0]["place"]["file"], "bad.toml");
    assert_eq!(list[1]["ok"], true);
    assert_eq!(list[1]["degrees_of_freedom"], 1);
    assert_eq!(list[1]["loops"], serde_json::json!([["C", "D", "A", "B"]]));
    assert_eq!(list[1]["formulation"], "particle/swing");
}

#[test]
fn a_description_comes_by_stdin() {
    use std::io::Write;
    use std::process::Stdio;
    let folder = Folder::new("stdin");
    let given = |arguments: &[&str], text: &str| {
        let mut command = folder.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        child.wait_with_output().unwrap()
    };
    let output = given(&["check", "-"], FOUR_BAR);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("FourBar, planar"));
    let nameless = FOUR_BAR.replacen("name = \"FourBar\"\n", "", 1);
    let wrong = given(&["check", "-"], &nameless.replacen("0.2 kg", "0.2 pigs", 1));
    assert!(stderr(&wrong).contains("--> stdin:"), "{}", stderr(&wrong));
    let json =
        r#"{ "space": "planar", "bodies": { "a": { "mass": 1, "inertia": 1, "free": true } } }"#;
    let output = given(&["emit", "-"], json);
    assert!(
        stdout(&output).contains("pub struct Stdin"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn shells_and_manuals_know_the_command() {
    let folder = Folder::new("man");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = folder.run(&["completions", shell]);
        assert!(stdout(&output).contains("kinematics"), "{shell}");
    }
    let page = folder.run(&["man"]);
    assert!(
        stdout(&page).contains(".TH bellcrank 1"),
        "{}",
        stdout(&page)
    );
    let page = folder.run(&["man", "check"]);
    assert!(
        stdout(&page).contains("\\-\\-operations"),
        "{}",
        stdout(&page)
    );
    let wrong = folder.run(&["man", "chekc"]);
    assert!(
        stderr(&wrong).contains("did you mean `check`?"),
        "{}",
        stderr(&wrong)
    );
    assert_eq!(folder.run(&["man", "--out", "."]).status.code(), Some(0));
    assert!(folder.0.join("bellcrank.1").is_file() && folder.0.join("bellcrank-run.1").is_file());
}

#[test]
fn the_cache_is_shown_and_cleared_and_nothing_else() {
    let folder = Folder::new("clear");
    folder.write("four_bar.toml", FOUR_BAR);
    folder.run(&["emit", "four_bar.toml"]);
    folder.write("cache/mine.txt", "kept");
    let shown = folder.run(&["cache"]);
    let root = folder.0.join("cache");
    assert!(
        stdout(&shown).starts_with(root.to_str().unwrap()),
        "{}",
        stdout(&shown)
    );
    assert!(stdout(&shown).contains("1 files"), "{}", stdout(&shown));
    let cleared = folder.run(&["cache", "--clear"]);
    assert_eq!(cleared.status.code(), Some(0), "{}", stderr(&cleared));
    assert!(
        stdout(&cleared).starts_with("removed "),
        "{}",
        stdout(&cleared)
    );
    assert!(!root.join("modules").exists());
    assert!(root.join("mine.txt").is_file());
    assert_eq!(folder.run(&["cache", "--clear"]).status.code(), Some(0));
}

/// A spring of 1e9 N/m on half a kilogram swings within 0.1 ms.
#[test]
fn a_spring_too_stiff_for_its_step_is_told_with_figures() {
    let folder = Folder::new("stiff");
    let spring = |stiffness: &str| {
        FOUR_BAR.replace(
            "[forces]\n",
            &format!(
                "[forces]\nstiff = {{ type = \"spring\", between = [\"ground.A\", \"coupler.tip\"], stiffness = {stiffness}, free = 0.3 }}\n"
            ),
        )
    };
    folder.write("stiff.toml", &spring("1e9"));
    let run = ["run", "stiff.toml", "--interpret", "--until", "0.1"];
    let output = folder.run(&run);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("`rk4` is stable below steps of "), "{said}");
    assert!(
        said.contains("`--integrator bdf`") && said.contains("`--step "),
        "{said}"
    );
    folder.write("lossy.toml", &spring("1e6"));
    let run = ["run", "lossy.toml", "--interpret", "--until", "0.5"];
    let output = folder.run(&run);
    let said = stderr(&output);
    assert!(
        said.contains("warning[C609]: the balance of energy is off by "),
        "{said}"
    );
    assert!(said.contains("`--integrator bdf`"), "{said}");
    folder.write("soft.toml", FOUR_BAR);
    let output = folder.run(&["run", "soft.toml", "--interpret", "--until", "0.5"]);
    assert!(!stderr(&output).contains("C609"), "{}", stderr(&output));
}

#[test]
fn inputs_and_parameters_are_told_apart_and_take_units() {
    let folder = Folder::new("units");
    let text = FOUR_BAR.replace(
        "[parameters]\n",
        "[inputs]\neffort = \"0 Nm\"\n\n[parameters]\nover = \"5 deg\"\n",
    );
    folder.write("a.toml", &text);
    let said = |arguments: &[&str]| stderr(&folder.run(arguments)).to_owned();
    let swept = said(&["sweep", "a.toml", "--param", "effort=0:1:3"]);
    assert!(
        swept.contains("`effort` is an input: write `--vary-input effort=…`"),
        "{swept}"
    );
    let set = said(&["run", "a.toml", "--set", "effort=1"]);
    assert!(
        set.contains("`effort` is an input: write `--input effort=…`"),
        "{set}"
    );
    let input = said(&["run", "a.toml", "--input", "over=1"]);
    assert!(
        input.contains("`over` is a parameter: write `--set over=…`"),
        "{input}"
    );
    let run = ["run", "a.toml", "--interpret", "--until", "0.01", "--set"];
    let degrees = folder.run(&[&run[..], &["over=6 deg"]].concat());
    assert_eq!(degrees.status.code(), Some(0), "{}", stderr(&degrees));
    let comma = said(&[&run[..], &["over=6,5 deg"]].concat());
    assert!(comma.contains("write `6.5`"), "{comma}");
    let metres = said(&[&run[..], &["over=6 mm"]].concat());
    assert!(metres.contains("error[D109]"), "{metres}");
}

/// A rod of negative length has negative mass, with which a run would give numbers without meaning.
#[test]
fn values_that_the_description_does_not_allow_are_refused() {
    let folder = Folder::new("not_allowed");
    let text = "space = \"planar\"\ngravity = [0, -9.81]\nparameters.l = \"100 mm\"\n\
                bodies.rod.shape = { type = \"rod\", length = \"l\", density = 8000, radius = \"5 mm\" }\n\
                joints.A = { type = \"revolute\", between = [\"ground\", \"rod\"] }\noutputs.a = \"A.angle\"\n";
    folder.write("a.toml", text);
    let refused = |arguments: &[&str]| {
        let output = folder.run(arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("M212"), "{said}");
        assert!(said.contains("with l = -0.1"), "{said}");
    };
    let run = ["run", "a.toml", "--interpret", "--until", "0.01", "--set"];
    refused(&[&run[..], &["l=-100 mm"]].concat());
    refused(&["statics", "a.toml", "--set", "l=-0.1"]);
    refused(&["sweep", "a.toml", "--param", "l=-0.1:0.1:3"]);
    let allowed = folder.run(&[&run[..], &["l=50 mm"]].concat());
    assert_eq!(allowed.status.code(), Some(0), "{}", stderr(&allowed));
}

#[test]
fn an_interpreted_run_that_does_not_assemble_names_the_joint() {
    let folder = Folder::new("open_interpreted");
    let text = FOUR_BAR.replace("A = [0, 0]", "A = [\"-far\", 0]");
    let text = text.replace("[parameters]\n", "[parameters]\nfar = 0\n");
    folder.write("a.toml", &text);
    let run = ["run", "a.toml", "--interpret", "--until", "0.01", "--set"];
    let output = folder.run(&[&run[..], &["far=9"]].concat());
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let said = said.replace(['\n', '│'], " ");
    assert!(
        said.contains("does not assemble with these values: joint `"),
        "{said}"
    );
}

/// A parallelogram whose bars lie on one line has two ways to go on, and only native code finds the one of its
/// velocity.
#[test]
fn an_interpreted_run_refuses_a_singular_position() {
    let folder = Folder::new("singular_interpreted");
    let bar = |name: &str, x: f64| {
        format!(
            "[bodies.{name}]\nmass = 1\ninertia = 0.1\nposition = [{x}, 0]\n\
             points = {{ a = [-0.5, 0], b = [0.5, 0] }}\n"
        )
    };
    let coupler = "[bodies.coupler]\nmass = 1\ninertia = 0.1\nposition = [2, 0]\npoints = { a = [-1, 0], b = [1, 0] }\n";
    let pins = [
        ("ground.A", "left.a"),
        ("left.b", "coupler.a"),
        ("coupler.b", "right.b"),
        ("ground.B", "right.a"),
    ];
    let pins = pins.iter().enumerate().map(|(n, (one, two))| {
        format!("[joints.J{n}]\ntype = \"revolute\"\nbetween = [\"{one}\", \"{two}\"]\n")
    });
    let text = format!(
        "name = \"Level\"\nspace = \"planar\"\ngravity = [0, -9.81]\n[simulation]\nuntil = 0.1\nstep = 1e-3\n\
         [ground.points]\nA = [0, 0]\nB = [2, 0]\n{}{}{coupler}{}",
        bar("left", 0.5),
        bar("right", 2.5),
        pins.collect::<String>()
    );
    folder.write("level.toml", &text);
    let output = folder.run(&["run", "level.toml", "--interpret"]);
    let said = stderr(&output).replace(['\n', '│'], " ");
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("singular position at 0 s"), "{said}");
    assert!(said.contains("leave out `--interpret`"), "{said}");
}

/// As `bellcrank run … --out - | head -1` does. The rows are more than a pipe holds.
#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    let folder = Folder::new("head");
    folder.write("four_bar.toml", FOUR_BAR);
    let mut command = folder.command(&["run", "four_bar.toml", "--interpret", "--out", "-"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    let mut rows = BufReader::new(child.stdout.take().unwrap());
    rows.read_line(&mut line).unwrap();
    drop(rows);
    let output = child.wait_with_output().unwrap();
    assert!(line.starts_with("time,crank,"), "{line}");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(!stderr(&output).contains("error"), "{}", stderr(&output));
}
