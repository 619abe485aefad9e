//! Injected faults: a test makes the n-th operation on a file fail. Outside of tests this does nothing.

use std::io;

#[cfg(not(test))]
pub(super) fn step() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
thread_local! {
    static LEFT: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) };
}

/// Lets `n` operations of this thread pass and the next ones fail.
#[cfg(test)]
pub(crate) fn after(n: Option<usize>) {
    LEFT.set(n);
}

#[cfg(test)]
pub(super) fn step() -> io::Result<()> {
    match LEFT.get() {
        Some(0) => Err(io::ErrorKind::StorageFull.into()),
        left => {
            LEFT.set(left.map(|left| left - 1));
            Ok(())
        }
    }
}
