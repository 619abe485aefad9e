//! The pipeline on the models of the gallery, in one process.

mod common;
mod derivatives;
mod models;
mod physics;
