#!/bin/sh
# pwp with the system's GMP and MPFR in place of the two that it is built with: it builds, it is linked to the shared libraries,
# and it generates the embedded tables to the bit. In a Debian 13 of its own where this system has no GMP 6.3, as Debian 12 has
# none; then as root, with this machine's Rust.
#
#   system_mpfr.sh ROOT WORK    the repository, and a directory to build in; WORK.tar keeps the Debian for next time
set -eu
[ $# = 2 ] || { echo "usage: $0 ROOT WORK" >&2; exit 2; }
root=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")

cat >"$work/build" <<'END'
set -eu # build SOURCES WORK
cd "$1"
export CARGO_TARGET_DIR="$2/target"
cargo build --locked --release --package pwp --features system-mpfr
pwp=$2/target/release/pwp
# GMP may come by MPFR alone.
ldd "$pwp" >"$2/libraries"
for library in libgmp.so.10 libmpfr.so.6; do
    grep "$library => /" "$2/libraries" || { echo "pwp is not linked to $library" >&2; exit 1; }
done
rm -rf "$2/generated" "$2/images"
"$pwp" generate --out "$2/generated" --images "$2/images" >/dev/null
diff -rq core/src/catalog/embedded/images "$2/images" || { echo "the tables differ from the embedded ones" >&2; exit 1; }
echo "pwp with the system's MPFR generates the embedded tables"
END

if pkg-config --atleast-version 6.3 gmp && pkg-config --atleast-version 4.2 mpfr; then
    exec sh "$work/build" "$root" "$work"
fi
[ "$(id -u)" = 0 ] || { echo "this system has no GMP 6.3 with its headers (libgmp-dev), and a Debian of its own takes root" >&2; exit 1; }
echo "this system has no GMP 6.3: in a Debian 13"
if [ ! -f "$work.tar" ]; then
    mmdebstrap --quiet --variant=apt --components=main --include=gcc,g++,libgmp-dev,libmpfr-dev,pkgconf trixie "$work.tar.new"
    mv "$work.tar.new" "$work.tar"
fi
cargo fetch --quiet --locked --manifest-path "$root/Cargo.toml"
debian=$work/debian
rm -rf "$debian"
mkdir "$debian"
trap 'rm -rf "$debian"' EXIT
tar -xf "$work.tar" -C "$debian" --exclude './dev/*'
mknod -m 666 "$debian/dev/null" c 1 3
mkdir -p "$debian/rust" "$debian/cargo" "$debian/sources" "$debian/work"
rust=$(rustc --print sysroot) cargo=${CARGO_HOME:-$HOME/.cargo}
# In a space of its own for mounts, which end with it.
unshare --mount sh -eu -c '
    debian=$1 rust=$2 cargo=$3 sources=$4 work=$5
    mount --bind -o ro "$rust" "$debian/rust"
    mount --bind "$cargo" "$debian/cargo"
    mount --bind -o ro "$sources" "$debian/sources"
    mount --bind "$work" "$debian/work"
    mount -t proc proc "$debian/proc"
    chroot "$debian" env -i PATH=/rust/bin:/usr/bin:/bin HOME=/root CARGO_HOME=/cargo CARGO_NET_OFFLINE=true LC_ALL=C.UTF-8 \
        nice sh /work/build /sources /work
' sh "$debian" "$rust" "$cargo" "$root" "$work"
