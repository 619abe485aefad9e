//! Hints for words of other programs: the words that are used here, and the text to write instead.

use crate::diagnostics::Path;
use crate::joints::JointType;

/// The word that is used here for a type of joint or force.
pub(super) fn word(at: &Path, text: &str) -> Option<String> {
    let mut parts = at.as_str().split('.');
    let (table, element, key) = (parts.next()?, parts.next()?, parts.next()?);
    let text = text.to_ascii_lowercase().replace([' ', '_'], "-");
    match (table, key) {
        ("joints", "type") => joint_type(&text).map(|(noun, word)| {
            format!("{noun} is called `{word}` here: write `type = \"{word}\"`")
        }),
        ("forces", "type") => force_type(&text, element),
        ("couplings", "type") => coupling_type(&text),
        _ => None,
    }
}

/// The key to write instead of one that an element does not have.
pub(super) fn key(at: &Path, name: &str) -> Option<String> {
    let (table, element) = at.as_str().split_once('.')?;
    let name = name.to_ascii_lowercase();
    match table {
        "joints" => joint_key(element, &name),
        "bodies" => body_key(&name),
        _ => None,
    }
}

/// The meaning of a missing key.
pub(super) fn missing(at: &Path, key: &str) -> Option<&'static str> {
    let (table, _) = at.as_str().split_once('.')?;
    match (table, key) {
        ("joints", "type") => Some("write for example `type = \"revolute\"`"),
        ("joints", "between") => {
            Some("it names two points: `between = [\"ground.A\", \"crank.root\"]`")
        }
        _ => None,
    }
}

fn joint_type(text: &str) -> Option<(&'static str, &'static str)> {
    let text = text.strip_suffix("-joint").unwrap_or(text);
    let (noun, joint) = JointType::elsewhere(text)?;
    Some((noun, joint.word()))
}

fn force_type(text: &str, element: &str) -> Option<String> {
    Some(match text {
        "motor" | "drive" => format!(
            "a motor with a prescribed motion is a `motion` of its joint, `motion = {{ angle = \"2 rad/s * t\" }}`; one that \
             pushes is `[forces.{element}]` with `type = \"actuator\"`, `joint` and `law`"
        ),
        "gravity" | "weight" => {
            "gravity is a key of the description: `gravity = [0, -9.81]`".to_owned()
        }
        "friction" => format!(
            "friction is a law of the rate: `[forces.{element}]` with `type = \"damper\"`, `joint` and `law = \"-2 * \
             tanh(rate / 0.01)\"`"
        ),
        "dashpot" | "viscous" | "shock" => "a dashpot is called `damper` here".to_owned(),
        "moment" => "a moment is called `torque` here".to_owned(),
        _ => return None,
    })
}

fn coupling_type(text: &str) -> Option<String> {
    match text {
        "belt" | "chain" | "pulley" | "gears" => Some(
            "a belt or a chain is a `gear` with a positive `ratio`, turns of the second in one turn of the first"
                .to_owned(),
        ),
        "rack-and-pinion" | "rack-pinion" | "drum" | "winch" => {
            Some("an angle and a displacement are tied by a `rack` with its `radius`".to_owned())
        }
        _ => None,
    }
}

fn joint_key(joint: &str, key: &str) -> Option<String> {
    const LIMITS: &[&str] = &[
        "limit",
        "limits",
        "min",
        "max",
        "minimum",
        "maximum",
        "lower",
        "upper",
        "range",
        "stop",
        "stops",
        "end",
        "min_angle",
        "max_angle",
        "lower_limit",
        "upper_limit",
    ];
    const FRICTION: &[&str] = &["friction", "mu", "friction_coefficient", "coulomb", "brake"];
    const EFFORT: &[&str] = &["torque", "force", "motor", "effort", "actuator"];
    const DRIVE: &[&str] = &[
        "speed", "velocity", "rate", "omega", "rpm", "drive", "driver",
    ];
    const SPRING: &[&str] = &["spring", "spring_constant", "preload"];
    Some(match key {
        key if LIMITS.contains(&key) => format!(
            "joints have no limits. For a stop, write a stiff spring that acts beyond it: `[forces.{joint}_stop]` with \
             `type = \"actuator\"`, `joint = \"{joint}\"`, `law = \"if angle > 1 then -1000 * (angle - 1) else 0\"`; to end \
             the run there, `[events.{joint}_end]` with `when = \"{joint}.angle > 1\"`, `stop = true`"
        ),
        key if FRICTION.contains(&key) => format!(
            "joints have no friction. Write it as a law: `[forces.{joint}_friction]` with `type = \"damper\"`, `joint = \
             \"{joint}\"`, `law = \"-2 * tanh(rate / 0.01)\"` for dry friction of 2 N m, or `damping = \"0.1 N*m*s\"` for a \
             viscous one"
        ),
        key if EFFORT.contains(&key) => format!(
            "write `[forces.{joint}_motor]` with `type = \"actuator\"`, `joint = \"{joint}\"` and `law`, the torque or force"
        ),
        key if DRIVE.contains(&key) => {
            "a joint that is driven has a `motion`: `motion = { angle = \"60 rpm * t\" }`"
                .to_owned()
        }
        key if SPRING.contains(&key) => format!(
            "write `[forces.{joint}_spring]` with `type = \"spring\"`, `joint = \"{joint}\"`, `stiffness` and `free`"
        ),
        _ => return None,
    })
}

fn body_key(key: &str) -> Option<String> {
    Some(match key {
        "length" => {
            "a body is as long as its points are apart: `points = { root = [0, 0], tip = [\"100 mm\", 0] }`".to_owned()
        }
        "com" | "center_of_mass" | "centre" | "centre_of_mass" | "cg" | "cog" => {
            "the centre of mass is called `center` here".to_owned()
        }
        "rotation" | "theta" => "an angle in the plane is called `angle`, in space `orientation`".to_owned(),
        "moment_of_inertia" | "moi" | "i" | "izz" => "it is called `inertia` here".to_owned(),
        "force" | "torque" => {
            "a load is an element of its own: `[forces.name]` with `type = \"force\"` or `\"torque\"` and `on`".to_owned()
        }
        _ => return None,
    })
}

/// The text to write instead of a spring or a damper that is a key of a joint.
pub fn compliance(path: &Path) -> Option<String> {
    let rest = path.as_str().strip_prefix("joints.")?;
    let (joint, key) = rest.split_once('.')?;
    let (kind, example) = match key {
        "damping" | "rotational_damping" => ("damper", "damping = \"0.1 N*m*s\""),
        "stiffness" | "rotational_stiffness" => ("spring", "stiffness = \"10 N*m\""),
        _ => return None,
    };
    Some(format!(
        "for a {kind} in the joint write an element of its own: `[forces.{joint}_{kind}]` with `type = \"{kind}\"`, `joint = \
         \"{joint}\"`, `{example}`. As a key of a joint, `{key}` says how far the joint itself gives way, in the formulation \
         `discrete` only"
    ))
}

/// The text to write for a prescribed motion of constant rate, if the rate itself was given.
pub fn motion(path: &Path, is_rate: bool) -> Option<String> {
    let in_motion = path.as_str().contains(".motion.");
    (in_motion && is_rate).then(|| {
        "a motion says where the joint is at the time `t`: at a constant rate write the rate times `t`, such as `60 rpm * t` or \
         `0.1 m/s * t`"
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_other_programs_are_known_where_they_stand() {
        let told = |path: &str, text: &str| word(&Path::new(path), text).unwrap_or_default();
        assert!(told("joints.A.type", "Hinge").contains("`revolute`"));
        assert!(told("joints.A.type", "ball joint").contains("`spherical`"));
        assert!(told("joints.A.type", "slider").contains("`prismatic`"));
        assert_eq!(told("forces.A.type", "slider"), "");
        assert!(told("forces.m.type", "motor").contains("[forces.m]"));
    }

    #[test]
    fn only_springs_and_dampers_of_joints_become_elements() {
        let told = |path: &str| compliance(&Path::new(path));
        assert!(told("joints.A.damping").is_some_and(|hint| hint.contains("[forces.A_damper]")));
        assert_eq!(told("forces.A.damping"), None);
        assert_eq!(told("joints.A.length"), None);
    }
}
