//! The `bellcrank` command.

fn main() -> std::process::ExitCode {
    bellcrank_compiler::cli::main()
}
