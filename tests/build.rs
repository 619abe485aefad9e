//! The gallery through the build helper, the four-bar once more in single precision, and what its tests
//! compare: the same mechanism in other formulations and with other joints cut.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use bellcrank_cli::generate::FAMILIES;
use bellcrank_compiler::build::{self, Error};
use bellcrank_compiler::description::{Formulation, Integrator, Method, Stabilizer};
use bellcrank_compiler::options::{Options, Scalar};

/// Models that tests include as they are. The others run in the gallery, as programs of their own.
const BUILT: [&str; 13] = [
    "four_bar",
    "spatial_four_bar",
    "spatial_slider_crank",
    "quick_return",
    "cam_pendulum",
    "rotating_end_pendulum",
    "double_action_press",
    "simple_pendulum",
    "double_four_bar",
    "flyball_governor",
    "five_arm_pendulum",
    "iltis_suspension",
    "yamaha_engine",
];

/// Models that are compared in all formulations.
const IN_EACH: [&str; 5] = [
    "four_bar",
    "spatial_slider_crank",
    "rotating_end_pendulum",
    "double_action_press",
    "double_four_bar",
];

/// Models that are compared in the default formulation and in absolute coordinates.
const IN_BODY: [&str; 4] = [
    "simple_pendulum",
    "flyball_governor",
    "five_arm_pendulum",
    "iltis_suspension",
];

/// Models that are compared in joint coordinates too.
const IN_JOINT: [&str; 6] = [
    "four_bar",
    "spatial_slider_crank",
    "rotating_end_pendulum",
    "double_four_bar",
    "five_arm_pendulum",
    "gear_rack_screw",
];

/// Models that are run with every stabilizer: the four of Marques, Souto and Flores, one with redundant rows and
/// one with singular positions.
const STABILIZED: [&str; 6] = [
    "four_bar",
    "spatial_slider_crank",
    "five_arm_pendulum",
    "iltis_suspension",
    "spatial_four_bar",
    "double_four_bar",
];

/// Models that are compared with springs for joints, at the step that these are for.
const WITH_SPRINGS: [&str; 5] = [
    "four_bar",
    "spatial_four_bar",
    "spatial_slider_crank",
    "rotating_end_pendulum",
    "simple_pendulum",
];

/// Springs of the simple pendulum that are written: 1 kg at 1000 rad/s, damped and not.
const SPRINGS: [(&str, &str); 2] = [
    ("soft", "stiffness = \"1e6 N/m\"\n"),
    ("undamped", "stiffness = \"1e6 N/m\"\ndamping = 0\n"),
];

/// Models with tangents, for implicit integrators.
const IMPLICIT: [(&str, Formulation); 4] = [
    ("four_bar", Formulation::Body),
    ("spatial_slider_crank", Formulation::Multiplier),
    ("flyball_governor", Formulation::Body),
    ("double_four_bar", Formulation::Momentum),
];

/// Mechanisms with singular positions, in `models/` here, and whether bodies are hinged to ground in the plane.
const SINGULAR: [(&str, bool); 12] = [
    ("parallelogram", true),
    ("antiparallelogram", true),
    ("driven", true),
    ("equal_slider", true),
    ("kite", true),
    ("spatial_parallelogram", false),
    ("toggle", true),
    ("even_parallelogram", false),
    ("crossed_slider", true),
    ("folded_bricard", false),
    ("turned_stewart", false),
    ("flat_delta", false),
];

/// Joints of the press to cut instead of those that the compiler would.
const CUTS: [(&str, &[&str]); 2] = [
    ("rocker", &["motor", "guide", "slide"]),
    ("holder", &["A", "D", "F"]),
];

fn main() -> Result<(), Error> {
    println!("cargo::rerun-if-changed=../models");
    println!("cargo::rerun-if-changed=models");
    for model in BUILT {
        build::compile(format!("../models/{model}/model.toml"))?;
    }
    let single = Options {
        scalar: Scalar::F32,
        ..Options::default()
    };
    variant("four_bar", "single", &single, str::to_owned)?;
    let single = Options {
        formulation: Some(Formulation::Joint),
        ..single
    };
    variant("four_bar", "joint_single", &single, str::to_owned)?;
    for (model, formulation) in IMPLICIT {
        let options = implicit(formulation);
        variant(model, "implicit", &options, str::to_owned)?;
    }
    let single = Options {
        scalar: Scalar::F32,
        ..implicit(Formulation::Body)
    };
    variant("four_bar", "implicit_single", &single, str::to_owned)?;
    for model in IN_EACH {
        formulations(model, "", &[])?;
    }
    for model in IN_BODY {
        formulation(model, "body", "", &[])?;
    }
    for model in IN_JOINT {
        formulation(model, "joint", "", &[])?;
    }
    for model in STABILIZED {
        stabilized(model)?;
    }
    for model in WITH_SPRINGS {
        for (name, step) in [("discrete", "1e-5 s"), ("fine", "2e-6 s")] {
            let edit = |text: &str| discrete(text, step);
            variant(model, name, &Options::default(), edit)?;
        }
    }
    for (name, spring) in SPRINGS {
        variant("simple_pendulum", name, &Options::default(), |text| {
            let head = "[joints.bar]\n";
            replaced(&discrete(text, "1e-4 s"), head, &format!("{head}{spring}"))
        })?;
    }
    for (tree, cuts) in CUTS {
        formulations("double_action_press", &format!("_on_{tree}"), cuts)?;
    }
    for (model, swings) in SINGULAR {
        singular(&format!("models/{model}.toml"), model, swings)?;
    }
    singular("../models/double_four_bar/model.toml", "level", true)?;
    with_parts()
}

/// `<name>_<formulation>` in each formulation that serves.
fn singular(original: &str, name: &str, swings: bool) -> Result<(), Error> {
    let all = [
        ("multiplier", Formulation::Multiplier),
        ("momentum", Formulation::Momentum),
        ("joint", Formulation::Joint),
        ("body", Formulation::Body),
        ("swing", Formulation::Swing),
    ];
    let n_served = if swings { all.len() } else { all.len() - 1 };
    for (word, formulation) in &all[..n_served] {
        let options = Options {
            formulation: Some(*formulation),
            ..Options::default()
        };
        rewritten(original, &format!("{name}_{word}"), &options, str::to_owned)?;
    }
    Ok(())
}

/// `kuka_kr15_parts`: the arm with four parts, three of them on three planes each, in absolute coordinates and with the
/// stabilizer of the paper.
fn with_parts() -> Result<(), Error> {
    let options = Options {
        formulation: Some(Formulation::Body),
        methods: vec![Method::Stabilizer(Stabilizer::SuccessiveProjection)],
        ..Options::default()
    };
    let families = FAMILIES.iter().filter(|family| family.name == "kuka");
    families
        .map(|family| (family.write)(4))
        .try_for_each(|text| variant("kuka_kr15", "parts", &options, |_| text.clone()))
}

/// `<model>_stabilized` in points and `<model>_stabilized_body`, with what every stabilizer needs.
fn stabilized(model: &str) -> Result<(), Error> {
    let methods = Stabilizer::ALL.map(Method::Stabilizer).to_vec();
    for (suffix, formulation) in [
        ("stabilized", Formulation::Multiplier),
        ("stabilized_body", Formulation::Body),
    ] {
        let options = Options {
            formulation: Some(formulation),
            methods: methods.clone(),
            ..Options::default()
        };
        variant(model, suffix, &options, str::to_owned)?;
    }
    Ok(())
}

fn implicit(formulation: Formulation) -> Options {
    Options {
        formulation: Some(formulation),
        methods: vec![Method::Integrator(Integrator::Bdf)],
        ..Options::default()
    }
}

/// The model in each formulation.
fn formulations(model: &str, suffix: &str, cuts: &[&str]) -> Result<(), Error> {
    let all = ["body", "particle/multiplier", "particle/momentum"];
    all.iter()
        .try_for_each(|word| formulation(model, word, suffix, cuts))
}

/// `<model>_<formulation><suffix>`, where the formulation is named by its last word.
fn formulation(model: &str, formulation: &str, suffix: &str, cuts: &[&str]) -> Result<(), Error> {
    let word = formulation.trim_start_matches("particle/");
    let name = format!("{word}{suffix}");
    variant(model, &name, &Options::default(), |text| {
        let key = format!("formulation = \"{formulation}\"\nspace =");
        let text = replaced(text, "space =", &key);
        cuts.iter().fold(text, |text, joint| {
            let head = format!("[joints.{joint}]\n");
            replaced(&text, &head, &format!("{head}cut = true\n"))
        })
    })
}

/// The text with springs for joints, without its own method and step.
fn discrete(text: &str, step: &str) -> String {
    let kept = |line: &&str| !line.starts_with("step =") && !line.starts_with("integrator =");
    let text: Vec<&str> = text.lines().filter(kept).collect();
    let text = replaced(
        &text.join("\n"),
        "space =",
        "formulation = \"discrete\"\nspace =",
    );
    let head = "[simulation]\n";
    replaced(&text, head, &format!("{head}step = \"{step}\"\n"))
}

fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "the model has no `{from}`");
    text.replacen(from, to, 1)
}

/// The file's name names the module, so the same mechanism a second time needs another one.
fn variant(
    model: &str,
    suffix: &str,
    options: &Options,
    edit: impl Fn(&str) -> String,
) -> Result<(), Error> {
    let original = format!("../models/{model}/model.toml");
    rewritten(&original, &format!("{model}_{suffix}"), options, edit)
}

/// The mechanism of a file under another name.
fn rewritten(
    original: &str,
    name: &str,
    options: &Options,
    edit: impl Fn(&str) -> String,
) -> Result<(), Error> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let path = out.join(format!("{name}.toml"));
    rewrite(original.as_ref(), &path, edit).map_err(|reason| Error::Write {
        path: path.clone(),
        reason,
    })?;
    build::compile_with(path, options)
}

/// With the time of the original: cargo would take a newer file for a changed one, in every build.
fn rewrite(from: &Path, to: &Path, edit: impl Fn(&str) -> String) -> io::Result<()> {
    fs::write(to, edit(&fs::read_to_string(from)?))?;
    let modified = fs::metadata(from)?.modified()?;
    File::options().write(true).open(to)?.set_modified(modified)
}
