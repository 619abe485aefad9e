//! Generated code compiles against the runtime without a warning, even if a program uses little of it, and gives the
//! numbers of the kernel.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::random::{SIZE, function, interpret};
use super::rolled::there_and_back;
use super::sample;
use crate::assembly::Assembly;
use crate::emit::{Header, Names, format, signatures, tokens};
use crate::kernel::{Function, Kernel, Sizes, Solve};
use crate::options::{Lanes, Options, Scalar};

#[test]
fn emitted_code_is_clean_and_computes_what_the_kernel_says() {
    let directory = root().join("target/tmp/emit-check");
    let (mechanisms, checks) = random();
    let (loops, loop_checks) = rolled();
    let (mechanisms, checks) = ([mechanisms, loops].concat(), [checks, loop_checks].concat());
    write(&directory, "Cargo.toml", &manifest());
    write(
        &directory,
        "src/mechanisms.rs",
        &format!("{}{}{mechanisms}", samples(), near_constants()),
    );
    write(
        &directory,
        "src/lib.rs",
        "//! Everything that is public.\n#![deny(missing_docs)]\n/// The mechanisms.\npub mod mechanisms;\n",
    );
    write(&directory, "src/main.rs", &program(&checks));
    // The versions of the workspace, so that nothing has to be fetched.
    std::fs::copy(root().join("Cargo.lock"), directory.join("Cargo.lock")).expect("a lock file");
    cargo(
        &directory,
        &[
            "clippy",
            "--offline",
            "--quiet",
            "--",
            "-D",
            "warnings",
            "-D",
            "clippy::all",
        ],
    );
    cargo(&directory, &["run", "--offline", "--quiet"]);
}

/// Whole and in pieces, in both precisions, for any number type, without a kernel, and with nothing in it.
fn samples() -> String {
    let options = Options::default();
    let pieces = Options {
        piece: 2,
        ..Options::default()
    };
    let single = Options {
        scalar: Scalar::F32,
        piece: 5,
        ..Options::default()
    };
    let lanes = Options {
        lanes: Lanes::Any,
        ..Options::default()
    };
    let lanes_in_pieces = Options {
        lanes: Lanes::Any,
        ..single.clone()
    };
    let (header, names) = (Header::default(), Names::default());
    let empty = sample::empty("Nothing");
    [
        sample::module("Press", &options),
        sample::module("pieces of a press", &pieces),
        sample::module("RSSR", &single),
        sample::module("Many presses", &lanes),
        sample::module("T", &lanes_in_pieces),
        signatures(
            &sample::model("Signatures"),
            &sample::names(),
            &header,
            &options,
        ),
        signatures(&sample::hostile(), &names, &header, &options),
        tokens(
            &empty,
            &names,
            &Assembly::default(),
            &Kernel::default(),
            &header,
            &options,
        ),
    ]
    .into_iter()
    .chain(PRELUDE.map(|name| sample::module(name, &options)))
    .map(|tokens| format(tokens).expect("the module parses"))
    .collect()
}

/// Names that generated code must not mean by accident: a mechanism may have them.
const PRELUDE: [&str; 10] = [
    "Result",
    "Option",
    "Default",
    "Clone",
    "Debug",
    "Mechanism",
    "Real",
    "Cell",
    "SVector",
    "PI",
];

/// Names that locals must not have as they are.
const HOSTILE: [&str; 14] = [
    "t0", "q", "out", "fused", "type", "a b", "a_b", "table", "Real", "f64", "foo", "self",
    "kept_0_1", "given",
];

/// A mechanism whose start is made of constants that clippy knows, truncated and rounded.
fn near_constants() -> String {
    use std::f64::consts::*;
    let constants = [
        E,
        FRAC_1_PI,
        FRAC_1_SQRT_2,
        FRAC_PI_6,
        LN_2,
        LN_10,
        LOG10_2,
        PI,
        SQRT_2,
        TAU,
    ];
    let more = [
        FRAC_2_PI,
        FRAC_2_SQRT_PI,
        FRAC_PI_2,
        FRAC_PI_3,
        FRAC_PI_8,
        LOG2_10,
        1.618033988749895,
    ];
    let mut values = Vec::new();
    for (constant, digits) in constants
        .iter()
        .chain(&more)
        .flat_map(|c| (1..17).map(move |k| (c, k)))
    {
        let scale = 10_f64.powi(digits);
        values.extend([
            *constant,
            (constant * scale).trunc() / scale,
            (constant * scale).round() / scale,
        ]);
    }
    values.extend([
        1e300,
        -1e39,
        1e-300,
        5e-324,
        1e16,
        f64::MAX,
        f64::INFINITY,
        123456789.125,
        1e-7,
        -0.0,
    ]);
    let sizes = Sizes {
        coordinates: values.len(),
        ..Sizes::default()
    };
    let assembly = Assembly {
        coordinates: values.clone(),
        ..Assembly::default()
    };
    let kernel = Kernel {
        functions: Vec::new(),
        extras: Vec::new(),
        sizes,
        solve: Solve::default(),
    };
    let (names, header) = (Names::default(), Header::default());
    [("Near", Scalar::F64), ("NearSingle", Scalar::F32)]
        .map(|(name, scalar)| {
            let options = Options {
                scalar,
                ..Options::default()
            };
            let model = sample::empty(name);
            format(tokens(
                &model, &names, &assembly, &kernel, &header, &options,
            ))
            .expect("the module parses")
        })
        .concat()
}

/// Mechanisms of random functions, and statements that compare their results.
fn random() -> (String, String) {
    let mut runner = TestRunner::deterministic();
    let (mut mechanisms, mut checks) = (String::new(), String::new());
    for n in 0..24 {
        let function = function(40 + 10 * n)
            .new_tree(&mut runner)
            .expect("a function")
            .current();
        let q = [0.3, -1.2, 0.7 + n as f64, 1.9];
        let expected = interpret(&function, &q);
        let options = Options {
            piece: [1, 7, 20, 300][n % 4],
            ..Options::default()
        };
        mechanisms += &one_function(&format!("Random{n}"), function, &q, &options);
        writeln!(
            checks,
            "    check(&mechanisms::Random{n}::new(), {expected:?});"
        )
        .expect("a string");
    }
    (mechanisms, checks)
}

/// Mechanisms whose function is written as loops, for one number and for many.
fn rolled() -> (String, String) {
    const N: usize = 40;
    let q: Vec<f64> = (0..N).map(|k| (0.3 * k as f64).sin()).collect();
    let function = there_and_back(N);
    let expected = &interpret(&function, &q)[..SIZE as usize];
    let (mut mechanisms, mut checks) = (String::new(), String::new());
    for (name, lanes) in [("Rolled", Lanes::One), ("RolledMany", Lanes::Any)] {
        let options = Options {
            piece: 1,
            lanes,
            ..Options::default()
        };
        let text = one_function(name, function.clone(), &q, &options);
        assert_eq!(text.matches("for turn in").count(), 2, "{text}");
        mechanisms += &text;
        writeln!(
            checks,
            "    check(&mechanisms::{name}::new(), {expected:?});"
        )
        .expect("a string");
    }
    (mechanisms, checks)
}

/// A mechanism with one function, at these coordinates.
fn one_function(name: &str, function: Function, q: &[f64], options: &Options) -> String {
    let sizes = Sizes {
        coordinates: q.len(),
        velocities: q.len(),
        ..Sizes::default()
    };
    let kernel = Kernel {
        functions: vec![function],
        extras: Vec::new(),
        sizes,
        solve: Solve::default(),
    };
    let assembly = Assembly {
        coordinates: q.to_vec(),
        velocities: vec![0.0; q.len()],
        ..Assembly::default()
    };
    let coordinates = HOSTILE.iter().cycle().take(q.len());
    let names = Names {
        coordinates: coordinates.map(|name| (*name).to_owned()).collect(),
        ..Names::default()
    };
    let tokens = tokens(
        &sample::empty(name),
        &names,
        &assembly,
        &kernel,
        &Header::default(),
        options,
    );
    format(tokens).expect("the module parses")
}

fn program(checks: &str) -> String {
    format!(
        "mod mechanisms;
use bellcrank::Mechanism;
fn main() {{
    println!(\"{{:?}}\", (mechanisms::Press::default(), mechanisms::RSSR::default()));
    println!(\"{{:?}}\", (mechanisms::PiecesOfAPress::default(), mechanisms::Signatures::default()));
    println!(\"{{:?}}\", (mechanisms::ManyPresses::default(), mechanisms::T::default()));
    println!(\"{{:?}}\", mechanisms::Nothing::default().start());
    println!(\"{{:?}}\", mechanisms::Self_::default());
    println!(\"{{:?}}\", (mechanisms::Result::default(), mechanisms::Option::default()));
    println!(\"{{:?}}\", (mechanisms::Default::default(), mechanisms::Clone::default()));
    println!(\"{{:?}}\", (mechanisms::Debug::default(), mechanisms::Mechanism::default()));
    println!(\"{{:?}}\", (mechanisms::Real::default(), mechanisms::Cell::default()));
    println!(\"{{:?}}\", (mechanisms::SVector::default(), mechanisms::PI::default()));
    println!(\"{{:?}}\", (mechanisms::Near::default(), mechanisms::NearSingle::default()));
{checks}}}
fn check<M: Mechanism<Scalar = f64>>(mechanism: &M, expected: [u64; {SIZE}]) {{
    let (q, v) = mechanism.start();
    let mut out = bellcrank::Acceleration::<M>::zero();
    mechanism.accelerate(bellcrank::State::new(0.0, q, v).view(), &mut out);
    let bits = |value: f64| if value.is_nan() {{ f64::NAN.to_bits() }} else {{ value.to_bits() }};
    let found = [0, 1, 2, 3].map(|k| bits(out.accelerations[k]));
    assert_eq!(found, expected, \"{{}}\", M::NAME);
}}
"
    )
}

fn manifest() -> String {
    let runtime = root().join("runtime");
    format!(
        "[package]\nname = \"emit-check\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\nbellcrank = {{ path = {runtime:?}, default-features = false, features = [\"std\", \"batch\"] }}\n\
         [workspace]\n"
    )
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("the workspace")
}

fn write(directory: &Path, name: &str, text: &str) {
    let path = directory.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

fn cargo(directory: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(directory)
        .env("CARGO_TARGET_DIR", root().join("target/emit-check"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
