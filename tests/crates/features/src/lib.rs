//! Nothing; see the manifest.
