fn main() -> Result<(), bellcrank_compiler::build::Error> {
    bellcrank_compiler::build::compile("../../../models/quick_return/model.toml")
}
