//! The `bellcrank` command, the same as the compiler's own.

fn main() -> std::process::ExitCode {
    bellcrank_cli::main()
}
