#!/bin/sh
# Builds the library as `make` does, so that the bytes do not depend on the directory. CMakeLists.txt of the checkout calls it.
#
#   cargo_build.sh CARGO TARGET [FLAG...]    cargo, its target directory, and flags for cargo build
set -eu
cd "$(dirname "$0")/.."
PATH=$(dirname "$1"):$PATH
CARGO_TARGET_DIR=$2
export PATH CARGO_TARGET_DIR
shift 2
RUSTFLAGS=$(scripts/release_flags)
export RUSTFLAGS
exec cargo build --release --locked --package pwp-sim --lib "$@"
