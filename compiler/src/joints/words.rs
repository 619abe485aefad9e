//! The words by which descriptions name the kinds of joints, and their sentences in the schema.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};
use std::sync::LazyLock;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{JointKind, JointType};

/// All words that a description may use.
static WORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let kinds = JointType::ALL.iter().map(|joint| joint.kind());
    kinds.flat_map(words).collect()
});

fn words(kind: &'static JointKind) -> impl Iterator<Item = &'static str> {
    std::iter::once(kind.word).chain(kind.aliases.iter().copied())
}

impl JointType {
    /// The kind that a word of a description means.
    fn of(word: &str) -> Option<Self> {
        let mut all = JointType::ALL.iter().copied();
        all.find(|joint| words(joint.kind()).any(|known| known == word))
    }

    /// The kind that a word of another program means, with its noun.
    pub fn elsewhere(word: &str) -> Option<(&'static str, Self)> {
        let nouns = |joint: Self| joint.kind().elsewhere.iter().map(move |e| (e, joint));
        let mut all = JointType::ALL.iter().copied().flat_map(nouns);
        all.find_map(|((noun, words), joint)| words.contains(&word).then_some((*noun, joint)))
    }
}

impl Display for JointType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Serialize for JointType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for JointType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = Cow::<str>::deserialize(deserializer)?;
        Self::of(&word).ok_or_else(|| D::Error::unknown_variant(&word, &WORDS))
    }
}

impl JsonSchema for JointType {
    fn schema_name() -> Cow<'static, str> {
        "JointType".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let kind = |joint: &JointType| {
            let JointKind { word, about, .. } = joint.kind();
            json_schema!({ "type": "string", "const": word, "description": about })
        };
        let kinds: Vec<Schema> = JointType::ALL.iter().map(kind).collect();
        json_schema!({ "description": "Kinds of joints.", "oneOf": kinds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_mean_one_kind_each() {
        let mut all: Vec<&str> = WORDS.clone();
        let elsewhere = JointType::ALL.iter().flat_map(|j| j.kind().elsewhere);
        all.extend(elsewhere.flat_map(|(_, words)| *words));
        let n = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), n, "{all:?}");
    }

    #[test]
    fn kinds_say_their_motions() {
        for joint in JointType::ALL {
            let about = joint.kind().about;
            assert!(about.ends_with('.') && about.len() > 10, "{joint}: {about}");
        }
    }
}
