//! `pwp manual`: the man pages and the shells' completions, in the folders that a prefix's `share` has for them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Command};
use clap_complete::{Shell, generate_to};

use crate::output;

/// Write the man pages and the completions of the shells
#[derive(Debug, Args)]
pub struct Options {
    /// Where they go: the share of a prefix, such as /usr/local/share
    #[arg(value_name = "DIR")]
    share: PathBuf,
}

/// Where the shells look for completions.
const COMPLETIONS: [(Shell, &str); 3] = [
    (Shell::Bash, "bash-completion/completions"),
    (Shell::Zsh, "zsh/site-functions"),
    (Shell::Fish, "fish/vendor_completions.d"),
];

/// Runs `pwp manual` for the command.
///
/// # Errors
/// A file that cannot be written.
pub fn run(options: &Options, mut command: Command) -> Result<()> {
    let directory = |name: &str| -> Result<PathBuf> {
        let path = options.share.join(name);
        std::fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(path)
    };
    let context = |path: &Path| format!("cannot write into {}", path.display());
    for (shell, folder) in COMPLETIONS {
        let path = directory(folder)?;
        let written = generate_to(shell, &mut command, "pwp", &path).with_context(|| context(&path))?;
        if shell == Shell::Bash {
            // Bash looks for a file of the command's own name.
            std::fs::rename(&written, path.join("pwp")).with_context(|| context(&path))?;
        }
    }
    let pages = directory("man/man1")?;
    clap_mangen::generate_to(command.disable_help_subcommand(true), &pages).with_context(|| context(&pages))?;
    output::print(&format!("Man pages and completions are in {}.\n", options.share.display()))
}
