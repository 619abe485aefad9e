//! The macro, the build helper and the command, as their users meet them.

mod bare;
mod bench;
mod biped;
mod browser;
mod bytes;
mod compare;
mod crates;
mod documents;
mod evaluators;
mod fuzz;
mod gallery;
mod generate;
mod laws;
mod pages;
mod run;
mod workbench;
