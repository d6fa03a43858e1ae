//! What the help of several commands has in common.

/// The last paragraph of a command's help, one command a line.
pub fn examples(commands: &[&str]) -> String {
    let lines: String = commands.iter().map(|command| format!("\n  {command}")).collect();
    format!("Examples:{lines}")
}
