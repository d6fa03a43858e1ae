#!/bin/sh
# The checkout as a part of another CMake project, by add_subdirectory and by FetchContent, shared and static; then an
# installation, the components that find_package sees in it, and that its removal leaves nothing.
#
#   checkout.sh ROOT TARGET    the repository, and cargo's target directory, where what is built already is not built again
set -eu
[ $# = 2 ] || { echo "usage: $0 ROOT TARGET" >&2; exit 2; }
root=$(realpath "$1")
mkdir -p "$2"
target=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

project() { # project NAME LINES LIBRARY: a project whose program prints what the demo prints
    mkdir -p "$work/$1"
    {
        echo "cmake_minimum_required(VERSION 3.16)"
        echo "project(consumer LANGUAGES C)"
        printf '%s\n' "$2"
        echo "add_executable(demo $root/capi-tests/examples/demo.c)"
        echo "target_link_libraries(demo PRIVATE $3 m)"
    } >"$work/$1/CMakeLists.txt"
    cmake -S "$work/$1" -B "$work/$1/build" -DPWP_SIM_CARGO_TARGET_DIR="$target" >"$work/$1/log"
    cmake --build "$work/$1/build" >>"$work/$1/log" 2>&1 || { cat "$work/$1/log" >&2; exit 1; }
    "$work/$1/build/demo" >"$work/$1/out"
    grep -Eq '^Exp +0\.5 +1\.6487212 ' "$work/$1/out" || { cat "$work/$1/out" >&2; exit 1; }
    echo "$1: built and run"
}

fetch="include(FetchContent)
FetchContent_Declare(pwp_sim SOURCE_DIR $root)
FetchContent_MakeAvailable(pwp_sim)"
for library in pwp_sim::pwp_sim pwp_sim::static; do
    name=${library#pwp_sim::}
    project "add_subdirectory-$name" "add_subdirectory($root pwp_sim)" "$library"
    project "FetchContent-$name" "$fetch" "$library"
done

# A build in the checkout itself would overwrite the Makefile.
if cmake -S "$root" -B "$root" >"$work/log" 2>&1; then
    echo "cmake builds in the checkout itself" >&2
    exit 1
fi
grep -q "overwrite the Makefile" "$work/log" || { cat "$work/log" >&2; exit 1; }
rm -rf "$root/CMakeCache.txt" "$root/CMakeFiles"

# What is not the installation's own stays.
mkdir -p "$work/root/usr/lib" && touch "$work/root/usr/lib/other"
install="PREFIX=/usr DESTDIR=$work/root INSTALL_BUILD=$work/install CARGO_OUT=$target/release"
# shellcheck disable=SC2086
make -s -C "$root" install-built $install >"$work/log"
for file in lib/libpwp_sim.so include/pwp_sim.h share/doc/pwp-sim/licences.md; do
    [ -f "$work/root/usr/$file" ] || { echo "not installed: $file" >&2; exit 1; }
done

if readelf -S "$work/root/usr/lib/libpwp_sim.so" | grep -q debug_; then
    echo "the installed library is not stripped" >&2
    exit 1
fi
LD_LIBRARY_PATH="$work/root/usr/lib" "$work/add_subdirectory-pwp_sim/build/demo" | cmp - "$work/add_subdirectory-pwp_sim/out"
cc "$root/capi-tests/examples/demo.c" -I"$root/include" "$work/root/usr/lib/libpwp_sim.a" -o "$work/static" \
    -lstdc++ -lutil -lrt -lpthread -lm -ldl -lc
"$work/static" | cmp - "$work/add_subdirectory-pwp_sim/out"
echo "install: stripped, and both libraries work"

# find_package, of the installation as it is, and of one without the static library.
have() { # have COMPONENT: status 0 where the package has it
    rm -rf "$work/find"
    cmake -S "$root/capi-tests/package/consumer" -B "$work/find" -DCMAKE_PREFIX_PATH="$work/root/usr" -DLINKAGE="$1" \
        >"$work/log" 2>&1
}
for component in shared static; do
    have $component || { cat "$work/log" >&2; exit 1; }
done
mv "$work/root/usr/lib/libpwp_sim.a" "$work/libpwp_sim.a"
have shared || { cat "$work/log" >&2; exit 1; }
for component in static other; do
    ! have $component || { echo "find_package finds a component that is not there: $component" >&2; exit 1; }
done
mv "$work/libpwp_sim.a" "$work/root/usr/lib/"
echo "find_package: the components that there are"
# shellcheck disable=SC2086
make -s -C "$root" uninstall $install
left=$(find "$work/root" -type f)
[ "$left" = "$work/root/usr/lib/other" ] || { echo "left behind: $left" >&2; exit 1; }
[ ! -e "$work/root/usr/lib/cmake/pwp_sim" ] || { echo "left behind: the directory of the CMake package" >&2; exit 1; }
echo "uninstall: nothing is left"
