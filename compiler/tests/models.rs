//! Every model of the gallery through the pipeline.

use bellcrank_compiler::{Compiled, Options, compile, source};

fn model(name: &str) -> Compiled {
    let path = format!("{}/../models/{name}/model.toml", env!("CARGO_MANIFEST_DIR"));
    let source = source::load(std::path::Path::new(&path)).unwrap();
    compile(&source, &Options::default()).unwrap_or_else(|found| panic!("{found}"))
}

#[test]
fn try_all() {
    for name in ["four_bar", "spatial_four_bar", "spatial_slider_crank", "quick_return", "cam_pendulum"] {
        let start = std::time::Instant::now();
        let c = model(name);
        println!("== {name} {:?}: freedoms {} redundant {:?}", start.elapsed(), c.assembly.freedoms, c.assembly.redundant);
        println!("{}", c.warnings);
        println!("q {:?}\nv {:?}", c.assembly.coordinates, c.assembly.velocities);
        bellcrank_compiler::kernel::verify(&c.kernel).unwrap();
        for f in &c.kernel.functions { println!("  {:?} {}", f.name, bellcrank_compiler::kernel::counts(f)); }
        println!("{}", bellcrank_compiler::topology::print(&c.model, &c.topology));
    }
}
