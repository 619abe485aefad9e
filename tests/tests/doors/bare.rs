//! Generated code on its own: under strict lints, in single precision, and without an operating system.

use std::fs;
use std::process::Command;

use bellcrank::prelude::*;
use bellcrank_compiler::description::Method;
use bellcrank_tests::{
    CamPendulum, DoubleActionPress, DoubleFourBar, FiveArmPendulum, FlyballGovernor, FourBar,
    IltisSuspension, QuickReturn, RotatingEndPendulum, SimplePendulum, SpatialFourBar,
    SpatialSliderCrank,
};

use crate::workbench::{Folder, built, model, succeeded};

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
    let said = |name: &str| -> f64 {
        let mut lines = told.lines();
        let line = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap().parse().unwrap()
    };
    // Methods of order 2 at 1 ms leave some 1e-4 J of 101 J.
    let methods = said("with_methods");
    assert!(
        (methods - energy(FourBar::default())).abs() < 1e-2,
        "{methods}"
    );
    for (name, with_std) in expect {
        let without = said(name);
        // libm and the platform round sines differently.
        let close = (without - with_std).abs() <= 1e-9 * with_std.abs().max(1.0);
        assert!(close, "{name}: {without} {with_std}");
    }
}

/// The modules of all models in both precisions, an exported function for each, and its C prototype.
fn write_modules(folder: &Folder) {
    fs::create_dir(folder.path("src/models")).unwrap();
    let (mut list, mut exports, mut header) = (String::new(), String::new(), String::new());
    for (name, path) in built() {
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
    write_methods(folder);
    list += "/// With what every method needs.\npub mod with_methods;\n";
    exports += METHODS;
    header += "MODEL(with_methods)\n";
    folder.write("src/models.rs", &format!("//! The gallery.\n\n{list}"));
    folder.write(
        "src/lib.rs",
        &(folder.read("src/lib.rs") + exports.as_str()),
    );
    folder.write("models.h", &header);
}

/// The four-bar with all that methods can ask for.
fn write_methods(folder: &Folder) {
    let methods = Method::words().join(",");
    let mut emit = folder.bellcrank(&["emit", "--formulation=body", "--methods", &methods]);
    let module = succeeded(&emit.arg(model("four_bar")).output().unwrap());
    folder.write("src/models/with_methods.rs", &module);
}

/// All methods at work: the mean of the energies that they keep.
const METHODS: &str = r#"
/// Energy of the four-bar by all methods.
#[unsafe(no_mangle)]
pub extern "C" fn with_methods_energy(steps: u32) -> f64 {
    type M = models::with_methods::FourBar;
    const H: f64 = 1e-3;
    let energies = [
        energy_by::<M, _, _>(Rk2::new(H), Baumgarte::default(), steps),
        energy_by::<M, _, _>(Rk4::new(H), Penalty::default(), steps),
        energy_by::<M, _, _>(Rk4::new(H), AugmentedLagrangian::default(), steps),
        energy_by::<M, _, _>(Rk4::new(H), AugmentedLagrangianProjections::default(), steps),
        energy_by::<M, _, _>(Rk4::new(H), CoordinatePartitioning::default(), steps),
        energy_by::<M, _, _>(Rk4::new(H), PlainCorrection::default(), steps),
        energy_by::<M, _, _>(Rk4::new(H), StandardProjection::default(), steps),
        energy_by::<M, _, _>(Rk4::new(H), SuccessiveProjection::default(), steps),
        energy_by::<M, _, _>(Rk4::new(H), Ggl::default(), steps),
        energy_by::<M, _, _>(DormandPrince::fixed(H), NoStabilizer, steps),
        energy_by::<M, _, _>(Bdf::fixed(3, H), NoStabilizer, steps),
        energy_by::<M, _, _>(GeneralizedAlpha::new(H), NoStabilizer, steps),
        energy_by::<M, _, _>(GeneralizedAlphaIndex3::new(H), DirectCorrection::default(), steps),
        energy_by::<M, _, _>(AugmentedLagrangianIndex3::new(H), NoStabilizer, steps),
    ];
    energies.iter().sum::<f64>() / energies.len() as f64
}
"#;

fn energy<M: Mechanism<Scalar = f64>>(mechanism: M) -> f64 {
    let method = (Rk4::new(M::DEFAULTS.step), DirectCorrection::default());
    let mut sim = Simulation::new(mechanism, method.0, method.1).unwrap();
    for _ in 0..100 {
        sim.step().unwrap();
    }
    sim.frame().energy()
}
