//! The macro, the build helper and the command, as their users meet them.

mod bytes;
mod crates;
mod evaluators;
mod laws;
mod lints;
mod reader;
mod readme;
mod run;
mod workbench;
