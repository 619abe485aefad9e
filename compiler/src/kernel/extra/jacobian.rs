//! D as it stands, all rows.

use crate::kernel::builder::draft::FunctionDraft;
use crate::kernel::builder::translate::Translation;
use crate::kernel::{Array, Name};
use crate::symbolic::Equations;

/// D
pub fn jacobian(equations: &Equations) -> FunctionDraft {
    let mut draft = FunctionDraft::new(Name::Jacobian);
    let mut translation = Translation::new(&equations.auxiliaries);
    for (k, row) in equations.jacobian.iter().enumerate() {
        for (j, value) in translation.row(&mut draft.builder, row) {
            draft.write(Array::Rows, k * equations.n_velocities + j, value);
        }
    }
    draft
}
