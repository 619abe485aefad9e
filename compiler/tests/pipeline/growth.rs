//! The cost of a chain of bodies grows by the link, in every form.

use bellcrank_cli::generate::chain::{ChainKind, chain};
use bellcrank_compiler::description::{Formulation, Integrator, Method};
use bellcrank_compiler::diagnostics::Code;
use bellcrank_compiler::stages::kernel::{Name, Solve, counts};
use bellcrank_compiler::{Compiled, Options, Source, compile};

/// The counts: the functions of a step, and the text that rustc reads.
#[derive(Clone, Copy, Debug)]
enum Size {
    Accelerate,
    Corrections,
    Constraints,
    Bytes,
}

/// In joint coordinates the functions of short chains are not cut into pieces, and each piece names anew what it reads.
/// So the text grows evenly only from some length on: twenty planar bodies, six in space.
#[test]
fn planar_revolute_chains_grow_by_the_link() {
    grows_by_the_link(ChainKind::PlanarRevolute, Formulation::Joint, [20, 30, 50]);
    for form in [
        Formulation::Momentum,
        Formulation::Multiplier,
        Formulation::Body,
    ] {
        grows_by_the_link(ChainKind::PlanarRevolute, form, [5, 10, 20]);
    }
}

#[test]
fn spatial_revolute_chains_grow_by_the_link() {
    grows_by_the_link(ChainKind::SpatialRevolute, Formulation::Joint, [6, 12, 24]);
    for form in [
        Formulation::Momentum,
        Formulation::Multiplier,
        Formulation::Body,
    ] {
        grows_by_the_link(ChainKind::SpatialRevolute, form, [3, 6, 12]);
    }
}

#[test]
fn spatial_spherical_chains_grow_by_the_link() {
    grows_by_the_link(ChainKind::SpatialSpherical, Formulation::Joint, [6, 12, 24]);
    for form in [
        Formulation::Momentum,
        Formulation::Multiplier,
        Formulation::Body,
    ] {
        grows_by_the_link(ChainKind::SpatialSpherical, form, [3, 6, 12]);
    }
}

/// The second step is twice as many links as the first, so it adds twice as much. In space lengths go with the
/// three shapes that take turns in a chain, so only the ends and ties in the order of elimination are left to
/// differ: a fortieth. Squares would add 3.5 times as much or more,
/// and pass the bound as soon as they are a twenty-fifth of what grows by the link. Longer
/// indices and cuts between pieces add text: a tenth.
fn grows_by_the_link(kind: ChainKind, form: Formulation, lengths: [usize; 3]) {
    let [a, b, c] = lengths;
    assert_eq!(c - b, 2 * (b - a));
    let chains = lengths.map(|n| compiled(kind, n, form));
    for (size, percent) in [
        (Size::Accelerate, 205),
        (Size::Corrections, 205),
        (Size::Constraints, 205),
        (Size::Bytes, 220),
    ] {
        let [a, b, c] = [0, 1, 2].map(|k| size.of(&chains[k]));
        // A tree of joint rates has no rows, and nothing to correct.
        let is_none = form == Formulation::Joint && c == 0;
        assert!(
            is_none || a < b && b < c && 100 * (c - b) <= percent * (b - a),
            "{kind} {form:?} {size:?}: {a}, {b}, {c}"
        );
    }
}

/// Rows and holds need M, which is full along a chain: 90 joints have 4095 entries, more than are written
/// out. Without them there is no M to write.
#[test]
fn a_mass_matrix_too_large_for_joint_coordinates_is_told() {
    let text = chain(ChainKind::PlanarRevolute, 90);
    let source = |text: String| Source::Toml {
        file: "chain.toml".to_owned(),
        text,
    };
    let options = Options {
        formulation: Some(Formulation::Joint),
        ..Options::default()
    };
    let held = source(format!("{text}assembly.hold = ['b0.angle']\n"));
    let found = compile(&held, &options).err().unwrap();
    let found = found.iter().next().unwrap();
    assert_eq!(found.code, Code::F402);
    assert_eq!(found.path.to_string(), "formulation");
    assert!(found.message.contains("too large to be written out"));
    let free = compile(&source(text), &options).unwrap();
    assert_eq!(free.formulation, "joint");
}

/// A short chain is lowered in every form for the table, a long one only in the form that is the cheapest.
#[test]
fn a_long_tree_is_lowered_in_joint_coordinates_alone() {
    let few = compiled(ChainKind::SpatialRevolute, 3, Formulation::Auto);
    assert_eq!(few.candidates.len(), 4);
    let many = compiled(ChainKind::SpatialRevolute, 13, Formulation::Auto);
    assert_eq!(many.candidates.len(), 1);
    assert_eq!(many.formulation, "joint");
    assert!(many.notes.iter().any(|note| note.contains("not lowered")));
}

/// Joint coordinates have no tangents, so an implicit method leaves all other forms to choose from.
#[test]
fn a_long_tree_with_an_implicit_method_is_lowered_in_all_other_forms() {
    let source = Source::Toml {
        file: "chain.toml".to_owned(),
        text: chain(ChainKind::PlanarRevolute, 13),
    };
    let options = Options {
        formulation: Some(Formulation::Auto),
        methods: vec![Method::Integrator(Integrator::GeneralizedAlpha)],
        ..Options::default()
    };
    let compiled = compile(&source, &options).unwrap_or_else(|found| panic!("{found}"));
    assert_eq!(compiled.candidates.len(), 4);
}

/// Shared parts are written out in the text of equations, where M along a chain would take half a gigabyte.
#[test]
fn no_line_of_the_equations_is_longer_than_anybody_reads() {
    let chain = compiled(ChainKind::SpatialRevolute, 12, Formulation::Joint);
    let text = bellcrank_compiler::stages::symbolic::print(&chain.system, &chain.equations);
    let longest = text.lines().map(str::len).max().unwrap();
    assert!(longest < 2100, "{longest}");
}

fn compiled(kind: ChainKind, n: usize, form: Formulation) -> Compiled {
    let source = Source::Toml {
        file: "chain.toml".to_owned(),
        text: chain(kind, n),
    };
    let options = Options {
        formulation: Some(form),
        ..Options::default()
    };
    let compiled =
        compile(&source, &options).unwrap_or_else(|found| panic!("{kind}, {n}: {found}"));
    assert_ne!(compiled.kernel.solve, Solve::Dense, "{kind} {form:?} {n}");
    compiled
}

impl Size {
    fn of(self, compiled: &Compiled) -> usize {
        let operations = |name: Name| {
            let mut functions = compiled.kernel.functions.iter();
            let function = functions.find(|function| function.name == name);
            function.map_or(0, |function| counts(&function.instructions).operations())
        };
        match self {
            Size::Accelerate => operations(Name::Accelerate),
            Size::Corrections => {
                operations(Name::PositionCorrection) + operations(Name::VelocityCorrection)
            }
            Size::Constraints => {
                operations(Name::Constraints) + operations(Name::VelocityConstraints)
            }
            Size::Bytes => compiled.rust.len(),
        }
    }
}
