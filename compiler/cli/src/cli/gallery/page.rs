//! The index page: a card with a picture for each model.

use std::fmt::Write as _;
use std::path::Path;

use super::verdict::GalleryRow;
use crate::picture::escaped;

const TEMPLATE: &str = include_str!("../../../templates/gallery.html");

/// The contents of a card.
pub(super) struct Card<'c> {
    pub(super) entry: &'c GalleryRow,
    /// Heading and first sentence of the model's README.
    pub(super) about: &'c About,
    /// The drawing.
    pub(super) picture: &'c str,
}

/// The beginning of a README.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct About {
    title: String,
    sentence: String,
}

/// The page; its links lead to `<model>.html` in the same folder.
pub(super) fn page(cards: &[Card<'_>]) -> String {
    let texts: String = cards.iter().map(Card::html).collect();
    TEMPLATE
        .replace("{count}", &cards.len().to_string())
        .replace("{cards}", &texts)
}

impl About {
    /// Reads the README beside a description; without one, the name of the model.
    pub(super) fn read(folder: &Path, name: &str) -> Self {
        let text = std::fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        let about = Self::of(&text);
        match about.title.is_empty() {
            true => Self {
                title: name.to_owned(),
                ..about
            },
            false => about,
        }
    }

    fn of(text: &str) -> Self {
        let title = text.lines().find_map(|line| line.strip_prefix("# "));
        let body = text
            .lines()
            .skip_while(|line| line.is_empty() || line.starts_with('#') || line.starts_with("!["));
        let paragraph: Vec<&str> = body.take_while(|line| !line.is_empty()).collect();
        let paragraph = paragraph.join(" ").replace('`', "");
        let end = paragraph.find(". ").map_or(paragraph.len(), |end| end + 1);
        Self {
            title: title.unwrap_or_default().trim().to_owned(),
            sentence: paragraph[..end].to_owned(),
        }
    }
}

impl Card<'_> {
    fn html(&self) -> String {
        let entry = self.entry;
        let (model, size) = (escaped(&entry.model), entry.size);
        let mut out = format!(
            "<a class=\"card\" href=\"{model}.html\">\n<div class=\"picture\">{}</div>\n\
             <div class=\"text\">\n<h2>{}</h2>\n<p>{}</p>\n<dl>\n",
            self.picture,
            escaped(&self.about.title),
            escaped(&self.about.sentence)
        );
        let redundant = match size.redundant {
            0 => String::new(),
            1 => ", 1 redundant constraint equation".to_owned(),
            n => format!(", {n} redundant constraint equations"),
        };
        let figures = [
            ("freedoms", size.freedoms.to_string()),
            ("bodies", size.bodies.to_string()),
            ("loops", format!("{}{redundant}", size.loops)),
            ("formulation", entry.formulation.clone()),
            (
                "a step",
                format!("{:.2} µs", 1e-3 * entry.nanoseconds_per_step),
            ),
            (
                "speed",
                format!("{:.0} × real time", entry.real_time_factor),
            ),
        ];
        for (name, value) in figures {
            let _ = writeln!(out, "<dt>{name}</dt><dd>{}</dd>", escaped(&value));
        }
        let (class, word) = match entry.misses().is_empty() {
            true => ("holds", "within all bounds"),
            false => ("misses", "off a bound"),
        };
        let _ = writeln!(out, "<dt>checked</dt><dd class=\"{class}\">{word}</dd>");
        out + "</dl>\n</div>\n</a>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_readme_begins_with_what_it_is() {
        let text =
            "# Four-bar\n\n![picture](a.svg)\n\nA crank, `x`,\nand more. Not this.\n\nNor this.\n";
        let about = About::of(text);
        assert_eq!(about.title, "Four-bar");
        assert_eq!(about.sentence, "A crank, x, and more.");
        assert_eq!(About::of(""), About::default());
    }

    #[test]
    fn names_cannot_break_the_page() {
        assert_eq!(escaped("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
    }
}
