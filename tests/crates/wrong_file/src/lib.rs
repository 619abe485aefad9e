//! Two faults in a file: both are reported, each with its line and column there.

bellcrank::mechanism!("wrong.toml");
