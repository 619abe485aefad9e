//! Derivatives of the functions that Symbolica only knows by name, to the second order: a line of maths
//! each. Kinks have the derivative of one side.

use crate::expr::{Binary, Condition, Expr, Unary};

/// The n-th derivative of a function of one argument at `x`.
pub fn unary(function: Unary, order: usize, x: &Expr) -> Result<Expr, String> {
    let one = Expr::one();
    let two = Expr::constant(2.0);
    let f = |function| Expr::unary(function, x.clone());
    Ok(match (function, order) {
        (_, 0) => f(function),
        // exp' = exp
        (Unary::Exp, _) => f(Unary::Exp),
        // ln' = 1/x, ln'' = −1/x²
        (Unary::Ln, 1) => one / x,
        (Unary::Ln, 2) => -(one / x.square()),
        // tan' = 1 + tan², tan'' = 2 tan (1 + tan²)
        (Unary::Tan, 1) => one + f(Unary::Tan).square(),
        (Unary::Tan, 2) => two * f(Unary::Tan) * (one + f(Unary::Tan).square()),
        // asin' = (1 − x²)^−½, asin'' = x (1 − x²)^−3/2; acos is its negative
        (Unary::Asin, 1) => one.clone() / (one - x.square()).sqrt(),
        (Unary::Asin, 2) => x / ((&one - x.square()) * (&one - x.square()).sqrt()),
        (Unary::Acos, n) => -unary(Unary::Asin, n, x)?,
        // atan' = 1/(1 + x²), atan'' = −2x/(1 + x²)²
        (Unary::Atan, 1) => &one / (&one + x.square()),
        (Unary::Atan, 2) => -(two * x / (one + x.square()).square()),
        (Unary::Sinh, n) => f(if n % 2 == 0 { Unary::Sinh } else { Unary::Cosh }),
        (Unary::Cosh, n) => f(if n % 2 == 0 { Unary::Cosh } else { Unary::Sinh }),
        // tanh' = 1 − tanh², tanh'' = −2 tanh (1 − tanh²)
        (Unary::Tanh, 1) => one - f(Unary::Tanh).square(),
        (Unary::Tanh, 2) => -(two * f(Unary::Tanh) * (one - f(Unary::Tanh).square())),
        (Unary::Abs, 1) => f(Unary::Sign),
        (Unary::Abs | Unary::Sign | Unary::Floor, _) => Expr::zero(),
        _ => return Err(format!("derivative {order} of {function:?}")),
    })
}

/// The derivative of order (m, n) of a function of two arguments at (a, b).
pub fn binary(
    function: Binary,
    orders: (usize, usize),
    a: &Expr,
    b: &Expr,
) -> Result<Expr, String> {
    let truth = |yes: f64, no: f64| (Expr::constant(yes), Expr::constant(no));
    Ok(match (function, orders) {
        (_, (0, 0)) => Expr::binary(function, a.clone(), b.clone()),
        (Binary::Atan2, _) => atan2(orders, a, b)?,
        (Binary::Min, (1, 0)) | (Binary::Max, (0, 1)) => {
            let (yes, no) = truth(1.0, 0.0);
            Expr::select(Condition::Less(a.clone(), b.clone()), yes, no)
        }
        (Binary::Min, (0, 1)) | (Binary::Max, (1, 0)) => {
            let (yes, no) = truth(0.0, 1.0);
            Expr::select(Condition::Less(a.clone(), b.clone()), yes, no)
        }
        (Binary::Min | Binary::Max, _) => Expr::zero(),
        // a mod b = a − b ⌊a/b⌋
        (Binary::Mod, (1, 0)) => Expr::one(),
        (Binary::Mod, (0, 1)) => -Expr::unary(Unary::Floor, a / b),
        (Binary::Mod, _) => Expr::zero(),
        (Binary::Pow, _) => pow(orders, a, b)?,
    })
}

/// The derivative of `if condition then a else b` with respect to its arms.
pub fn select(condition: Condition, in_yes: usize, in_no: usize) -> Expr {
    match (in_yes, in_no) {
        (1, 0) => Expr::select(condition, Expr::one(), Expr::zero()),
        (0, 1) => Expr::select(condition, Expr::zero(), Expr::one()),
        _ => Expr::zero(),
    }
}

/// With r² = x² + y²: ∂y = x/r², ∂x = −y/r², ∂yy = −2xy/r⁴, ∂xx = 2xy/r⁴, ∂xy = (y² − x²)/r⁴
fn atan2(orders: (usize, usize), y: &Expr, x: &Expr) -> Result<Expr, String> {
    let r2 = x.square() + y.square();
    let product = Expr::constant(2.0) * x * y;
    Ok(match orders {
        (1, 0) => x / r2,
        (0, 1) => -(y / r2),
        (2, 0) => -(product / r2.square()),
        (0, 2) => product / r2.square(),
        (1, 1) => (y.square() - x.square()) / r2.square(),
        _ => return Err(format!("derivative {orders:?} of atan2")),
    })
}

/// ∂a aᵇ = b aᵇ⁻¹, ∂b aᵇ = aᵇ ln a, and once more each
fn pow(orders: (usize, usize), a: &Expr, b: &Expr) -> Result<Expr, String> {
    let one = Expr::one();
    let two = Expr::constant(2.0);
    let power = |exponent: Expr| Expr::binary(Binary::Pow, a.clone(), exponent);
    let ln = Expr::unary(Unary::Ln, a.clone());
    Ok(match orders {
        (1, 0) => b * power(b - &one),
        (2, 0) => b * (b - &one) * power(b - two),
        (0, 1) => power(b.clone()) * ln,
        (0, 2) => power(b.clone()) * ln.square(),
        (1, 1) => power(b - &one) * (one + b * ln),
        _ => return Err(format!("derivative {orders:?} of a power")),
    })
}
