use super::*;
use crate::expr::{Expr, Symbol};
use crate::model::{Action, JointCoordinate, JointId, Measure};

fn output(text: &str, expected: &[&str]) {
    check_pendulum(&format!("outputs.o = \"{text}\""), expected);
}

#[test]
fn outputs_see_everything() {
    for text in [
        "t + time + pi + tau",
        "rod.x",
        "rod.vy",
        "rod.ax",
        "rod.tip.x",
        "rod.tip.ay",
        "rod.angle",
        "rod.rate",
        "rod.center.y",
        "A.angle",
        "A.rate",
        "A.angle_rate",
        "A.force.x",
        "A.torque",
        "energy.kinetic",
        "energy.potential",
        "momentum.x + momentum.y",
        "angular_momentum.z",
        "distance(rod.tip, ground.pin)",
        "ground.pin.x",
        "min(1, 2, t)",
        "pow(t, 2)",
        "mod(t, 1)",
        "log10(t)",
        "if t > 1 and rod.x < 2 then 1 else 0",
    ] {
        output(text, &[]);
    }
    for text in [
        "nothing",
        "rod",
        "rod.z",
        "rod.tip",
        "rod.tipp.x",
        "rod.tip.z",
        "rod.wx",
        "A.displacement",
        "A.drive",
        "ground.x",
        "energy.heat",
        "momentum.z",
        "angular_momentum.x",
        "angular_momentum",
        "a.b",
        "distance(rod.tipp, ground)",
    ] {
        output(text, &["M211 outputs.o"]);
    }
    for text in [
        "sin()",
        "sin(1, 2)",
        "min(1)",
        "sinn(1)",
        "distance(1, 2)",
        "atan2(1)",
    ] {
        output(text, &["M220 outputs.o"]);
    }
    check_free("outputs.o = \"a.wx + a.e3 + a.z\"", &[]);
    check_free("outputs.o = \"a.angle\"", &["M211 outputs.o"]);
    check_free("outputs.o = \"momentum.z + angular_momentum.x\"", &[]);
}

#[test]
fn the_nearest_name_is_offered() {
    let message = first_message(&with(PENDULUM, "outputs.o = \"rodd.x\""));
    assert!(message.contains("did you mean `rod`?"), "{message}");
    let message = first_message(&with(PENDULUM, "outputs.o = \"rod.tpi.x\""));
    assert!(message.contains("did you mean `tip`?"), "{message}");
}

#[test]
fn force_laws_do_not_see_reactions() {
    let law = |law: &str, expected: &[&str]| {
        check_pendulum(
            &format!(
                "inputs.u = 0\nforces.f = {{ type = \"torque\", on = \"rod\", torque = \"{law}\" }}"
            ),
            expected,
        );
    };
    law("u - rod.rate * sign(rod.rate)", &[]);
    law("-angular_momentum.z * momentum.x", &[]);
    for text in ["A.force.x", "rod.ax", "energy.kinetic", "f.force"] {
        law(
            text,
            &[if text == "f.force" {
                "M211 forces.f.torque"
            } else {
                "M221 forces.f.torque"
            }],
        );
    }
    law("length", &["M211 forces.f.torque"]);
}

#[test]
fn motions_depend_on_time() {
    let motion = |law: &str, expected: &[&str]| {
        check_pendulum(
            &format!(
                "-joints\ninputs.u = 0\nparameters.w = \"30 rpm\"\ntables.f = {{ x = [0, 1], y = [0, 1] }}\n\
                      joints.A = {{ type = \"revolute\", between = [\"ground.pin\", \"rod.top\"], motion.angle = \"{law}\" }}"
            ),
            expected,
        );
    };
    motion("w * t + f(t)", &[]);
    motion("w", &["D109 joints.A.motion.angle"]);
    motion("u", &["M221 joints.A.motion.angle"]);
    motion("rod.x", &["M221 joints.A.motion.angle"]);
    motion(
        "distance(rod.tip, ground.pin)",
        &["M221 joints.A.motion.angle"],
    );
    motion("f", &["M211 joints.A.motion.angle"]);
}

#[test]
fn keys_belong_to_types_of_forces() {
    let force = |text: &str, expected: &[&str]| {
        check_pendulum(&format!("forces.f = {{ {text} }}"), expected)
    };
    let between = "between = [\"ground.pin\", \"rod.tip\"]";
    force(
        "type = \"force\", on = \"rod.tip\", force = [1, \"2 N\"], frame = \"body\"",
        &[],
    );
    force(
        "type = \"force\", on = \"rod.tip\", force = [1, \"2 m\"]",
        &["D109 forces.f.force[1]"],
    );
    force("type = \"force\", on = \"rod.tip\"", &["M214 forces.f"]);
    force(
        "type = \"force\", on = \"ground.pin\", force = [1, 2]",
        &["M201 forces.f.on"],
    );
    force("type = \"force\", force = [1, 2]", &["M214 forces.f"]);
    force(
        "type = \"force\", on = \"rod.tip\", force = [1]",
        &["M215 forces.f.force"],
    );
    force(
        "type = \"torque\", on = \"rod\", torque = [1, 2, 3]",
        &["M215 forces.f.torque"],
    );
    force(
        "type = \"torque\", on = \"rod.tip\", torque = 1",
        &["M201 forces.f.on"],
    );
    force(
        "type = \"torque\", on = \"rod\", torque = 1, law = 1",
        &["M213 forces.f.law"],
    );
    force(&format!("type = \"spring\", {between}"), &["M214 forces.f"]);
    force(
        &format!("type = \"spring\", {between}, stiffness = 1, law = \"length\""),
        &["M219 forces.f.stiffness"],
    );
    force(
        &format!("type = \"spring\", {between}, joint = \"A\", stiffness = 1"),
        &["M219 forces.f"],
    );
    force(
        &format!("type = \"spring\", {between}, stiffness = \"1 N*m\""),
        &["D109 forces.f.stiffness"],
    );
    force("type = \"spring\", stiffness = 1", &["M214 forces.f"]);
    force(
        "type = \"spring\", joint = \"A\", stiffness = \"1 N*m/rad\"",
        &[],
    );
    force(
        "type = \"spring\", joint = \"B\", stiffness = 1",
        &["M201 forces.f.joint"],
    );
    force(
        "type = \"spring\", joint = \"A\", coordinate = \"x\", stiffness = 1",
        &["M217 forces.f.coordinate"],
    );
    force(
        "type = \"spring\", between = [\"rod.tip\", \"rod.top\"], stiffness = 1",
        &["M203 forces.f.between"],
    );
    force(
        &format!("type = \"damper\", {between}, stiffness = 1, damping = 1"),
        &["M213 forces.f.stiffness"],
    );
    force(
        &format!("type = \"actuator\", {between}, law = 1, free = 1"),
        &["M213 forces.f.free"],
    );
    force(
        &format!("type = \"actuator\", {between}"),
        &["M214 forces.f"],
    );
    let planar = "joints.J = { type = \"planar\", between = [\"a\", \"b\"], axis = \"z\" }";
    check_free(
        &format!("{planar}\nforces.f = {{ type = \"damper\", joint = \"J\", damping = 1 }}"),
        &["M214 forces.f"],
    );
    check_free(
        &format!(
            "{planar}\nforces.f = {{ type = \"actuator\", joint = \"J\", coordinate = \"x\", law = \"x - rate\" }}"
        ),
        &[],
    );
    let ball = "joints.J = { type = \"spherical\", between = [\"a\", \"b\"] }";
    check_free(
        &format!("{ball}\nforces.f = {{ type = \"damper\", joint = \"J\", damping = 1 }}"),
        &["M217 forces.f.joint"],
    );
}

#[test]
fn springs_pull_together_and_turn_back() {
    let m = |i: u32| Expr::symbol(Symbol::Measure(i));
    let c = Expr::constant;
    let model = model(&with(
        PENDULUM,
        "forces.f = { type = \"spring\", between = [\"ground.pin\", \"rod.tip\"], stiffness = 3, damping = 2, free = 1 }\n\
                                       forces.r = { type = \"spring\", joint = \"A\", stiffness = 5 }",
    ));
    let Action::Between {
        force,
        conservative,
        ..
    } = &model.elements[0].action
    else {
        panic!()
    };
    assert_eq!(*conservative, c(3.0) * (m(0) - c(1.0)));
    assert_eq!(*force, c(3.0) * (m(0) - c(1.0)) + c(2.0) * m(1));
    assert_eq!(
        model.elements[0].potential,
        c(1.5) * (m(0) - c(1.0)).square()
    );
    let Action::Joint {
        force, coordinate, ..
    } = &model.elements[1].action
    else {
        panic!()
    };
    assert_eq!(*coordinate, JointCoordinate::Angle);
    assert_eq!(*force, -(c(5.0) * m(2)));
}

#[test]
fn equal_measures_are_stored_once() {
    let model = model(&with(
        PENDULUM,
        "outputs.c = \"A.angle + A.angle\"\noutputs.d = \"A.angle\"\nassembly.hold = [\"A.angle\"]",
    ));
    let angle = Measure::JointCoordinate(JointId(0), JointCoordinate::Angle);
    assert_eq!(model.measures.iter().filter(|m| **m == angle).count(), 1);
}

#[test]
fn turns_of_spatial_angles_count_where_they_are_asked_for() {
    let hinge = "joints.J = { type = \"revolute\", between = [\"a\", \"b\"], axis = \"z\" }";
    let turns = |asking: &str| {
        model(&with(FREE, &format!("{hinge}\n{asking}")))
            .turns
            .len()
    };
    assert_eq!(turns("outputs.a = \"J.rate\""), 0);
    assert_eq!(
        turns("outputs.a = \"2 * J.angle\"\noutputs.b = \"J.angle\""),
        1
    );
    assert_eq!(
        turns("forces.f = { type = \"spring\", joint = \"J\", stiffness = 1 }"),
        1
    );
    assert_eq!(
        turns("forces.f = { type = \"damper\", joint = \"J\", damping = 1 }"),
        0
    );
    assert_eq!(
        turns("variables.n = 0\nevents.e = { when = \"J.angle - 3\", set = { n = \"n + 1\" } }"),
        1
    );
}

#[test]
fn holds_are_positions() {
    let hold = |name: &str, expected: &[&str]| {
        check_pendulum(&format!("assembly.hold = [\"{name}\"]"), expected)
    };
    for name in ["rod", "A", "rod.angle", "rod.x", "rod.tip.y", "A.angle"] {
        hold(name, &[]);
    }
    for name in [
        "rodd",
        "rod.rate",
        "rod.vx",
        "ground.pin.x",
        "ground",
        "A.rate",
        "",
        "rod.",
        "t",
    ] {
        hold(name, &["M201 assembly.hold[0]"]);
    }
    assert_eq!(
        model(&with(PENDULUM, "assembly.hold = [\"rod\"]"))
            .holds
            .len(),
        3
    );
    assert_eq!(
        model(&with(FREE, "assembly.hold = [\"a\", \"b.e1\"]"))
            .holds
            .len(),
        7
    );
}

#[test]
fn the_rate_of_a_held_rotation_is_its_derivative() {
    use nalgebra::{Quaternion, UnitQuaternion, Vector3};
    let turned =
        "-bodies.a\nbodies.a = { mass = 1, inertia = [1, 1, 1], orientation = [1, 2, 3, 4] }";
    let model = model(&with(FREE, &format!("{turned}\nassembly.hold = [\"a\"]")));
    let spin = Vector3::new(0.3, -0.7, 1.1);
    let value = |expr: &Expr, e: &UnitQuaternion<f64>| {
        let constant = expr.substitute(&mut |symbol| match symbol {
            Symbol::Measure(m) => match model.measures[m as usize] {
                Measure::EulerParameter(_, k) => Some([e.w, e.i, e.j, e.k][k as usize].into()),
                Measure::AngularVelocity(_, k) => Some(spin[k as usize].into()),
                _ => None,
            },
            _ => None,
        });
        constant.as_constant().expect("a number")
    };
    let start = UnitQuaternion::from_quaternion(Quaternion::new(1.0, 2.0, 3.0, 4.0));
    let at = |t: f64| UnitQuaternion::from_scaled_axis(spin * t) * start;
    for (k, hold) in model.holds[3..].iter().enumerate() {
        assert!(value(&hold.value, &start).abs() < 1e-15);
        assert!((value(&hold.rate, &start) - spin[k]).abs() < 1e-15);
        let h = 1e-5;
        let slope =
            (value(&hold.value, &at(0.5 + h)) - value(&hold.value, &at(0.5 - h))) / (2.0 * h);
        // The error of the central difference is of order h².
        assert!((value(&hold.rate, &at(0.5)) - slope).abs() < 1e-9);
    }
}

#[test]
fn laws_take_compound_units_and_time() {
    let value = |text: &str| {
        let text = with(PENDULUM, &format!("outputs.o = \"{text}\""));
        try_model(&text).map(|model| model.outputs[0].value.clone())
    };
    let time = || Expr::symbol(Symbol::Time);
    assert_eq!(value("5 Nm * t").ok(), Some(Expr::constant(5.0) * time()));
    assert_eq!(
        value("3 m/s^2 * t").ok(),
        Some(Expr::constant(3.0) * time())
    );
    let rate = || Expr::symbol(Symbol::Measure(0));
    assert_eq!(
        value("-20 N*m*s * rod.rate").ok(),
        Some(Expr::constant(-20.0) * rate())
    );
    assert_eq!(value("5 t"), Err(vec!["D113 outputs.o".to_owned()]));
    assert_eq!(value("5 * N"), Err(vec!["M211 outputs.o".to_owned()]));
}

#[test]
fn laws_that_can_jump_are_named() {
    let named = |law: &str| {
        let text = format!("forces.f = {{ type = \"actuator\", joint = \"A\", law = \"{law}\" }}");
        let model = model(&with(PENDULUM, &text));
        crate::model::jumping(&model).len() == 1
    };
    for law in [
        "-3 * sign(rate)",
        "if rate > 0 then 1 else 2",
        "floor(t)",
        "mod(angle, 1)",
    ] {
        assert!(named(law), "{law}");
    }
    for law in [
        "-3 * tanh(rate)",
        "abs(rate)",
        "if 1 > 2 then rate else 0",
        "sign(2) * rate",
    ] {
        assert!(!named(law), "{law}");
    }
}
