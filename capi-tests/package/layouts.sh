#!/bin/sh
# Installs into every layout that distributions have, and checks that the files, the CMake package and the pkg-config file
# agree: a program is found the headers and the library by each, and runs. Also from a tree that was moved, from one under
# DESTDIR, and linked with -static.
#
#   layouts.sh SOURCE_ROOT BUILD_DIR PROFILES
set -eu
root=$1 built=$(readlink -f "$2") profiles=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/Cargo.toml" | head -n 1)

# install NAME [OPTION ...]: into $work/NAME/prefix.
install() {
    name=$1
    shift
    cmake -S "$root/cmake" -B "$work/$name/build" -DPWP_SIM_VERSION="$version" -DPWP_SIM_BUILD_DIR="$built" \
        -DCMAKE_INSTALL_PREFIX="$work/$name/prefix" "$@" >"$work/log" 2>&1 &&
        cmake --install "$work/$name/build" >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

# agree NAME PREFIX LIBDIR: all in it builds and runs.
agree() { # in a subshell, for its variables
    (agree_here "$@") || exit 1
}

agree_here() {
    name=$1 prefix=$2 libdir=$3
    [ -f "$libdir/libpwp_sim.so" ] && [ -f "$libdir/pkgconfig/pwp_sim.pc" ] || { echo "FAILED: $name: files"; exit 1; }
    export PKG_CONFIG_PATH="$libdir/pkgconfig"
    found=$(pkg-config --variable=libdir pwp_sim)
    [ "$(readlink -f "$found")" = "$(readlink -f "$libdir")" ] || { echo "FAILED: $name: pkg-config says $found"; exit 1; }
    # shellcheck disable=SC2046 # words
    cc "$here/../examples/demo.c" -o "$work/demo" $(pkg-config --cflags --libs pwp_sim) -Wl,-rpath,"$libdir" -lm
    "$work/demo" "$profiles" >/dev/null || { echo "FAILED: $name: pkg-config, shared"; exit 1; }
    rm -rf "$work/consumer"
    cmake -S "$here/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$prefix" \
        -Dpwp_sim_DIR="$libdir/cmake/pwp_sim" >"$work/log" 2>&1 && cmake --build "$work/consumer" >>"$work/log" 2>&1 &&
        "$work/consumer/demo" "$profiles" >/dev/null || { cat "$work/log"; echo "FAILED: $name: find_package"; exit 1; }
    echo "ok: $name"
}

for at in lib lib64 lib/x86_64-linux-gnu; do
    for type in "" :PATH :STRING; do
        install plain -DCMAKE_INSTALL_LIBDIR$type="$at"
        agree "$at$type" "$work/plain/prefix" "$work/plain/prefix/$at"
        rm -rf "$work/moved"
        mv "$work/plain" "$work/moved"
        agree "$at$type, moved" "$work/moved/prefix" "$work/moved/prefix/$at"
    done
done

install absolute -DCMAKE_INSTALL_LIBDIR="$work/elsewhere/lib"
agree "absolute" "$work/absolute/prefix" "$work/elsewhere/lib"

DESTDIR="$work/stage" install staged -DCMAKE_INSTALL_LIBDIR=lib64
agree "DESTDIR" "$work/stage$work/staged/prefix" "$work/stage$work/staged/prefix/lib64"

install static -DCMAKE_INSTALL_LIBDIR=lib
export PKG_CONFIG_PATH="$work/static/prefix/lib/pkgconfig"
for flag in -static ""; do
    # shellcheck disable=SC2046,SC2086
    cc $flag "$here/../examples/demo.c" -o "$work/demo" $(pkg-config --cflags pwp_sim) \
        $(pkg-config --static --libs pwp_sim | sed 's/-lpwp_sim/-l:libpwp_sim.a/') 2>"$work/log" ||
        { cat "$work/log"; echo "FAILED: static, $flag"; exit 1; }
    "$work/demo" "$profiles" >/dev/null || { echo "FAILED: static, $flag: it does not run"; exit 1; }
    echo "ok: the archive, $flag"
done
rm -rf "$work/consumer"
cmake -S "$here/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$work/static/prefix" -DLINKAGE=static \
    -DCMAKE_EXE_LINKER_FLAGS=-static >"$work/log" 2>&1 && cmake --build "$work/consumer" >>"$work/log" 2>&1 &&
    "$work/consumer/demo" "$profiles" >/dev/null || { cat "$work/log"; echo "FAILED: static, find_package"; exit 1; }
! readelf --dynamic "$work/consumer/demo" | grep NEEDED || { echo "FAILED: static, find_package: not static"; exit 1; }
echo "ok: the archive, find_package, -static"
