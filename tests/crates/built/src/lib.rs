//! A mechanism from a build script.

bellcrank::include_mechanism!("quick_return");
