//! Random mechanisms in which every pair of features meets: all formulations against each other, and against a solver
//! that shares no code with them.
//!
//! A mechanism is written in absolute and in joint coordinates, and in one of the three forms of points, which take
//! turns. `BELLCRANK_RANDOM=100000` sets how many are drawn, each then in every form, and `BELLCRANK_FROM=5000` with
//! which one they begin; `BELLCRANK_CASE=17` asks for one of them and prints it.

mod bordered;
mod case;
mod check;
mod draw;
mod jet;
mod rows;
mod way;

use std::collections::BTreeMap;

use bellcrank_compiler::stages::search::Coordinates;
use check::{Outcome, check};
use draw::{WITH_CONSTANT_VELOCITY, pairs, plan};
use way::COORDINATES;

/// Parts of the same test, so that a failure is seen before all have run and none holds the algebra for minutes.
const PARTS: u64 = 4;

#[test]
fn every_pair_of_features_first_part() {
    part(0);
}

#[test]
fn every_pair_of_features_second_part() {
    part(1);
}

#[test]
fn every_pair_of_features_third_part() {
    part(2);
}

#[test]
fn every_pair_of_features_fourth_part() {
    part(3);
}

/// Joint coordinates, and points in one form: each form meets each pair of features.
fn in_turn(case: u64) -> [Coordinates; 2] {
    let round = case / pairs().len() as u64;
    [
        COORDINATES[((case + round / 2) % 3) as usize],
        Coordinates::Joint,
    ]
}

fn part(part: u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    if let Some(one) = number("BELLCRANK_CASE") {
        if one % PARTS == part {
            println!(
                "{}",
                serde_json::to_string_pretty(&draw::draw(one).description()).unwrap()
            );
            println!("{:?} {:?}", plan(one), check(one, &COORDINATES));
        }
        return;
    }
    let asked = number("BELLCRANK_RANDOM");
    let from: u64 = number("BELLCRANK_FROM").unwrap_or(0);
    let cases = asked.unwrap_or(WITH_CONSTANT_VELOCITY);
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    let mut failed = Vec::new();
    for case in (from..from + cases).filter(|case| case % PARTS == part) {
        let outcome = match asked {
            Some(_) => check(case, &COORDINATES),
            None => check(case, &in_turn(case)),
        };
        *seen.entry(outcome.word()).or_default() += 1;
        if let Outcome::Wrong(what) = outcome {
            println!("case {case} {:?}: {what}", plan(case));
            failed.push(case);
        }
    }
    println!("{seen:?}");
    assert!(failed.is_empty(), "{} cases: {failed:?}", failed.len());
    let compared = seen.get(Outcome::Agreed.word()).copied().unwrap_or(0);
    // What is left out is refused by the compiler, or nearly singular.
    assert!(4 * compared > 3 * (cases / PARTS), "{seen:?}");
}
