#!/bin/sh
# The crates as they would be released: what is inside, that each builds from that alone and from the others as a registry would
# give them, `make install` in the unpacked crate of the library, and a Rust program that depends on a checkout.
#
#   crates.sh ROOT TARGET    the repository, and cargo's target directory; FLAGS for cargo package (--no-default-features)
set -eu
[ $# = 2 ] || { echo "usage: $0 ROOT TARGET" >&2; exit 2; }
root=$(realpath "$1")
mkdir -p "$2"
target=$(realpath "$2")
CARGO_TARGET_DIR=$target
export CARGO_TARGET_DIR
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)
largest=200000 # bytes

fail() {
    echo "crates: $1" >&2
    exit 1
}

# has CRATE FILE...: the unpacked crate has the files.
has() {
    crate=$1
    shift
    for file in "$@"; do
        [ -f "$work/$crate-$version/$file" ] || fail "$crate has no $file"
    done
}

cd "$root"
rm -f "$target"/package/*.crate
# shellcheck disable=SC2086
cargo package --allow-dirty --locked ${FLAGS:-} -p pwp-sim-core -p pwp-sim -p pwp-foreign -p pwp >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "cargo package failed"; }
for crate in pwp-sim-core pwp-sim pwp-foreign pwp; do
    tar -xf "$target/package/$crate-$version.crate" -C "$work"
    has $crate LICENSE-APACHE LICENSE-MIT Cargo.lock
    large=$(find "$work/$crate-$version" -type f -size +${largest}c)
    [ -z "$large" ] || fail "$crate has large files: $large"
    if find "$work/$crate-$version" | grep -E '\.(so|a|o|json\.gz|csv)$'; then fail "$crate has the files above"; fi
    echo "$crate: builds from its $(find "$work/$crate-$version" -type f | wc -l) files," \
        "$(stat -c %s "$target/package/$crate-$version.crate") bytes packed"
done
images=$(cd core && find src/catalog/embedded/images -type f)
# shellcheck disable=SC2086
has pwp-sim-core README.md $images
has pwp-sim include/pwp_sim.h include/pwp_sim.hpp include/pwp_sim.cffi.h Makefile CMakeLists.txt docs/licences.md
has pwp symbols.txt

# What a registry would give the library's crate.
mkdir "$work/.cargo"
cat >"$work/.cargo/config.toml" <<END
[patch.crates-io]
pwp-sim-core = { path = "$work/pwp-sim-core-$version" }
END
(
    cd "$work/pwp-sim-$version"
    CARGO_TARGET_DIR=$target/package/released make -s install PREFIX=/usr DESTDIR="$work/root" INSTALL_BUILD="$work/install"
) >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "make install fails in the crate of the library"; }
cc "$root/capi-tests/examples/demo.c" -I"$work/root/usr/include" -L"$work/root/usr/lib" -lpwp_sim -lm -o "$work/demo"
LD_LIBRARY_PATH="$work/root/usr/lib" "$work/demo" | grep -Eq '^Exp +0\.5 +1\.6487212 ' || fail "the installed library does not work"
[ ! -e "$work/root/usr/bin" ] || fail "the crate of the library installs a command"
rm -rf "$work/.cargo"
echo "pwp-sim: make install works in the unpacked crate"

# As core/README.md says it.
cargo new --quiet --vcs none "$work/program"
(
    cd "$work/program"
    unset CARGO_TARGET_DIR
    cargo add --quiet pwp-sim-core --path "$root/core"
    sed -n '/^```rust$/,/^```$/p' "$root/core/README.md" | grep -v '^```' >src/main.rs
    cargo run --quiet
) >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "a program with the dependency by path does not run"; }
echo "pwp-sim-core: cargo add --path works"
