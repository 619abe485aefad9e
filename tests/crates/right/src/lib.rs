//! Mechanisms from files.

bellcrank::mechanism!("../../../models/spatial_four_bar/model.toml");
bellcrank::mechanism!("../../../models/spatial_slider_crank/model.toml");
