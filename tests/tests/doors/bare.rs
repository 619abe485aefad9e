//! Generated code on its own: under strict lints, in single precision, and without an operating system.

use std::fs;
use std::process::Command;

use bellcrank::prelude::*;
use bellcrank_tests::{
    CamPendulum, DoubleActionPress, DoubleFourBar, FiveArmPendulum, FlyballGovernor, FourBar,
    IltisSuspension, QuickReturn, RotatingEndPendulum, SimplePendulum, SpatialFourBar,
    SpatialSliderCrank,
};

use crate::workbench::{Folder, models, succeeded};

/// Every module passes `-D warnings` and `clippy::all`; all of them and the runtime link into a C program
/// without std and without an allocator, and go where they go with them.
#[test]
fn modules_are_clean_and_link_without_std() {
    let folder = Folder::new("bare");
    folder.copy("bare");
    write_modules(&folder);
    succeeded(&folder.cargo(&["clippy"]).output().unwrap());
    succeeded(&folder.cargo(&["build"]).output().unwrap());
    let library = concat!(env!("CARGO_TARGET_TMPDIR"), "/../debug/libe2e_bare.a");
    if let Ok(symbols) = Command::new("nm").arg(library).output() {
        let symbols = String::from_utf8_lossy(&symbols.stdout);
        assert!(symbols.contains("four_bar_energy"));
        assert!(!symbols.contains("__rust_alloc"));
    }
    let program = folder.path("main");
    let mut link = Command::new("cc");
    link.arg(folder.path("main.c")).arg(library);
    succeeded(&link.arg("-o").arg(&program).output().unwrap());
    let told = succeeded(&Command::new(program).output().unwrap());
    let expect = [
        ("cam_pendulum", energy(CamPendulum::default())),
        ("double_action_press", energy(DoubleActionPress::default())),
        ("double_four_bar", energy(DoubleFourBar::default())),
        ("five_arm_pendulum", energy(FiveArmPendulum::default())),
        ("flyball_governor", energy(FlyballGovernor::default())),
        ("four_bar", energy(FourBar::default())),
        ("iltis_suspension", energy(IltisSuspension::default())),
        ("quick_return", energy(QuickReturn::default())),
        (
            "rotating_end_pendulum",
            energy(RotatingEndPendulum::default()),
        ),
        ("simple_pendulum", energy(SimplePendulum::default())),
        ("spatial_four_bar", energy(SpatialFourBar::default())),
        (
            "spatial_slider_crank",
            energy(SpatialSliderCrank::default()),
        ),
    ];
    for (name, with_std) in expect {
        let line = told
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let without: f64 = line.unwrap().parse().unwrap();
        // libm and the platform round sines differently.
        let close = (without - with_std).abs() <= 1e-9 * with_std.abs().max(1.0);
        assert!(close, "{name}: {without} {with_std}");
    }
}

/// The modules of all models in both precisions, an exported function for each, and its C prototype.
fn write_modules(folder: &Folder) {
    fs::create_dir(folder.path("src/models")).unwrap();
    let (mut list, mut exports, mut header) = (String::new(), String::new(), String::new());
    for (name, path) in models() {
        let module = folder.emit(&path);
        let kind = module.split("pub struct ").nth(1).unwrap();
        let kind = kind.split_whitespace().next().unwrap();
        folder.write(&format!("src/models/{name}.rs"), &module);
        let mut single = folder.bellcrank(&["emit", "--scalar=f32"]);
        let single = succeeded(&single.arg(&path).output().unwrap());
        folder.write(&format!("src/models/{name}_single.rs"), &single);
        list += &format!(
            "/// In double precision.\npub mod {name};\n\
             /// In single precision.\npub mod {name}_single;\n"
        );
        exports += &format!(
            "\n/// Energy of `{kind}`.\n#[unsafe(no_mangle)]\n\
             pub extern \"C\" fn {name}_energy(steps: u32) -> f64 {{\n    \
             energy::<models::{name}::{kind}>(steps)\n}}\n"
        );
        header += &format!("MODEL({name})\n");
    }
    folder.write("src/models.rs", &format!("//! The gallery.\n\n{list}"));
    folder.write(
        "src/lib.rs",
        &(folder.read("src/lib.rs") + exports.as_str()),
    );
    folder.write("models.h", &header);
}

fn energy<M: Mechanism<Scalar = f64>>(mechanism: M) -> f64 {
    let method = (Rk4::new(M::DEFAULTS.step), DirectCorrection::default());
    let mut sim = Simulation::new(mechanism, method.0, method.1).unwrap();
    for _ in 0..100 {
        sim.step().unwrap();
    }
    sim.frame().energy()
}
