#!/bin/sh
# Runs the examples in Go and in Node on a built library, and compares what they print with languages.txt.
#
#   languages.sh LIBRARY BUILD    BUILD: a directory for what they build and install
#
# What is missing is installed (Debian, root): golang-go, nodejs, npm. koffi comes from npm.
set -eu
[ $# = 2 ] || { echo "usage: $0 LIBRARY BUILD" >&2; exit 2; }
library=$(realpath "$1")
mkdir -p "$2"
build=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)

missing=
command -v go >/dev/null || missing="$missing golang-go"
command -v node >/dev/null || missing="$missing nodejs"
command -v npm >/dev/null || missing="$missing npm"
if [ -n "$missing" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing$missing"
        apt-get update -q
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
    else
        echo "missing here, by their names in Debian:$missing" >&2
        exit 1
    fi
fi

check() { # check LANGUAGE FILE
    diff -u "$here/languages.txt" "$2" || { echo "$1 prints something else than languages.txt" >&2; exit 1; }
    echo "$1: as languages.txt has it"
}

(cd "$here/go" && go vet . && CGO_LDFLAGS="-L$(dirname "$library")" GOFLAGS=-buildvcs=false go build -o "$build/gelu" .)
LD_LIBRARY_PATH=$(dirname "$library") "$build/gelu" >"$build/go.txt"
check Go "$build/go.txt"

mkdir -p "$build/node"
cp "$here/node/package.json" "$here/node/gelu.js" "$build/node/"
(cd "$build/node" && npm install --silent --no-audit --no-fund --no-package-lock >&2)
PWP_SIM_LIBRARY=$library node "$build/node/gelu.js" >"$build/node.txt"
check Node "$build/node.txt"
