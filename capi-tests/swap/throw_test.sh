#!/bin/sh
# Exceptions of ours reach clients however these are linked: with the C++ runtime and the unwinder as libraries or linked
# in, each alone and both; linked to ours, on ours by LD_PRELOAD, and as a plugin of a C program.
#
#   throw_test.sh COMPILER REFERENCE_LIBRARY OUR_LIBRARY
set -eu
compiler=$1 reference=$(readlink -f "$2") ours=$(readlink -f "$3")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/malformed"
echo '{' >"$work/malformed/exp_400p.json"
cat >"$work/host.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (argc != 3 || plugin == NULL) {
        fprintf(stderr, "host: %s\n", dlerror());
        return 2;
    }
    int (*run)(char const *) = (int (*)(char const *))dlsym(plugin, "run_thrown");
    return run != NULL && run(argv[2]) == 0 ? 0 : 1;
}
END
cc "$work/host.c" -o "$work/host" -ldl

failed=0
check() {
    what=$1
    shift
    if ! "$@" >"$work/out" 2>&1; then
        echo "FAILED: $what"
        head -n 3 "$work/out"
        failed=1
    fi
}

compile() {
    "$compiler" -std=c++17 -O2 -Wall -Wextra -I"$here/../reference/include" "$here/thrown.cpp" "$@"
}

for flags in "" -static-libstdc++ -static-libgcc "-static-libstdc++ -static-libgcc"; do
    # shellcheck disable=SC2086 # the flags are words
    compile $flags -o "$work/linked" "$ours" -Wl,-rpath,"$(dirname "$ours")"
    # shellcheck disable=SC2086
    compile $flags -o "$work/swapped" "$reference" -Wl,-rpath,"$(dirname "$reference")"
    # shellcheck disable=SC2086
    compile $flags -DPLUGIN -shared -fPIC -o "$work/plugin.so" "$ours" -Wl,-rpath,"$(dirname "$ours")"
    check "linked, with $flags" "$work/linked" "$work/malformed"
    check "LD_PRELOAD, with $flags" env LD_PRELOAD="$ours" "$work/swapped" "$work/malformed"
    check "a plugin, with $flags" "$work/host" "$work/plugin.so" "$work/malformed"
done
exit $failed
