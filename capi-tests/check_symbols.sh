#!/bin/sh
# Compares the symbols that a built libpwp_sim.so exports with symbols.txt, both ways: check_symbols.sh LIBRARY
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exported=$(mktemp)
trap 'rm -f "$exported"' EXIT
nm --dynamic --defined-only --format=posix "$1" | cut -d ' ' -f 1 | LC_ALL=C sort >"$exported"
LC_ALL=C sort -c "$here/symbols.txt"
if diff -u "$here/symbols.txt" "$exported"; then
    echo "$(wc -l <"$exported") exported symbols, all of them expected"
else
    echo "the exported symbols are not those of capi-tests/symbols.txt" >&2
    exit 1
fi
