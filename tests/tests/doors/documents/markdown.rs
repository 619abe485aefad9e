//! As much of Markdown as the tests of documents need.

/// A fenced block: the word after the fence, its lines, and the comment in the line before it.
#[derive(Debug, PartialEq)]
pub struct Block {
    pub language: String,
    pub text: String,
    pub comment: Option<String>,
}

/// The fenced blocks, those in HTML comments too: readers do not see these, and tests do.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    let mut before = "";
    for line in page.lines() {
        match (open.take(), line.trim_start().strip_prefix("```")) {
            (Some(block), Some("")) => blocks.push(block),
            (Some(mut block), _) => {
                block.text += line;
                block.text.push('\n');
                open = Some(block);
            }
            (None, Some(language)) => {
                open = Some(Block {
                    language: language.to_owned(),
                    text: String::new(),
                    comment: comment(before),
                });
            }
            (None, None) => {}
        }
        before = line;
    }
    assert!(open.is_none(), "a block is not closed: {open:?}");
    blocks
}

/// `<!-- in NAME -->`, for what readers need not see.
fn comment(line: &str) -> Option<String> {
    let text = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    Some(text.to_owned())
}

/// The lines outside of fenced blocks.
pub fn prose(page: &str) -> Vec<String> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            lines.push(line.to_owned());
        }
    }
    lines
}

/// A line without its code spans.
pub fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// Targets of links and images: `[text](target)` and `![text](target)`.
pub fn targets(page: &str) -> Vec<String> {
    let target = |rest: &str| rest.split(')').next().unwrap_or_default().to_owned();
    prose(page)
        .iter()
        .map(|line| without_code(line))
        .flat_map(|line| line.split("](").skip(1).map(target).collect::<Vec<_>>())
        .collect()
}

/// The targets of links in a page: headings, as GitHub and mdBook name them, and written anchors.
pub fn anchors(page: &str) -> Vec<String> {
    let heading = |line: &String| {
        let text = line.trim_start_matches('#');
        (text.len() < line.len() && text.starts_with(' ')).then(|| slug(text))
    };
    let written = |line: &String| {
        let (_, rest) = line.split_once("<a id=\"")?;
        rest.split('"').next().map(str::to_owned)
    };
    let lines = prose(page);
    let headings = lines.iter().filter_map(heading);
    headings.chain(lines.iter().filter_map(written)).collect()
}

fn slug(heading: &str) -> String {
    // The text of a link counts, its target does not.
    let mut text = String::new();
    for part in heading.split("](") {
        match text.is_empty() {
            true => text += part,
            false => text += part.split_once(')').map_or(part, |(_, rest)| rest),
        }
    }
    let kept = text.trim().to_lowercase();
    let kept = kept.chars().filter_map(|c| match c {
        c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
        c if c.is_whitespace() => Some('-'),
        _ => None,
    });
    kept.collect()
}

#[test]
fn blocks_and_links_are_found() {
    let page = "# A `b` & c\nsee [d](e.md#f), `[no](link)`\n```sh\n[no](either)\n```\n<!--\n```toml\na = 1\n```\n-->\n";
    let found = blocks(page);
    assert_eq!(found.len(), 2);
    assert_eq!(
        (found[1].language.as_str(), found[1].text.as_str()),
        ("toml", "a = 1\n")
    );
    assert_eq!(targets(page), ["e.md#f"]);
    assert_eq!(anchors(page), ["a-b--c"]);
}
