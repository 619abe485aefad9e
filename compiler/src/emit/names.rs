//! Names of the description as Rust identifiers: ASCII, in the case that Rust expects, never a keyword,
//! never twice in one scope.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span};

/// `four_bar`
pub fn snake(name: &str) -> String {
    safe(words(name).join("_"), "n")
}

/// `FourBar`
pub fn camel(name: &str) -> String {
    let joined = if is_camel(name) {
        name.to_owned()
    } else {
        words(name).iter().map(|word| capital(word)).collect()
    };
    safe(joined, "N")
}

/// `FOUR_BAR`
pub fn screaming(name: &str) -> String {
    snake(name).to_ascii_uppercase()
}

/// The identifier of a name that is already in its final form.
pub fn identifier(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// The names that a scope already has.
#[derive(Clone, Debug, Default)]
pub struct Taken(BTreeSet<String>);

impl Taken {
    /// A scope with the given names in it.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self(names.into_iter().map(str::to_owned).collect())
    }

    /// The first of `name`, `name_2`, `name_3`, … for which neither it nor its `companions` are
    /// taken; all of them are taken afterwards.
    pub fn claim(&mut self, name: &str, companions: impl Fn(&str) -> Vec<String>) -> String {
        let mut candidate = name.to_owned();
        for n in 2.. {
            let mut all = companions(&candidate);
            all.push(candidate.clone());
            if all.iter().all(|one| !self.0.contains(one)) {
                self.0.extend(all);
                break;
            }
            candidate = format!("{name}_{n}");
        }
        candidate
    }

    /// True if the scope has the name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// Lower-case words: cut at everything that is no letter or digit, and where the case rises.
fn words(name: &str) -> Vec<String> {
    let ascii: Vec<char> = name.chars().flat_map(spell).collect();
    let mut words = vec![String::new()];
    for (i, &c) in ascii.iter().enumerate() {
        if !c.is_ascii_alphanumeric() || starts_word(&ascii, i) {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric() {
            words
                .last_mut()
                .unwrap_or(&mut String::new())
                .push(c.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// `aB` starts a word at `B`, and `ABc` does too.
fn starts_word(text: &[char], i: usize) -> bool {
    let before = i.checked_sub(1).map(|k| text[k]);
    let after = text.get(i + 1);
    text[i].is_ascii_uppercase()
        && before.is_some_and(|b| {
            b.is_ascii_lowercase()
                || b.is_ascii_digit()
                || b.is_ascii_uppercase() && after.is_some_and(char::is_ascii_lowercase)
        })
}

/// Greek letters by their names, other letters by their code, everything else as it is.
fn spell(c: char) -> Vec<char> {
    const GREEK: [&str; 25] = [
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
        "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "sigma", "tau", "upsilon",
        "phi", "chi", "psi", "omega",
    ];
    let greek = |first: char| GREEK.get((c as usize).wrapping_sub(first as usize));
    let text = match c {
        _ if c.is_ascii() || !c.is_alphanumeric() => return vec![c],
        'ϕ' => "phi".to_owned(),
        'µ' => "mu".to_owned(),
        _ => match greek('α').or_else(|| greek('Α')) {
            Some(name) => (*name).to_owned(),
            None => format!("u{:x}", c as u32),
        },
    };
    format!("_{text}_").chars().collect()
}

fn is_camel(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_ascii_uppercase().to_string() + chars.as_str()
    })
}

/// A prefix where Rust wants a letter, an underscore after a keyword.
fn safe(name: String, prefix: &str) -> String {
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return prefix.to_owned() + name.as_str();
    }
    // `gen` is a keyword since the edition of 2024, which `syn` does not go by.
    if name == "gen" || syn::parse_str::<Ident>(&name).is_err() {
        name + "_"
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_keyword_of_rust_is_left() {
        const KEYWORDS: &str = "abstract as async await become box break const continue crate do dyn else \
            enum extern false final fn for gen if impl in let loop macro match mod move mut override priv \
            pub ref return self Self static struct super trait true try type typeof unsafe unsized use \
            virtual where while yield";
        for word in KEYWORDS.split_whitespace() {
            assert_eq!(snake(word), format!("{}_", word.to_lowercase()));
            assert!(syn::parse_str::<Ident>(&camel(word)).is_ok(), "{word}");
        }
        let mut taken = Taken::default();
        let none = |_: &str| Vec::new();
        let names = ["box_", "box"].map(|name| taken.claim(&snake(name), none));
        assert_ne!(names[0], names[1]);
    }

    #[test]
    fn cases_follow_the_words() {
        let check = |name, expected: [&str; 3]| {
            assert_eq!(
                [snake(name), camel(name), screaming(name)],
                expected,
                "{name}"
            );
        };
        check("FourBar", ["four_bar", "FourBar", "FOUR_BAR"]);
        check("four bar", ["four_bar", "FourBar", "FOUR_BAR"]);
        check(
            "RSSRLinkage2",
            ["rssr_linkage2", "RSSRLinkage2", "RSSR_LINKAGE2"],
        );
        check(
            "crank.φ_max",
            ["crank_phi_max", "CrankPhiMax", "CRANK_PHI_MAX"],
        );
        check("Ω", ["omega", "Omega", "OMEGA"]);
        check("größe", ["gr_uf6_udf_e", "GrUf6UdfE", "GR_UF6_UDF_E"]);
        check("4-bar", ["n4_bar", "N4Bar", "N4_BAR"]);
        check("type", ["type_", "Type", "TYPE_"]);
        check("self", ["self_", "Self_", "SELF_"]);
        check("--", ["n", "N", "N"]);
    }

    #[test]
    fn a_scope_has_no_name_twice() {
        let mut taken = Taken::new(["new"]);
        let pair = |name: &str| vec![format!("set_{name}")];
        assert_eq!(taken.claim("new", pair), "new_2");
        assert_eq!(taken.claim("x", pair), "x");
        assert_eq!(taken.claim("set_x", pair), "set_x_2");
    }
}
