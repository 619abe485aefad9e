//! The `bellcrank` command.
fn main() {}
