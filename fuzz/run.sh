#!/bin/sh
# Builds the fuzz targets with the stable compiler, and runs one or all of them from the corpora that are kept here.
#
#   fuzz/run.sh TARGET|all SECONDS     fuzzes: SECONDS for each target
#   fuzz/run.sh TARGET FILE...         runs a target on files, such as one that crashed it
#   fuzz/run.sh seeds                  writes the first inputs of the corpora anew
#   fuzz/run.sh keep TARGET DIR        adds the smallest inputs of DIR that reach something new to the corpus
#
# What a run finds goes to target/fuzz/found/TARGET; a crash's input to target/fuzz/crashes, and the status is not 0. The
# coverage of libFuzzer comes from stable code generation options; AddressSanitizer needs -Z sanitizer, which a stable
# compiler accepts with RUSTC_BOOTSTRAP=1 (FUZZ_ASAN=0 leaves it out).
set -eu
cd "$(dirname "$0")/.."
TARGETS="profile image act_info c_calls tiers"
HOST=$(rustc -vV | sed -n 's/^host: //p')
DIR=${CARGO_TARGET_DIR:-target}/fuzz
flags="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
flags="$flags -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
flags="$flags -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing"
if [ "${FUZZ_ASAN:-1}" != 0 ]; then
    export RUSTC_BOOTSTRAP=1
    flags="$flags -Zsanitizer=address"
fi
build() {
    RUSTFLAGS="$flags" cargo build --quiet --manifest-path fuzz/Cargo.toml --release --target "$HOST" \
        --target-dir "$DIR" --bins
}
# fuzz TARGET ARGUMENT...: the memory bounds are part of what is tested: no input may allocate without bound.
fuzz() {
    target=$1
    shift
    mkdir -p "$DIR/crashes"
    "$DIR/$HOST/release/$target" -rss_limit_mb=1024 -malloc_limit_mb=256 -timeout=10 -print_final_stats=1 \
        -artifact_prefix="$DIR/crashes/$target-" "$@"
}
target=${1:?a target, or all}
[ "$target" != seeds ] || { build && exec "$DIR/$HOST/release/seeds"; }
shift
build
if [ "$target" = keep ]; then
    exec "$DIR/$HOST/release/$1" -merge=1 -rss_limit_mb=1024 "fuzz/corpus/$1" "$2"
fi
case ${1:?seconds, or files} in
*[!0-9]*) fuzz "$target" "$@" ;;
*)
    [ "$target" = all ] || TARGETS=$target
    for target in $TARGETS; do
        mkdir -p "$DIR/found/$target"
        log=$DIR/$target.log
        echo "fuzzing $target for $1 s"
        if ! fuzz "$target" -max_total_time="$1" -max_len=8192 "$DIR/found/$target" "fuzz/corpus/$target" >"$log" 2>&1; then
            tail -n 60 "$log"
            exit 1
        fi
        grep -E "stat::number_of_executed_units|stat::average_exec_per_sec|stat::peak_rss_mb" "$log"
    done
    ;;
esac
