"""Builds what a wheel has beside the Python files: `libpwp_sim.so`, by cargo from the checkout around this folder, and
`_ffi.py`, which cffi makes of `include/pwp_sim.cffi.h`.

The library has a C interface alone, so one wheel serves every CPython from 3.9 on: py3-none-<platform>.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from cffi import FFI
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "pwp-sim"


def library(root: Path) -> Path:
    """Builds the shared library, optimised, and gives its path, which the environment (CARGO_TARGET_DIR) may decide."""
    cargo = os.environ.get("CARGO") or shutil.which("cargo")
    if cargo is None:
        raise SystemExit("pwp-sim is built by cargo, which is not here: install Rust (https://rustup.rs)")
    command = [cargo, "build", "--release", "--locked", "--package", PACKAGE, "--lib"]
    command += ["--message-format", "json-render-diagnostics"]
    # With the flags of `make`: the bytes do not depend on the directory.
    flags = subprocess.run([root / "scripts" / "release_flags"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    environment = {**os.environ, "RUSTFLAGS": flags}
    done = subprocess.run(command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"pwp-sim: `{' '.join(command)}` failed with status {done.returncode}")
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    files = [
        Path(file)
        for message in messages
        if message["reason"] == "compiler-artifact" and "cdylib" in message["target"]["kind"]
        for file in message["filenames"]
    ]
    shared = [file for file in files if file.suffix in (".so", ".dylib", ".dll")]
    if len(shared) != 1:
        raise SystemExit(f"pwp-sim: cargo built {shared or 'no shared library'}")
    return shared[0]


def declarations(root: Path, directory: Path) -> Path:
    """Writes what cffi needs to know of the C interface, as a Python file."""
    ffi = FFI()
    ffi.cdef((root / "include" / "pwp_sim.cffi.h").read_text())
    ffi.set_source("pwp_sim._ffi", None)
    path = directory / "_ffi.py"
    ffi.emit_python_code(str(path))
    return path


class CustomBuildHook(BuildHookInterface):  # hatchling looks for this name
    """Adds the two files, and gives the wheel the name of the platform."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root).parent
        if self.target_name == "sdist" or not (root / "Cargo.toml").is_file():
            raise SystemExit("pwp-sim is built from a checkout of the repository: `pip wheel ./python`, not from an sdist")
        self.scratch = tempfile.TemporaryDirectory(prefix="pwp-sim-")
        built = library(root)
        files = {
            str(built): f"pwp_sim/{built.name}",
            str(declarations(root, Path(self.scratch.name))): "pwp_sim/_ffi.py",
        }
        if version == "editable":
            # Such a wheel only points to the sources: what is built has to stand among them.
            for source, target in files.items():
                shutil.copy(source, Path(self.root) / "src" / target)
        else:
            build_data["force_include"].update(files)
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.scratch.cleanup()
