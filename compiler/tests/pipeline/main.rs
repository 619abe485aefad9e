//! The pipeline on the models of the gallery, in one process.

mod choice;
mod codes;
mod common;
mod corners;
mod derivatives;
mod discrete;
mod formulations;
mod generated;
mod growth;
mod methods;
mod models;
mod physics;
mod refined;
mod shapes;
mod tangents;
