//! What the pipeline says about the models.

use crate::common::{compiled, models};
use bellcrank_compiler::kernel::verify;

#[test]
fn every_model_has_a_kernel_that_verifies() {
    for path in models() {
        let compiled = compiled(&path);
        verify(&compiled.kernel).unwrap_or_else(|broken| panic!("{path:?}: {broken:?}"));
    }
}

#[test]
fn redundant_rows_are_named_and_do_not_stop() {
    let path = models()
        .into_iter()
        .find(|p| p.ends_with("spatial_four_bar/model.toml"))
        .unwrap();
    let compiled = compiled(&path);
    assert_eq!(compiled.assembly.freedoms, 1);
    insta::assert_snapshot!(compiled.warnings, @r"
    warning[T303]: 3 rows of joint `C` repeat what joints `A`, `B` and `D` already keep: `z of the point`, `tilt of the axis about y`, `tilt of the axis about x`
      at joints.C: redundant
      = hint: the motion is unique, but the reactions in these joints are not: the ones of smallest norm are reported; a joint with more freedom (spherical, cylindrical) makes them unique
    ");
}
