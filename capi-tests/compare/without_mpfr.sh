#!/bin/sh
# A `pwp` that was built without MPFR says so, with status 1 where a command needs it: without_mpfr.sh PWP
set -eu
pwp=$1
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$(dirname "$0")/../../Cargo.toml" | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for arguments in "generate --out $work/x" "report" "report --help"; do
    status=0
    # shellcheck disable=SC2086
    "$pwp" $arguments 2>"$work/text" || status=$?
    [ "$status" = 1 ] || { echo "FAILED: pwp $arguments: status $status"; exit 1; }
    grep -q '^pwp: this pwp was built without MPFR.*--features mpfr' "$work/text" || { cat "$work/text"; exit 1; }
done
[ "$("$pwp" --version)" = "pwp $version (without MPFR)" ] || { "$pwp" --version; exit 1; }
