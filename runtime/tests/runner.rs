//! The program that `bellcrank run` builds, from its arguments to its last line.

#![cfg(feature = "std")]

mod common;

use bellcrank::{
    DirectCorrection, DormandPrince, Integrator, Named, NoStabilizer, Rk4, SemiImplicitEuler,
    Stabilizer, run_with,
};
use common::pendulum::Pendulum;

/// Exit code, stdout, stderr.
fn run(arguments: &[&str]) -> (u8, String, String) {
    run_by::<Rk4<f64>, DirectCorrection>(arguments)
}

fn run_by<I, S>(arguments: &[&str]) -> (u8, String, String)
where
    I: Integrator<Pendulum, S> + Named,
    S: Stabilizer<Pendulum> + Named,
{
    let arguments: Vec<String> = arguments.iter().map(|text| text.to_string()).collect();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let code = run_with::<Pendulum, I, S>(&arguments, &mut stdout, &mut stderr);
    (
        code,
        String::from_utf8(stdout).unwrap(),
        String::from_utf8(stderr).unwrap(),
    )
}

#[test]
fn rows_go_to_stdout_and_the_summary_to_stderr() {
    let (code, rows, talk) = run(&[
        "--until",
        "0.1",
        "--step=0.01",
        "--every",
        "3",
        "--progress",
    ]);
    assert_eq!(code, 0, "{talk}");
    let lines: Vec<_> = rows.lines().collect();
    assert_eq!(
        lines[0],
        "time,direction,kinetic,potential,work,energy,phi,phi_dot"
    );
    let times: Vec<_> = lines[1..]
        .iter()
        .map(|line| line.split(',').next().unwrap())
        .collect();
    assert_eq!(times, ["0.0", "0.03", "0.06", "0.09", "0.1"]);
    assert!(talk.starts_with("progress 0.03 0.1\n"), "{talk}");
    let summary = talk.lines().last().unwrap();
    assert!(
        summary.starts_with("{\"steps\":10,\"evaluations\":41,\"dense_evaluations\":0,"),
        "{summary}"
    );
}

/// Whoever keeps the rows needs to know whether those that are there are good.
#[test]
fn a_stop_and_rows_that_cannot_be_written_are_told_apart() {
    let (code, rows, talk) = run(&["--input", "torque=1e308"]);
    assert_eq!(code, 1);
    assert!(talk.starts_with("stop: at t = "), "{talk}");
    assert!(rows.ends_with('\n'), "{rows}");
    for room in [0, 1, 10_000] {
        let (mut stdout, mut stderr) = (Small(room), Vec::new());
        let arguments = ["--until".to_owned(), "1".to_owned()];
        let code =
            run_with::<Pendulum, Rk4<f64>, DirectCorrection>(&arguments, &mut stdout, &mut stderr);
        let talk = String::from_utf8(stderr).unwrap();
        assert_eq!(code, 3, "{talk}");
        assert!(
            talk.starts_with("stop: the rows cannot be written: "),
            "{talk}"
        );
    }
}

/// Room for so many bytes.
struct Small(usize);

impl std::io::Write for Small {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        match buffer.len().min(self.0) {
            0 => Err(std::io::ErrorKind::StorageFull.into()),
            n => {
                self.0 -= n;
                Ok(n)
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn parameters_and_methods_are_set_by_name() {
    let arguments = ["--until", "0.5", "--set", "damping=2"];
    let (code, rows, talk) = run_by::<SemiImplicitEuler<f64>, NoStabilizer>(&arguments);
    assert_eq!(code, 0, "{talk}");
    let last = last_row(&rows);
    assert!(last[4] < -0.1 && last[6] > 1e-9, "{last:?}");
    let loose = [
        "--until",
        "0.5",
        "--stabilizer",
        "direct-correction:goal=1e9",
    ];
    let (code, rows, talk) = run(&loose);
    assert_eq!(code, 0, "{talk}");
    assert!(
        last_row(&rows)[6] > 1e-13,
        "nothing is projected below the goal"
    );
}

fn last_row(rows: &str) -> Vec<f64> {
    let last = rows.lines().last().unwrap();
    last.split(',').map(|x| x.parse().unwrap()).collect()
}

/// Rows of an integrator that chooses its steps stand at multiples of the step, and nothing else depends
/// on it.
#[test]
fn adaptive_runs_have_rows_where_they_are_wanted() {
    let arguments = ["--until=1", "--step=0.3", "--tolerance=1e-9"];
    let (code, rows, talk) = run_by::<DormandPrince<f64>, DirectCorrection>(&arguments);
    assert_eq!(code, 0, "{talk}");
    let times: Vec<_> = rows
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap())
        .collect();
    assert_eq!(times, ["0.0", "0.3", "0.6", "0.8999999999999999", "1.0"]);
    let (_, fine, _) = run_by::<DormandPrince<f64>, DirectCorrection>(&[
        "--until=1",
        "--step=0.01",
        "--tolerance=1e-9",
    ]);
    let (last, same) = (last_row(&rows), last_row(&fine));
    // A few steps of the tolerance: rows do not change where steps end.
    assert!(
        last.iter().zip(&same).all(|(a, b)| (a - b).abs() < 1e-7),
        "{last:?} {same:?}"
    );
    assert!(last[6] < 1e-14, "rows are projected");
}

#[test]
fn wrong_arguments_are_refused_with_the_nearest_name() {
    let refused = [
        (vec!["--untl", "1"], "did you mean `--until`?"),
        (vec!["--set", "lenght=1"], "did you mean `length`?"),
        (vec!["--set", "length"], "is not of the form name=value"),
        (
            vec!["--input", "torque=fast"],
            "`torque` needs a number, not `fast`",
        ),
        (vec!["--integrator", "rk5"], "built for `rk4`, not `rk5`"),
        (
            vec!["--stabilizer", "direct-correction:limt=1"],
            "did you mean `limit`?",
        ),
        (
            vec!["--stabilizer", "direct-correction:goal=x"],
            "name=number",
        ),
        (vec!["--step", "-1"], "must be positive"),
        (vec!["--every", "0"], "from 1 on"),
        (vec!["--until"], "needs a value"),
    ];
    for (arguments, expected) in refused {
        let (code, rows, talk) = run(&arguments);
        assert_eq!((code, rows.as_str()), (2, ""), "{arguments:?}");
        assert!(
            talk.starts_with("stop: ") && talk.contains(expected),
            "{talk}"
        );
        assert_eq!(talk.lines().count(), 1);
    }
}
