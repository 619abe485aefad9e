use super::*;
use crate::description::{
    AxisOrNumber, Components, JointAxis, Number, Orientation, Shape, ShapeType, Shapes,
};
use proptest::prelude::*;

const WORDS: &[&str] = &[
    "rod",
    "rod.tip",
    "rod.x",
    "rod.tip.ax",
    "A",
    "A.angle",
    "A.force.x",
    "A.drive",
    "f",
    "f.length",
    "f.force",
    "ground",
    "ground.pin",
    "energy.kinetic",
    "angular_momentum.z",
    "p",
    "c",
    "u",
    "table",
    "table(t)",
    "t",
    "pi",
    "x",
    "y",
    "z",
    "length",
    "rate",
    "angle",
    "origin",
    "center",
    "nothing",
    "a.b.c.d",
    "",
    ".",
    "sin(",
    "sin(t)",
    "distance(rod.tip, ground.pin)",
    "min(1, t, p)",
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "^",
    "1",
    "0",
    "1e308",
    "1e-320",
    "3 mm",
    "2 kg",
    "5 s",
    "if t > 1 then",
    "else",
    "ä",
    "rod.",
    "\n",
];

/// The places that a text goes to.
fn put(d: &mut Description, slot: usize, text: &str) {
    let number = || Number::Text(text.to_owned());
    let body = d.bodies.get_mut("rod").expect("rod");
    let joint = d.joints.get_mut("A").expect("A");
    let force = d.forces.get_mut("f").expect("f");
    match slot {
        0 => body.mass = Some(number()),
        1 => body.center = Some(vec![number(), number()]),
        2 => body.points["tip"] = vec![number(), Number::Value(1.0)],
        3 => body.angle = Some(number()),
        4 => body.angular_velocity = Some(Components::One(number())),
        5 => body.orientation = Some(Orientation::EulerParameters(vec![number(); 4])),
        6 => body.position = Some(vec![number(); 2]),
        7 => joint.between[0] = text.to_owned(),
        8 => joint.between[1] = text.to_owned(),
        9 => joint.at = Some(vec![number(); 2]),
        10 => joint.axis = Some(JointAxis::Name(text.to_owned())),
        11 => joint.axis = Some(JointAxis::List(vec![AxisOrNumber::Number(number()); 2])),
        12 => {
            joint.axis = Some(JointAxis::List(vec![
                AxisOrNumber::Components(vec![
                    number();
                    2
                ]);
                2
            ]))
        }
        13 => drop(joint.motion.insert("angle".to_owned(), number())),
        14 => drop(joint.motion.insert(text.to_owned(), number())),
        15 => joint.length = Some(number()),
        16 => force.law = Some(number()),
        17 => force.between = Some([text.to_owned(), "rod.tip".to_owned()]),
        18 => force.joint = Some(text.to_owned()),
        19 => force.coordinate = Some(text.to_owned()),
        20 => force.stiffness = Some(number()),
        21 => drop(d.outputs.insert("o".to_owned(), number())),
        22 => d.assembly.hold.push(text.to_owned()),
        23 => drop(d.constants.insert("c".to_owned(), number())),
        24 => drop(d.parameters.insert("p".to_owned(), number())),
        25 => drop(d.inputs.insert("u".to_owned(), number())),
        26 => d.gravity = Some(vec![number(), number()]),
        27 => d.simulation.step = Some(number()),
        28 => drop(d.constants.insert(text.to_owned(), number())),
        29 => d.tables["table"].y[0] = number(),
        30 => d.space = crate::description::Space::Spatial,
        31 => joint.kind = crate::description::JointType::Prismatic,
        32 => joint.kind = crate::description::JointType::Distance,
        33 => body.shape = Shapes::One(Box::new(shape(text, 0))),
        34 => body.shape = Shapes::Many((0..6).map(|kind| shape(text, kind)).collect()),
        _ => d.name = Some(text.to_owned()),
    }
}

fn shape(text: &str, kind: usize) -> Shape {
    use ShapeType::{Box, Cylinder, Disc, Polygon, Rod, Sphere};
    let number = || Number::Text(text.to_owned());
    Shape {
        kind: [Rod, Box, Cylinder, Disc, Sphere, Polygon][kind],
        length: Some(number()),
        radius: Some(number()),
        size: Some(vec![number(); 2]),
        corners: Some(vec![vec![number(); 2], vec![Number::Value(1.0); 2]]),
        between: Some([text.to_owned(), "tip".to_owned()]),
        density: Some(number()),
        ..Shape::default()
    }
}

fn base() -> Description {
    let text = with(
        PENDULUM,
        "parameters.p = 1\nconstants.c = 2\ninputs.u = 0\ntables.table = { x = [0, 1], y = [0, 1], interpolation = \"cubic\" }\n\
         forces.f = { type = \"spring\", between = [\"ground.pin\", \"rod.tip\"], stiffness = 1 }",
    );
    toml::from_str(&text).expect("well-formed TOML")
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is written, there is a model or an error, and no panic.
    #[test]
    fn any_text_has_an_answer(
        changes in prop::collection::vec(
            (0_usize..36, prop::collection::vec(prop::sample::select(WORDS), 1..4)), 1..5,
        )
    ) {
        let mut description = base();
        for (slot, words) in changes {
            put(&mut description, slot, &words.join(" "));
        }
        match resolve(&description, "test") {
            Ok((model, _)) => prop_assert!(!model.to_string().is_empty()),
            Err(found) => prop_assert!(found.has_errors()),
        }
    }
}

#[test]
fn long_texts_are_refused_or_understood() {
    let law = |text: &str| try_model(&with(PENDULUM, &format!("outputs.o = \"{text}\"")));
    assert!(law(&["t"; 200].join(" + ")).is_ok());
    assert_eq!(
        law(&["t"; 2000].join(" + ")),
        Err(vec!["D110 outputs.o".to_owned()])
    );
    assert!(law(&format!("max({})", ["t"; 5000].join(", "))).is_ok());
}
