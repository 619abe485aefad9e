use super::*;

#[test]
fn names_share_one_space() {
    check_pendulum("constants.rod = 1", &["M202 bodies.rod"]);
    check_pendulum(
        "forces.A = { type = \"torque\", on = \"rod\", torque = 1 }",
        &["M202 forces.A"],
    );
    check_pendulum("outputs.rod = \"rod.angle\"", &[]);
}

#[test]
fn names_differ_in_more_than_case() {
    check_pendulum("parameters.Rod = 1", &["M204 bodies.rod"]);
    check_pendulum("outputs.A = 1\noutputs.a = 2", &["M204 outputs.a"]);
}

#[test]
fn names_are_identifiers() {
    for name in [
        "ground", "t", "tau", "sin", "energy", "momentum", "if", "\"a b\"", "\"1a\"", "\"_\"",
        "\"\"", "\"ä\"",
    ] {
        let found = try_model(&with(PENDULUM, &format!("constants.{name} = 1")));
        let found = found.expect_err("not a name");
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found[0].starts_with("M205 constants."), "{found:?}");
    }
    check_pendulum("outputs.length = 1", &[]);
    check_pendulum("outputs.time = 1", &["M205 outputs.time"]);
    check_pendulum("ground.points.x = [0, 0]", &["M205 ground.points.x"]);
    check_pendulum("ground.axes.x = [0, 1]", &["M205 ground.axes.x"]);
}

/// Keywords of Rust are no business of a description.
#[test]
fn names_may_be_words_of_rust() {
    for word in [
        "box", "self", "Self", "crate", "super", "fn", "type", "gen", "in",
    ] {
        for (group, value) in [
            ("constants", "1"),
            ("parameters", "1"),
            ("inputs", "1"),
            ("outputs", "1"),
            ("bodies", "{ mass = 1, inertia = 1, free = true }"),
        ] {
            check_pendulum(&format!("{group}.{word} = {value}"), &[]);
        }
    }
}

#[test]
fn outputs_may_be_called_like_columns_and_it_is_told() {
    let text = with(
        PENDULUM,
        "outputs.energy = 1\noutputs.phi = 2\noutputs.x = 3",
    );
    let description: Description = toml::from_str(&text).expect("TOML");
    let (_, warnings) = resolve(&description, "test").expect("a model");
    let told: Vec<_> = warnings
        .iter()
        .map(|d| format!("{} {}", d.code, d.path))
        .collect();
    assert_eq!(told, ["M230 outputs.energy", "M230 outputs.phi"]);
}

#[test]
fn a_number_may_be_called_like_a_quantity_of_an_element() {
    for group in ["constants", "parameters", "inputs"] {
        for name in ["length", "rate", "angle", "x", "center"] {
            check_pendulum(&format!("{group}.{name} = 1"), &[]);
        }
    }
    check_pendulum(
        "tables.length = { x = [0, 1], y = [0, 1] }",
        &["M205 tables.length"],
    );
}

#[test]
fn a_law_that_could_mean_a_number_or_its_own_quantity_is_refused() {
    let law = |number: &str, law: &str| {
        format!("{number} = 1\nforces.f = {{ type = \"spring\", joint = \"A\", law = \"{law}\" }}")
    };
    check_pendulum(
        &law("parameters.angle", "-2 * angle"),
        &["M223 forces.f.law"],
    );
    check_pendulum(&law("inputs.rate", "-rate"), &["M223 forces.f.law"]);
    check_pendulum(&law("constants.length", "-2 * length * angle"), &[]);
    check_pendulum(&law("parameters.angle", "-2 * A.angle"), &[]);
}

#[test]
fn type_name_comes_from_the_description_or_the_file() {
    assert_eq!(model(PENDULUM).name, "Test");
    let mut description: Description = toml::from_str(PENDULUM).expect("TOML");
    let named = |d: &Description, file: &str| resolve(d, file).map(|(model, _)| model.name);
    assert_eq!(named(&description, "four-bar_2"), Ok("FourBar2".to_owned()));
    assert!(named(&description, "4bar").is_err());
    description.name = Some("Clock".to_owned());
    assert_eq!(named(&description, "4bar"), Ok("Clock".to_owned()));
    description.name = Some("a b".to_owned());
    let found = resolve(&description, "x").expect_err("no type name");
    assert_eq!(
        found.iter().next().map(|d| d.path.to_string()),
        Some("name".to_owned())
    );
}

#[test]
fn unknown_names_come_with_the_nearest() {
    let text = with(
        PENDULUM,
        "-joints\njoints.A = { type = \"revolute\", between = [\"ground.pun\", \"rodd.top\"] }",
    );
    check(
        &text,
        &["M201 joints.A.between[0]", "M201 joints.A.between[1]"],
    );
    assert!(first_message(&text).contains("did you mean `pin`?"));
}

#[test]
fn a_mechanism_has_a_body() {
    check("space = \"planar\"", &["D111 "]);
}
