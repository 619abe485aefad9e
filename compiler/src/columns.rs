//! Tables for people: columns of spaces, or Markdown that is aligned as text too.

/// A line of a table: the first cells are words, the others numbers.
pub type Line = Vec<String>;

/// Columns with spaces between them; the first `n_words` are words.
pub fn spaced(lines: &[Line], n_words: usize) -> String {
    let widths = widths(lines);
    let text = |line: &Line| {
        padded(line, &widths, n_words)
            .join("  ")
            .trim_end()
            .to_owned()
            + "\n"
    };
    lines.iter().map(text).collect()
}

/// Markdown; the first `n_words` columns are words.
pub fn in_markdown(lines: &[Line], n_words: usize) -> String {
    let widths = widths(lines);
    let text = |cells: Line| format!("| {} |\n", cells.join(" | "));
    let rule = |(column, width): (usize, &usize)| match column < n_words {
        true => "-".repeat(*width),
        false => "-".repeat(width - 1) + ":",
    };
    let rule = text(widths.iter().enumerate().map(rule).collect());
    let mut texts = lines
        .iter()
        .map(|line| text(padded(line, &widths, n_words)));
    let titles = texts.next().unwrap_or_default();
    [titles, rule].into_iter().chain(texts).collect()
}

fn widths(lines: &[Line]) -> Vec<usize> {
    let n_columns = lines.first().map_or(0, Vec::len);
    let width = |k: usize| lines.iter().map(|line| width(&line[k])).max();
    (0..n_columns).filter_map(width).collect()
}

/// Letters that take room: the dot above Φ takes none.
fn width(text: &str) -> usize {
    text.chars().filter(|letter| *letter != '\u{307}').count()
}

fn padded(line: &Line, widths: &[usize], n_words: usize) -> Line {
    let cells = line.iter().zip(widths).enumerate();
    let pad = |(column, (cell, wide)): (usize, (&String, &usize))| {
        let space = " ".repeat(wide - width(cell));
        match column < n_words {
            true => format!("{cell}{space}"),
            false => format!("{space}{cell}"),
        }
    };
    cells.map(pad).collect()
}
