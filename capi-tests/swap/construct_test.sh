#!/bin/sh
# 100,000 constructions of a simulator of a loaded directory: no leak, and at least 50 times faster than the reference's.
# The kernel counts resident pages to within a few, so what must not happen after the first thousand is a growth by 64 kB,
# two thirds of a byte for each construction.
#
#   construct_test.sh CLIENT DIR OUR_LIBRARY
set -eu
client=$1 dir=$2 ours=$(readlink -f "$3")

reference=$("$client" "$dir/p" 30)
result=$(LD_LIBRARY_PATH=$(dirname "$ours") "$client" "$dir/p" 100000)
echo "$reference $result" | awk '{
    printf "a construction: reference %d ns, ours %d ns, %.0f times faster; growth %d kB\n", $1, $3, $1 / $3, $4
    if ($1 / $3 < 50) { print "FAILED: less than 50 times faster"; bad = 1 }
    if ($4 >= 64) { print "FAILED: resident memory grew"; bad = 1 }
    exit bad
}'
