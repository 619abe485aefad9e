use super::*;
use crate::description::Direction;
use crate::diagnostics::Severity;

/// The pendulum with an event, a variable of a known dimension, and another event that sets it.
fn event(lines: &str) -> String {
    let other = "events.other = { when = 't - 9', set = { slack = 0 } }";
    let event = format!("variables.slack = '3 mm'\nevents.e = {{ {lines} }}\n{other}");
    with(PENDULUM, &event)
}

fn direction(lines: &str) -> Direction {
    model(&event(lines)).events[0].direction
}

#[test]
fn a_comparison_counts_where_it_becomes_true() {
    assert_eq!(direction("when = 'rod.x', stop = true"), Direction::Both);
    for text in ["rod.x > 1", "rod.x >= 1", "1 < rod.x", "(1 <= rod.x)"] {
        let model = model(&event(&format!("when = '{text}', stop = true")));
        let event = &model.events[0];
        assert_eq!(event.direction, Direction::Rising, "{text}");
        assert_eq!(event.when.to_string(), "m0 - 1", "{text}");
    }
    let written = "when = 'rod.x > 1', direction = 'falling', stop = true";
    assert_eq!(direction(written), Direction::Falling);
}

#[test]
fn what_is_watched_must_change_and_be_one_expression() {
    let wrong = |when: &str, code: &str| {
        check(&event(&format!("when = {when}, stop = true")), &[code]);
    };
    for constant in ["1", "'2 * pi'", "'slack - 1 mm'"] {
        wrong(constant, "M224 events.e.when");
    }
    for text in [
        "'rod.x == 1'",
        "'rod.x > 1 and t > 2'",
        "'not t > 1'",
        "'t >'",
    ] {
        wrong(text, "D110 events.e.when");
    }
    wrong("'rod.x > 1 mm + 1 kg'", "D109 events.e.when");
    wrong("'rodd.x'", "M211 events.e.when");
    check(
        &event("when = 'A.force.x - energy.kinetic', stop = true"),
        &[],
    );
}

#[test]
fn only_variables_are_set_and_by_their_dimension() {
    let wrong = |set: &str, code: &str| {
        check(
            &event(&format!("when = 't - 1', set = {{ {set} }}")),
            &[code],
        );
    };
    check(
        &event("when = 't - 1', set = { slack = '2 * slack + 1 mm' }"),
        &[],
    );
    check(
        &event("when = 't - 1', set = { slack = 'rod.ax + A.torque' }"),
        &[],
    );
    wrong("slac = 1", "M201 events.e.set.slac");
    wrong("rod = 1", "M201 events.e.set.rod");
    wrong("slack = '1 kg'", "D109 events.e.set.slack");
    wrong("slack = 'nothing'", "M211 events.e.set.slack");
}

#[test]
fn all_that_is_wrong_with_an_event_is_told_at_once() {
    let text = event("when = 1, set = { slac = '1 +', slack = 's' }");
    let expected = [
        "M224 events.e.when",
        "M201 events.e.set.slac",
        "D110 events.e.set.slac",
        "M211 events.e.set.slack",
    ];
    check(&text, &expected);
}

#[test]
fn variables_are_known_where_time_is() {
    let law = |text: &str, codes: &[&str]| {
        let events = "variables.w = 1\nevents.e = { when = 't - 1', set = { w = 2 } }";
        check(&with(PENDULUM, &format!("{events}\n{text}")), codes);
    };
    law("outputs.o = 'w'", &[]);
    law(
        "forces.f = { type = 'torque', on = 'rod', torque = 'w' }",
        &[],
    );
    law("parameters.p = 'w'", &["M216 parameters.p"]);
    law("ground.points.q = ['w', 0]", &["M216 ground.points.q[0]"]);
    let driven = "joints.B = { type = 'prismatic', between = ['ground', 'rod'], axis = 'x'";
    law(
        &format!("{driven}, motion = {{ displacement = 'w * t' }} }}"),
        &[],
    );
}

#[test]
fn variables_share_the_space_of_names_and_events_have_their_own() {
    check_pendulum(
        "variables.rod = 1\nevents.e = { when = 't', set = { rod = 1 } }",
        &["M202 bodies.rod", "M201 events.e.set.rod"],
    );
    check_pendulum("events.rod = { when = 't', stop = true }", &[]);
    check_pendulum(
        "events.E = { when = 't', stop = true }\nevents.e = { when = 't', stop = true }",
        &["M204 events.e"],
    );
    check_pendulum(
        "events.time = { when = 't', stop = true }",
        &["M205 events.time"],
    );
}

#[test]
fn what_has_no_effect_is_a_warning() {
    let text = with(PENDULUM, "variables.w = 1\nevents.e = { when = 't - 1' }");
    let description: Description = toml::from_str(&text).unwrap();
    let (_, warnings) = resolve(&description, "test").unwrap();
    let found: Vec<_> = warnings
        .iter()
        .map(|d| (d.severity, d.code.to_string()))
        .collect();
    let expected = ["M225", "M226"].map(|code| (Severity::Warning, code.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn there_are_no_more_events_than_a_report_has_room_for() {
    let events = |n: usize| -> String {
        let one = |k| format!("events.e{k} = {{ when = 't - {k}', stop = true }}\n");
        (0..n).map(one).collect()
    };
    check_pendulum(&events(64), &[]);
    check_pendulum(&events(65), &["M227 events"]);
}

#[test]
fn an_event_is_printed_with_what_it_does() {
    let text = event("when = 'rod.x > slack', set = { slack = 'slack + rod.y' }, stop = true");
    let printed = model(&text).to_string();
    let lines: Vec<_> = printed
        .lines()
        .filter(|line| {
            ["variable", "event", "  set"]
                .iter()
                .any(|word| line.starts_with(word))
        })
        .collect();
    let expected = [
        "variable slack = 0.003",
        "event e: m0 - slack, rising, stops",
        "  set slack = slack + m1",
        "event other: t - 9, both",
        "  set slack = 0",
    ];
    assert_eq!(lines, expected);
}
