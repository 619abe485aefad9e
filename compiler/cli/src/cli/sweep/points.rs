//! The points of a sweep by their numbers: each share can make its points without the others.

use super::axis::{Axis, Values};
use super::parts::MOST_POINTS;

/// How ranges are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SampledPoints {
    /// The scrambled Sobol sequence, which fills the ranges evenly.
    Sobol(u64),
    /// Independent random numbers.
    Random(u64),
}

/// The longest sequence, and the most dimensions, that the tables of the Sobol numbers hold.
const SOBOL_POINTS: u64 = 1 << 16;
const SOBOL_AXES: usize = 256;

/// All points of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SweepPoints {
    axes: Vec<Axis>,
    sample: Option<SampledPoints>,
    seed: u32,
    count: u64,
}

/// Reads `sobol:1000`.
pub(super) fn sample(text: &str) -> Result<SampledPoints, String> {
    let (kind, count) = text.split_once(':').unwrap_or((text, ""));
    let count = count.parse().ok().filter(|count| *count > 0);
    let count = count.ok_or("expected `sobol:N` or `random:N` with N from 1 on")?;
    match kind {
        "sobol" => Ok(SampledPoints::Sobol(count)),
        "random" => Ok(SampledPoints::Random(count)),
        _ => Err(format!("there is no `{kind}`; there are sobol and random")),
    }
}

impl SweepPoints {
    /// The grid of the axes, or samples of their ranges; an error says what to do instead.
    pub(super) fn new(
        axes: Vec<Axis>,
        sample: Option<SampledPoints>,
        seed: u32,
    ) -> Result<Self, (String, &'static str)> {
        if axes.is_empty() {
            let why = "nothing varies".to_owned();
            return Err((why, "give `--param NAME=from:to:count` or `--vary-input`"));
        }
        let twice = |k: &usize| axes[..*k].iter().any(|axis| axis.name == axes[*k].name);
        if let Some(k) = (1..axes.len()).find(twice) {
            let why = format!("`{}` varies twice", axes[k].name);
            return Err((why, "give each name once"));
        }
        let count = match sample {
            Some(sample) => sampled(&axes, sample)?,
            None => gridded(&axes)?,
        };
        if count > MOST_POINTS {
            let why = format!("there are {count} points, and a sweep has at most {MOST_POINTS}");
            return Err((why, "take fewer values"));
        }
        Ok(Self {
            axes,
            sample,
            seed,
            count,
        })
    }

    /// The number of points.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The values of one point.
    pub(super) fn at(&self, point: u64) -> Vec<f64> {
        let Some(sample) = self.sample else {
            return self.on_grid(point);
        };
        let axes = self.axes.iter().enumerate();
        axes.map(|(k, axis)| {
            let share = match sample {
                SampledPoints::Sobol(_) => {
                    f64::from(sobol_burley::sample(point as u32, k as u32, self.seed))
                }
                SampledPoints::Random(_) => uniform(self.seed, point, k as u64),
            };
            match axis.values {
                Values::Range(from, to) => from + (to - from) * share,
                ref others => others.at(0),
            }
        })
        .collect()
    }

    /// The varied parameters and inputs with their values, for the manifest.
    pub(super) fn varied(&self) -> Vec<String> {
        let axes = self.axes.iter();
        let mut texts: Vec<String> = axes
            .map(|axis| format!("{}={:?}", axis.name, axis.values))
            .collect();
        if let Some(sample) = self.sample {
            texts.push(format!("{sample:?} with seed {}", self.seed));
        }
        texts
    }

    /// The last axis varies fastest.
    fn on_grid(&self, mut point: u64) -> Vec<f64> {
        let mut values = vec![0.0; self.axes.len()];
        for (value, axis) in values.iter_mut().zip(&self.axes).rev() {
            let n = axis.values.count().unwrap_or(1);
            *value = axis.values.at(point % n);
            point /= n;
        }
        values
    }
}

fn sampled(axes: &[Axis], sample: SampledPoints) -> Result<u64, (String, &'static str)> {
    if let Some(axis) = axes.iter().find(|axis| axis.values.count().is_some()) {
        let why = format!(
            "`{}` has values of its own, and `--sample` chooses them",
            axis.name
        );
        return Err((why, "give a range without a count: `NAME=from:to`"));
    }
    match sample {
        SampledPoints::Sobol(count) if count > SOBOL_POINTS || axes.len() > SOBOL_AXES => {
            let why = format!(
                "a Sobol sequence here has at most {SOBOL_POINTS} points and {SOBOL_AXES} axes"
            );
            Err((why, "take `random:N`, or several sweeps with other seeds"))
        }
        SampledPoints::Sobol(count) | SampledPoints::Random(count) => Ok(count),
    }
}

fn gridded(axes: &[Axis]) -> Result<u64, (String, &'static str)> {
    if let Some(axis) = axes.iter().find(|axis| axis.values.count().is_none()) {
        let why = format!("nothing says how many values `{}` takes", axis.name);
        return Err((why, "write `NAME=from:to:count`, or add `--sample sobol:N`"));
    }
    let mut counts = axes.iter().filter_map(|axis| axis.values.count());
    let count = counts.try_fold(1_u64, u64::checked_mul);
    count.ok_or_else(|| {
        (
            "there are too many points to count".to_owned(),
            "take fewer values",
        )
    })
}

/// A number in [0, 1) that depends only on its arguments, by the mixer of SplitMix64.
fn uniform(seed: u32, point: u64, axis: u64) -> f64 {
    let mix = |x: u64| {
        let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    };
    let bits = mix(mix(mix(u64::from(seed)) ^ point) ^ axis);
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::super::axis::axis;
    use super::*;

    fn points(
        axes: &[&str],
        sample: Option<SampledPoints>,
    ) -> Result<SweepPoints, (String, &'static str)> {
        let axes = axes.iter().map(|text| axis(text).unwrap()).collect();
        SweepPoints::new(axes, sample, 7)
    }

    #[test]
    fn the_last_axis_varies_fastest() {
        let grid = points(&["a=1,2", "b=0:1:3"], None).unwrap();
        let all: Vec<_> = (0..grid.count()).map(|k| grid.at(k)).collect();
        let expect = [
            [1.0, 0.0],
            [1.0, 0.5],
            [1.0, 1.0],
            [2.0, 0.0],
            [2.0, 0.5],
            [2.0, 1.0],
        ];
        assert_eq!(all, expect);
    }

    #[test]
    fn samples_lie_in_their_ranges_and_depend_on_their_number_only() {
        for sample in [SampledPoints::Sobol(1000), SampledPoints::Random(1000)] {
            let some = points(&["a=-1:1", "b=2:3"], Some(sample)).unwrap();
            let all: Vec<_> = (0..1000).map(|k| some.at(k)).collect();
            assert!(
                all.iter()
                    .all(|p| (-1.0..1.0).contains(&p[0]) && (2.0..3.0).contains(&p[1]))
            );
            let mean = all.iter().map(|p| p[0]).sum::<f64>() / 1000.0;
            // Three deviations of the mean of 1000 independent numbers from [-1, 1).
            assert!(mean.abs() < 0.055, "{mean}");
            assert_eq!(some.at(17), all[17]);
        }
    }

    #[test]
    fn what_cannot_be_counted_is_refused() {
        let refused = |axes: &[&str], sample| points(axes, sample).unwrap_err().0;
        assert!(refused(&[], None).contains("nothing varies"));
        assert!(refused(&["a=1:2"], None).contains("how many values `a` takes"));
        assert!(refused(&["a=1,2", "a=3"], None).contains("`a` varies twice"));
        let own = refused(&["a=1:2:3"], Some(SampledPoints::Random(5)));
        assert!(own.contains("`a` has values of its own"));
        let long = refused(&["a=1:2"], Some(SampledPoints::Sobol(65_537)));
        assert!(long.contains("at most 65536 points"));
    }
}
