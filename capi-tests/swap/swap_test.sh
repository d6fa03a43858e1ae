#!/bin/sh
# Runs one client three ways: on the library it was linked to, on ours by LD_LIBRARY_PATH, on ours by LD_PRELOAD. Its
# standard output must be the same to the byte, and the client must say that the library meant to answer did.
#
#   swap_test.sh CLIENT DIR REFERENCE_LIBRARY OUR_LIBRARY [WRAPPER ...]
#
# The two runs on ours go through WRAPPER, for example valgrind and its options.
set -eu
client=$1 dir=$2 reference=$(readlink -f "$3") ours=$(readlink -f "$4")
shift 4

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$dir" "$work/profiles"

# run WHAT LIBRARY COMMAND...: runs it, keeps WHAT.out, checks which library answered.
run() {
    what=$1 library=$2
    shift 2
    if ! "$@" "$work/profiles" >"$work/$what.out" 2>"$work/$what.err"; then
        echo "FAILED: the client on $what"
        tail -n 40 "$work/$what.err"
        exit 1
    fi
    answered=$(sed -n 's/^answered by //p' "$work/$what.err")
    if [ "$(readlink -f "$answered")" != "$library" ]; then
        echo "FAILED: on $what, $answered answered and not $library"
        exit 1
    fi
    if [ "$(tail -n 1 "$work/$what.out")" != end ]; then
        echo "FAILED: the client on $what did not reach its end"
        exit 1
    fi
}

same() {
    if ! cmp -s "$work/reference.out" "$work/$1.out"; then
        echo "FAILED: the output on $1 differs from the reference's"
        diff -a "$work/reference.out" "$work/$1.out" | cut -c 1-300 | head -n 20
        exit 1
    fi
}

run reference "$reference" "$client"
run LD_LIBRARY_PATH "$ours" env LD_LIBRARY_PATH="$(dirname "$ours")" "$@" "$client"
same LD_LIBRARY_PATH
run LD_PRELOAD "$ours" env LD_PRELOAD="$ours" "$@" "$client"
same LD_PRELOAD
echo "the same $(wc -l <"$work/reference.out") lines three ways"
