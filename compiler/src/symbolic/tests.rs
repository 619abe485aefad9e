//! Derivatives against differences, and the order of terms against what ran before.

use super::*;
use crate::evaluate::Evaluator;
use crate::expr::{Binary, Condition, Node, Unary};
use crate::formulation::{ConstraintEquation, Owner, StateVariable};
use crate::model::{JointId, Table};

fn q(i: u32) -> Expr {
    Expr::symbol(Symbol::Coordinate(i))
}

fn v(i: u32) -> Expr {
    Expr::symbol(Symbol::Velocity(i))
}

fn t() -> Expr {
    Expr::symbol(Symbol::Time)
}

/// Two coordinates whose rates are their velocities, and one row.
fn system(phi: Expr) -> System {
    let variable = |name: &str| StateVariable {
        name: name.to_owned(),
        guess: Expr::zero(),
    };
    System {
        coordinates: vec![variable("a"), variable("b")],
        velocities: vec![variable("va"), variable("vb")],
        rates: vec![v(0), v(1)],
        gyroscopic: vec![Expr::zero(), Expr::zero()],
        rows: vec![ConstraintEquation {
            phi,
            owner: Owner::Joint(JointId(0)),
            keeps: String::new(),
            driver: false,
            wrenches: Vec::new(),
        }],
        ..System::default()
    }
}

fn table() -> Table {
    Table {
        name: "table".to_owned(),
        x: vec![0.0, 1.0, 3.0],
        y: vec![0.5, 1.0, 2.0],
        coefficients: vec![[0.5, 0.2, 0.1, 0.2], [1.0, 1.0, -0.5, 0.1]],
        interpolation: crate::description::Interpolation::Cubic,
    }
}

fn value(expr: &Expr, q: [f64; 2], v: [f64; 2], t: f64) -> f64 {
    let tables = [table()];
    let symbols = |symbol| match symbol {
        Symbol::Time => t,
        Symbol::Coordinate(i) => q[i as usize],
        Symbol::Velocity(i) => v[i as usize],
        _ => f64::NAN,
    };
    Evaluator::new(&tables, &symbols).value(expr)
}

/// D and γ of Φ against central differences along the motion q + s v, t + s. The differences have an
/// error of about h² ≈ 1e-8 in the first and ε/h² ≈ 1e-7 in the second derivative.
fn check(phi: Expr) {
    let equations = derive(&system(phi.clone())).unwrap();
    let (q0, v0, t0) = ([0.63, 0.41], [0.7, -1.1], 0.57);
    let moved = |s: f64| value(&phi, [q0[0] + s * v0[0], q0[1] + s * v0[1]], v0, t0 + s);
    let h = 1e-4;
    let first = (moved(h) - moved(-h)) / (2.0 * h);
    let second = (moved(h) - 2.0 * moved(0.0) + moved(-h)) / (h * h);
    let at = |e: &Expr| value(e, q0, v0, t0);
    let rate: f64 = equations.jacobian[0]
        .iter()
        .map(|(j, d)| at(d) * v0[*j as usize])
        .sum::<f64>()
        + at(&equations.phi_t[0]);
    assert!(
        (rate - first).abs() < 1e-6 * (1.0 + first.abs()),
        "{phi:?}: {rate} {first}"
    );
    let gamma = at(&equations.gamma[0]);
    assert!(
        (gamma + second).abs() < 1e-5 * (1.0 + second.abs()),
        "{phi:?}: {gamma} {second}"
    );
}

#[test]
fn every_function_has_its_first_and_second_derivative() {
    let inner = q(0) * t() + q(1).square() * Expr::constant(0.3);
    for function in [
        Unary::Sqrt,
        Unary::Exp,
        Unary::Ln,
        Unary::Sin,
        Unary::Cos,
        Unary::Tan,
        Unary::Asin,
        Unary::Acos,
        Unary::Atan,
        Unary::Sinh,
        Unary::Cosh,
        Unary::Tanh,
        Unary::Abs,
    ] {
        check(Expr::unary(function, inner.clone()));
    }
    for function in [
        Binary::Atan2,
        Binary::Min,
        Binary::Max,
        Binary::Pow,
        Binary::Mod,
    ] {
        check(Expr::binary(function, inner.clone(), q(1) + t() * q(0)));
        check(Expr::binary(function, q(1) + q(0), inner.clone()));
    }
    check(Expr::table(0, 0, inner.clone() * Expr::constant(4.0)));
    check(Expr::select(
        Condition::Less(q(0), q(1)),
        inner.square(),
        inner.sin() * q(1) / (q(0) + t()),
    ));
    check((q(0).power(3) - q(1).power(-2)) / (Expr::one() + t().square()));
    check(Expr::unary(Unary::Floor, inner.clone()) * q(0) + Expr::unary(Unary::Sign, inner) * q(1));
}

#[test]
fn what_ran_before_does_not_show() {
    let first = system(q(1).sin() * Expr::constant(0.125) + t() * q(0).square());
    let second = system(q(0).cos() * Expr::constant(0.375) * q(1) - Expr::constant(2.5) * t());
    let alone = derive(&second).unwrap();
    derive(&first).unwrap();
    assert_eq!(derive(&second).unwrap(), alone);
}

#[test]
fn symbolica_itself_is_a_witness() {
    let phi = (q(0) * q(1)).sin() + t() * q(0).square() / (Expr::one() + q(1).square());
    let system = system(phi);
    let equations = derive(&system).unwrap();
    let seen = witness(&system, |symbol| match symbol {
        Symbol::Time => 0.5,
        Symbol::Coordinate(i) => 0.3 + f64::from(i),
        Symbol::Velocity(i) => 1.0 - f64::from(i),
        _ => f64::NAN,
    })
    .unwrap();
    let at = |e: &Expr| value(e, [0.3, 1.3], [1.0, 0.0], 0.5);
    assert!((seen[0].gamma - at(&equations.gamma[0])).abs() < 1e-14);
    for ((j, symbolica), (k, ours)) in seen[0].jacobian.iter().zip(&equations.jacobian[0]) {
        assert_eq!(j, k);
        assert!((symbolica - at(ours)).abs() < 1e-14);
    }
}

/// Every kind of expression, with factors and sums in common. Sums in another order differ by a few units in the last
/// place, of numbers below 10.
#[test]
fn optimised_expressions_keep_their_values() {
    let c = Expr::constant(0.37);
    let inner = q(0) * q(1) + q(0) * t() - &c * q(0);
    let length = (q(0).square() + q(1).square()).sqrt();
    let sources = [
        inner.clone(),
        inner.sin() * q(1) - inner.cos() * q(0) + inner.square(),
        q(0) / &length,
        q(1) / &length - t() / q(0).power(3),
        length.power(3) + Expr::one() / length.clone(),
        Expr::unary(Unary::Tanh, inner.clone()) * &c
            + Expr::unary(Unary::Tanh, inner.clone()) * t(),
        Expr::binary(Binary::Atan2, q(0), q(1)) * q(0) + q(0) * v(0),
        Expr::select(Condition::Less(q(0), q(1)), inner.clone(), t()) * v(1) + v(1) * &c,
        Expr::table(0, 1, inner) - Expr::constant(3.0) * q(0) * v(0),
        -(q(0) * v(1)) - q(0) * v(0),
    ];
    for scheme in Scheme::ALL {
        let job = sources.to_vec();
        let optimised = session::run(move || optimise::expressions(&job, scheme)).unwrap();
        for (source, optimised) in sources.iter().zip(optimised.unwrap()) {
            let at = |e: &Expr| value(e, [0.63, 0.41], [0.7, -1.1], 0.57);
            let (ours, theirs) = (at(source), at(&optimised));
            assert!((ours - theirs).abs() < 1e-14, "{source:?}: {ours} {theirs}");
        }
    }
}

/// (a b + a c + a d, b + c + d) share a sum only by Horner's scheme.
#[test]
fn factors_are_taken_out() {
    let sources = vec![q(0) * q(1) + q(0) * v(0) + q(0) * v(1), q(1) + v(0) + v(1)];
    for scheme in Scheme::ALL {
        let job = sources.clone();
        let optimised = session::run(move || optimise::expressions(&job, scheme)).unwrap();
        let [product, sum] = <[Expr; 2]>::try_from(optimised.unwrap()).unwrap();
        let Node::Mul(a, b) = product.node() else {
            panic!("{product:?}");
        };
        assert!(
            [a, b].contains(&&q(0)) && [a, b].contains(&&sum),
            "{product:?}"
        );
    }
}
