//! Generated mechanisms up to assembly: the counts that it finds.

use bellcrank_cli::generate::FAMILIES;
use bellcrank_compiler::stages::{assembly, formulation, model, symbolic, topology};
use bellcrank_compiler::{Source, description};

/// Vlasenko and Kasper count 43 bodies and 95 joints. Of the 9 rows of each three planes 6 hold a part; welds have 6
/// and revolutes 5 rows, all of them needed.
#[test]
fn parts_on_three_planes_have_three_rows_too_many() {
    let mut families = FAMILIES.iter();
    let family = families.find(|family| family.name == "kuka").unwrap();
    let source = Source::Toml {
        file: "kuka.toml".to_owned(),
        text: (family.write)(36),
    };
    let description = description::read(&source).unwrap();
    let (model, _) = model::resolve(&description, "Kuka").unwrap();
    assert_eq!([model.bodies.len(), model.joints.len()], [43, 95]);
    let topology = topology::analyze(&model).unwrap();
    let system = formulation::formulate(&model);
    let equations = symbolic::derive(&system).unwrap();
    let (assembly, told) = assembly::assemble(&model, &topology, &system, &equations).unwrap();
    let three_planes = 26;
    assert_eq!(system.rows.len(), 6 * 5 + 11 * 6 + three_planes * 9);
    assert_eq!(assembly.redundant.len(), three_planes * 3);
    assert_eq!(assembly.freedoms, 6);
    let faces = told
        .iter()
        .filter(|found| found.path.to_string().starts_with("joints.face"));
    // The second plane repeats one row of the first, the third two of both.
    assert_eq!(faces.count(), 2 * three_planes);
}
