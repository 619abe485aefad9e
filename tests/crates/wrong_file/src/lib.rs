//! Two faults in a file: both are told, each with its line and column there.

bellcrank::mechanism!("wrong.toml");
