//! Descriptions in, parts and places out.

use super::drawing::{Drawing, DrawnPart, Look};
use super::scene::Span;
use super::{Page, Record, RecordedMotion, Scene, page, panels, svg, traces};
use crate::{Source, scene};

/// A driven crank, a ternary plate on it, a wheel at the plate's corner and a slider with a spring and a damper.
const PLANAR: &str = r#"
space = "planar"
gravity = [0, -9.81]
parameters.l = 2
ground.points.rail = [0, 3]
bodies.crank = { mass = 1, inertia = 1, points.tip = ["l", 0] }
bodies.plate = { mass = 1, inertia = 1, points = { a = [0, 0], b = [1, 0], c = [0, 1] } }
bodies.wheel = { mass = 2, inertia = 0.04 }
bodies.slider = { mass = 1, inertia = 1 }
joints.A = { type = "revolute", between = ["ground", "crank"], motion.angle = "t" }
joints.B = { type = "revolute", between = ["crank.tip", "plate.a"] }
joints.C = { type = "revolute", between = ["plate.b", "wheel"] }
joints.S = { type = "prismatic", between = ["ground.rail", "slider"], axis = "x" }
forces.spring = { type = "spring", between = ["plate.c", "slider"], stiffness = 10, free = 1 }
forces.damper = { type = "damper", between = ["plate.c", "slider"], damping = 1 }
outputs = { x = "plate.c.x", turn = "A.angle", push = "spring.force", both = "2 * plate.c.x" }
"#;

fn scene_of(text: &str, set: &[(String, f64)]) -> Scene {
    let source = Source::Toml {
        file: "test.toml".to_owned(),
        text: text.to_owned(),
    };
    scene(&source, set).unwrap_or_else(|found| panic!("{found}"))
}

/// Crank, plate, wheel and slider in two rows: the crank level, then upright.
fn record() -> Record {
    let bodies = ["crank", "plate", "wheel", "slider"];
    let names = bodies.map(|body| [0, 1, 2, 3].map(|k| format!("pose.{body}.{k}")).join(","));
    let level = "0,0,1,0,2,0,1,0,3,0,1,0,-1,3,1,0";
    let upright = "0,0,0,1,0,2,1,0,1,2,0,1,1,3,1,0";
    let csv = format!(
        "time,{},energy,work,phi\n0,{level},1,0,1e-9\n1,{upright},1,0,0\n",
        names.join(",")
    );
    Record::read(&csv).unwrap_or_else(|line| panic!("line {line}"))
}

fn motion(scene: &Scene) -> RecordedMotion {
    RecordedMotion::new(scene, &record()).unwrap()
}

#[test]
fn every_body_has_its_shape() {
    let scene = scene_of(PLANAR, &[]);
    let drawing = Drawing::new(&scene, &motion(&scene));
    let shape = |body: usize| {
        let mut parts = drawing.parts.iter();
        parts.find_map(|part| match part {
            DrawnPart::Hull {
                on,
                points,
                look: Look::Body,
                ..
            } if *on == Some(body) => Some(points.len()),
            DrawnPart::Stroke {
                on,
                points,
                look: Look::Body,
                ..
            } if *on == Some(body) => Some(points.len()),
            _ => None,
        })
    };
    // A bar, a plate of three corners, a disc, a block.
    assert_eq!(
        [0, 1, 2, 3].map(shape),
        [Some(2), Some(3), Some(28), Some(4)]
    );
}

#[test]
fn the_wheel_is_as_large_as_its_moment_says() {
    let scene = scene_of(PLANAR, &[]);
    // J = m r²/2
    assert!((scene.bodies[2].half[0] - 0.2).abs() < 1e-12);
}

#[test]
fn rails_reach_as_far_as_what_slides_on_them() {
    let scene = scene_of(PLANAR, &[]);
    let drawing = Drawing::new(&scene, &motion(&scene));
    let rail = drawing.parts.iter().find_map(|part| match part {
        DrawnPart::Stroke {
            points,
            look: Look::Rail,
            ..
        } => Some(points.clone()),
        _ => None,
    });
    let [left, right] = rail.unwrap()[..] else {
        panic!("a rail has two ends");
    };
    assert!(
        left[0] < -1.0 && right[0] > 1.0 && left[1] == 3.0,
        "{left:?} {right:?}"
    );
}

#[test]
fn springs_and_dampers_are_told_apart_and_motors_are_seen() {
    let scene = scene_of(PLANAR, &[]);
    let spans: Vec<Span> = scene.links.iter().map(|link| link.span).collect();
    assert_eq!(spans, [Span::Spring, Span::Damper]);
    let driven: Vec<bool> = scene.joints.iter().map(|joint| joint.driven).collect();
    assert_eq!(driven, [true, false, false, false]);
}

#[test]
fn outputs_have_the_units_that_their_expressions_tell() {
    let units = scene_of(PLANAR, &[])
        .outputs
        .into_iter()
        .map(|one| one.unit);
    assert_eq!(units.collect::<Vec<_>>(), ["m", "rad", "N", ""]);
}

#[test]
fn parameters_of_the_run_move_points() {
    let scene = scene_of(PLANAR, &[("l".to_owned(), 5.0)]);
    let tip = scene.points.iter().find(|point| point.name == "crank.tip");
    assert_eq!(tip.unwrap().place.at, [5.0, 0.0, 0.0]);
}

#[test]
fn points_go_with_their_bodies_and_what_outputs_tell_is_traced() {
    let scene = scene_of(PLANAR, &[]);
    let motion = motion(&scene);
    let path = |name: &str| {
        let point = scene.points.iter().find(|point| point.name == name);
        motion.path(point.unwrap().place)
    };
    for (found, expected) in path("crank.tip")
        .iter()
        .zip([[2.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
    {
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12, "{found:?}");
        }
    }
    let traced = traces(&scene, &motion);
    assert_eq!(traced.len(), 1);
    assert_eq!(scene.points[traced[0]].name, "plate.c");
    assert!(svg(&scene, &motion, &traced, [300, 200]).contains("class=\"trace c1\""));
}

/// A rotation by a right angle about z and one by half a turn about y, given by the images of x and y, and a thin rod
/// that is given by its direction alone.
#[test]
fn turns_in_space_are_those_that_their_axes_tell() {
    let text = r#"
        space = "spatial"
        bodies.a = { mass = 1, inertia = [1, 2, 3], free = true, points.p = [1, 2, 3] }
        bodies.rod = { mass = 1, inertia = [0, 1, 1], free = true, points.p = [2, 0, 0] }
    "#;
    let scene = scene_of(text, &[]);
    let a: Vec<String> = (0..9).map(|k| format!("pose.a.{k}")).collect();
    let rod: Vec<String> = (0..6).map(|k| format!("pose.rod.{k}")).collect();
    let header = format!("time,{},{}", a.join(","), rod.join(","));
    let rows = "0,5,0,0,0,1,0,-1,0,0,0,0,0,0,0,1\n1,0,0,0,-1,0,0,0,1,0,0,0,0,-1,0,0\n";
    let record = Record::read(&format!("{header}\n{rows}")).unwrap();
    let motion = RecordedMotion::new(&scene, &record).unwrap();
    let place = |name: &str| {
        scene
            .points
            .iter()
            .find(|point| point.name == name)
            .unwrap()
            .place
    };
    let expected = [
        ("a.p", [[3.0, 1.0, 3.0], [-1.0, 2.0, -3.0]]),
        ("rod.p", [[0.0, 0.0, 2.0], [-2.0, 0.0, 0.0]]),
    ];
    for (name, expected) in expected {
        let path = motion.path(place(name)).concat();
        for (found, expected) in path.iter().zip(expected.concat()) {
            assert!((found - expected).abs() < 1e-12, "{name}: {path:?}");
        }
    }
}

#[test]
fn a_page_asks_nothing_of_the_network() {
    let scene = scene_of(PLANAR, &[]);
    let record = record();
    let text = page(&Page {
        scene: &scene,
        record: &record,
        traces: &[],
        about: "<b> & \"so\"",
        frames: 100,
    });
    let text = text.unwrap();
    for word in ["http://", "https://", " src=", "@import", "{{"] {
        assert!(!text.contains(word), "{word}");
    }
    assert!(text.contains("&lt;b&gt; &amp; &quot;so&quot;"));
}

#[test]
fn an_output_alone_names_its_panel() {
    let scene = scene_of(PLANAR, &[]);
    let record = Record::read("time,x,both,energy,work\n0,1,2,3,0\n").unwrap();
    let mut all = panels(&scene, &record);
    let titles: Vec<&str> = all.iter().map(|panel| panel.title.as_str()).collect();
    assert_eq!(titles, ["x", "both", "energy", "energy drift"]);
    all[2].keep(|curve| curve.name == "energy");
    assert_eq!((all[2].title.as_str(), all[2].curves.len()), ("energy", 1));
}

#[test]
fn outputs_of_one_unit_stand_together_until_one_is_left() {
    let text = PLANAR.replace("both =", "y = \"plate.c.y\", both =");
    let scene = scene_of(&text, &[]);
    let record = Record::read("time,x,y\n0,1,2\n").unwrap();
    let panel = &mut panels(&scene, &record)[0];
    assert_eq!((panel.title.as_str(), panel.curves.len()), ("positions", 2));
    panel.keep(|curve| curve.name == "y");
    assert_eq!(panel.title, "y");
}

#[test]
fn a_record_without_poses_has_no_motion() {
    let scene = scene_of(PLANAR, &[]);
    let record = Record::read("time,x\n0,1\n").unwrap();
    assert_eq!(RecordedMotion::new(&scene, &record), None);
}
