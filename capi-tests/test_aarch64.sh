#!/bin/sh
# Tests the core for AArch64, whose vectors are NEON's: on such a machine as it is, elsewhere cross-compiled and under
# qemu-user. test_aarch64.sh DIR FILTER...: the build and what it needs go to DIR; FILTERs choose the tests.
#
# Needs a linker, an emulator, and Rust's library for AArch64. The first two are Debian packages, installed if this is
# root. The library comes with rustup (rustup target add aarch64-unknown-linux-gnu); without it, Debian's rustc-web of both
# architectures is unpacked in DIR, by an apt configuration of its own, so that the machine's stays as it is.
set -eu
dir=$1
shift
target=aarch64-unknown-linux-gnu
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
export CARGO_TARGET_DIR="$dir/build"

if [ "$(uname -m)" = aarch64 ]; then
    exec cargo test --package pwp-sim-core --lib -- "$@"
fi

fail() {
    echo "$*" >&2
    exit 1
}

missing=
command -v aarch64-linux-gnu-gcc >/dev/null || missing="$missing gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
command -v qemu-aarch64 >/dev/null || missing="$missing qemu-user"
if [ -n "$missing" ]; then
    { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; } || fail "missing here, by their names in Debian:$missing"
    echo "installing$missing"
    apt-get update -q
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
fi

if ! [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
    root=$dir/root
    if ! [ -x "$dir/rustc" ]; then
        command -v apt-get >/dev/null && command -v dpkg >/dev/null ||
            fail "missing here: rustup target add $target, or Debian's apt and dpkg"
        mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial" "$dir/packages" "$root"
        cat >"$dir/apt.conf" <<END
#clear APT::Architectures;
APT::Architectures { "amd64"; "arm64"; };
Dir::State::Lists "$dir/lists";
Dir::Cache "$dir/cache";
END
        export APT_CONFIG="$dir/apt.conf"
        apt-get update -q
        # The first package that $1 depends on whose name matches $2.
        depends() {
            found=$(apt-cache depends "$1" | sed -n "s/^ *Depends: \($2\)\$/\1/p" | head -n 1)
            [ -n "$found" ] || fail "$1 depends on no $2: is this Debian 12 or later, on amd64?"
            echo "$found"
        }
        library=$(depends libstd-rust-web-dev:amd64 'libstd-rust-web-[0-9.]*')
        llvm=$(depends "$library:amd64" 'libllvm[0-9.]*')
        (cd "$dir/packages" && apt-get download -q rustc-web:amd64 "$library:amd64" "$llvm:amd64" \
            libstd-rust-web-dev:amd64 libstd-rust-web-dev:arm64)
        for package in "$dir/packages"/*.deb; do
            dpkg -x "$package" "$root"
        done
        unset APT_CONFIG
        # As the last step: its presence says that all of the above was done.
        cat >"$dir/rustc.new" <<END
#!/bin/sh
LD_LIBRARY_PATH='$root/usr/lib/x86_64-linux-gnu' exec '$root/usr/bin/rustc' "\$@"
END
        chmod +x "$dir/rustc.new"
        mv "$dir/rustc.new" "$dir/rustc"
    fi
    export RUSTC="$dir/rustc"
fi

export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu"
exec cargo test --package pwp-sim-core --lib --target "$target" -- "$@"
