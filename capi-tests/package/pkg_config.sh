#!/bin/sh
# Builds the demo against the installed package by pkg-config and runs it: pkg_config.sh shared|static PREFIX PROFILES OUT
set -eu
linkage=$1 prefix=$2 profiles=$3 out=$4
here=$(cd "$(dirname "$0")" && pwd)
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH
cflags=$(pkg-config --cflags pwp_sim)
if [ "$linkage" = static ]; then
    libs=$(pkg-config --static --libs pwp_sim | sed 's/-lpwp_sim/-l:libpwp_sim.a/')
else
    libs="$(pkg-config --libs pwp_sim) -Wl,-rpath,$prefix/lib"
fi
# Word splitting is what the two lists are for.
# shellcheck disable=SC2086
cc -std=c11 -Wall -Wextra -pedantic -Werror $cflags "$here/../examples/demo.c" -o "$out" $libs
"$out" "$profiles"
