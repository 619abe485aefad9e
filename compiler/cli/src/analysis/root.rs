//! A root of a function between two places where it has different signs.

/// Finds the root by the method of Illinois, with bisection where that is slow, until the bracket is as small as
/// round-off or the function is zero. Returns the best place and the result of `f` there; `None` if `f` fails.
pub fn root<T>(
    mut f: impl FnMut(f64) -> Option<(f64, T)>,
    (mut a, mut at_a): (f64, f64),
    (mut b, mut at_b): (f64, f64),
) -> Option<(f64, T)> {
    const STEPS: usize = 200;
    let mut best: Option<(f64, f64, T)> = None;
    for step in 0..STEPS {
        let middle = match step % 4 {
            3 => 0.5 * (a + b),
            _ => b - at_b * (b - a) / (at_b - at_a),
        };
        let x = if middle > a.min(b) && middle < a.max(b) {
            middle
        } else {
            0.5 * (a + b)
        };
        let (value, found) = f(x)?;
        if best
            .as_ref()
            .is_none_or(|(_, known, _)| value.abs() <= known.abs())
        {
            best = Some((x, value, found));
        }
        let small = 2.0 * f64::EPSILON * (1.0 + a.abs().max(b.abs()));
        if value == 0.0 || (b - a).abs() <= small {
            break;
        }
        match (value > 0.0) == (at_b > 0.0) {
            // The same end moved twice: the value at the other end counts half.
            true => at_a *= 0.5,
            false => (a, at_a) = (b, at_b),
        }
        (b, at_b) = (x, value);
    }
    best.map(|(x, _, found)| (x, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_found_to_round_off() {
        let f = |x: f64| Some((x.cos() - x, x));
        let (x, _) = root(f, (0.0, 1.0), (1.0, 1.0_f64.cos() - 1.0)).unwrap();
        // The known fixed point of the cosine, to a few units of the last place.
        assert!((x - 0.739_085_133_215_160_6).abs() < 1e-15, "{x}");
    }

    #[test]
    fn a_root_of_third_order_is_found_too() {
        let f = |x: f64| Some(((x - 0.3).powi(3), x));
        let (x, _) = root(f, (0.0, -0.027), (1.0, 0.343)).unwrap();
        // The function is below the smallest difference of numbers near 0.3 within 1e-5 of it.
        assert!((x - 0.3).abs() < 1e-6, "{x}");
    }
}
