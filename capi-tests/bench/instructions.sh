#!/bin/sh
# Instructions per element, by function, tier and elements per call, counted by callgrind: two runs that differ in the number
# of calls, and their difference. valgrind has no AVX-512, so that tier is not counted.
#
#   instructions.sh CALLS LIBRARY
set -eu
calls=$1 library=$2
log=$(mktemp)
trap 'rm -f "$log"' EXIT

total() {
    if ! valgrind --tool=callgrind --callgrind-out-file=/dev/null "$calls" "$library" "$@" >"$log" 2>&1; then
        cat "$log" >&2
        exit 1
    fi
    sed -n 's/.*Collected : //p' "$log"
}

printf '%-10s %-7s %9s %s\n' function tier elements 'instructions per element'
for function in Exp Tanh Sqrt Relu; do
    for tier in scalar avx2; do
        for elements in 1 16 256 65536; do
            times=$((131072 / elements + 2))
            export PWP_SIM_TIER=$tier
            few=$(total "$function" "$elements" 2)
            many=$(total "$function" "$elements" "$times")
            awk -v n="$((many - few))" -v d="$(((times - 2) * elements))" -v f="$function" -v t="$tier" -v e="$elements" \
                'BEGIN { printf "%-10s %-7s %9d %.1f\n", f, t, e, n / d }'
        done
    done
done
