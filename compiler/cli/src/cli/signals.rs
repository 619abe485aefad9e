//! On Ctrl-C and similar signals: removes temporary files, then ends the process as the signal would have.

/// Listens from now on. A signal that the caller made this process ignore stays ignored.
#[cfg(unix)]
pub(super) fn listen() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    let ignored = ignored();
    let heard = [SIGHUP, SIGINT, SIGTERM].into_iter();
    let heard = heard.filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let Ok(mut signals) = Signals::new(heard) else {
        return;
    };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            crate::output_file::remove_temporaries();
            let _ = emulate_default_handler(signal);
        }
    });
}

#[cfg(not(unix))]
pub(super) fn listen() {}

/// Signals that this process ignores, one bit each. `nohup` and shells without job control set them. Only Linux
/// reports them; elsewhere the set is empty.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}
