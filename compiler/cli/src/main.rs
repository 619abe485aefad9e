//! The `bellcrank` command.

fn main() -> std::process::ExitCode {
    bellcrank_cli::main()
}
