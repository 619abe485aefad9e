//! Faults of the world around the command: full disks, files that are something else, processes that are killed,
//! caches that are damaged or planted. Each has the right result, or a message and nothing lost.
#![cfg(target_os = "linux")]

mod bench;
mod cache;
mod children;
mod files;
mod limits;
