#!/bin/sh
# Installs what the tests need and this machine lacks; without root, or without apt, says what to install.
#
#   install_tools.sh [install | browser]    install: what `make install` needs alone; browser: what `make test-html` does
set -eu
missing=
need() { # need PACKAGE COMMAND...: the package, unless the command succeeds
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
tests() {
    need pkg-config pkg-config --version
    need libjson-c-dev pkg-config --exists json-c
    # bindgen needs libclang and its headers.
    need libclang-dev sh -c 'ls /usr/lib/llvm-*/lib/libclang*.so /usr/lib/*/libclang*.so'
    # The clients of the C++ ABI are built by both compilers, and run under valgrind too.
    need clang clang++ --version
    need libclang-rt-14-dev sh -c 'ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.asan-*'
    need valgrind valgrind --version
    # Other allocators, put in front of the C library's.
    need libmimalloc2.0 sh -c 'ls /usr/lib/*/libmimalloc.so.2*'
    need libjemalloc2 sh -c 'ls /usr/lib/*/libjemalloc.so.2'
    # The sources of a locale with a decimal comma; without them one test skips.
    need locales test -f /usr/share/i18n/locales/de_DE
}
need cmake cmake --version
# GMP, on which MPFR and the command line stand, is built from source.
need m4 m4 --version
case ${1:-} in
install) ;;
browser) need chromium chromium --version ;;
*) tests ;;
esac
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing$missing"
    apt-get update -q
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
else
    echo "missing here, by their names in Debian:$missing" >&2
    exit 1
fi
