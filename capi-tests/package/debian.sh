#!/bin/sh
# The packages for Debian in a clean one: lintian has nothing to say, what they depend on is what they need, pwp runs, programs are
# built on the -dev package and get the library as a dependency, and nothing is left when they are removed. As root, for chroot.
#
#   debian.sh PACKAGES ROOT    where the packages are, and a directory for the Debian; ROOT.tar keeps the clean one for next time
set -eu
[ $# = 2 ] || { echo "usage: $0 PACKAGES ROOT" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
packages=$(realpath "$1")
mkdir -p "$(dirname "$2")"
root=$(realpath -m "$2")
work=$(mktemp -d)
trap 'rm -rf "$work" "$root"' EXIT
[ "$(id -u)" = 0 ] || { echo "a root directory for packages takes root" >&2; exit 1; }

fail() {
    echo "debian: $1" >&2
    exit 1
}
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "failed: $*"; }; }
inside() { unshare --mount-proc="$root/proc" chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
install() { quietly inside sh -c "apt-get install -q -y --no-install-recommends $*"; }
# All files, and all packages, but for what apt and dpkg keep for themselves.
state() {
    find "$root" -xdev \( -path "$root/var/lib/dpkg" -o -path "$root/var/lib/apt" -o -path "$root/var/cache" -o -path "$root/var/log" \
        -o -path "$root/packages" \) -prune -o -print | sort
    inside dpkg-query -W -f '${Package} ${db:Status-Status}\n'
}
same_as_before() {
    state >"$work/after"
    diff "$work/before" "$work/after" >&2 || fail "$1 is not as it was"
}

for name in libpwp-sim libpwp-sim-dev pwp; do
    [ "$(find "$packages" -name "${name}_*.deb" | wc -l)" = 1 ] || fail "not one package $name in $packages"
done
# The packages are not for Debian's archive: no bug of it is closed by them.
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$packages"/*.deb
echo "lintian: no error and no warning"

if [ ! -f "$root.tar" ]; then
    # shellcheck disable=SC1091
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    quietly mmdebstrap --variant=apt --components=main "$suite" "$root.tar.new"
    mv "$root.tar.new" "$root.tar"
fi
rm -rf "$root"
mkdir "$root"
tar -xf "$root.tar" -C "$root" --exclude './dev/*'
mknod -m 666 "$root/dev/null" c 1 3
mkdir "$root/packages"
cp "$packages"/libpwp-sim_*.deb "$packages"/libpwp-sim-dev_*.deb "$packages"/pwp_*.deb "$root/packages/"
mkdir -p "$root/packages/examples" "$root/packages/package"
cp "$here/../examples/demo.c" "$root/packages/examples/"
cp -r "$here/consumer" "$root/packages/package/"
quietly inside apt-get update -q

# The library and the command with what they depend on, and nothing else.
state >"$work/before"
install "/packages/libpwp-sim_*.deb /packages/pwp_*.deb"
inside pwp functions >"$work/functions"
grep -Eq '^\| Gelu ' "$work/functions" || fail "pwp functions does not list Gelu"
inside ldconfig -p | grep -q libpwp_sim.so || fail "the loader does not know the library"
library=$(inside dpkg -L libpwp-sim | grep '/libpwp_sim\.so$')
inside pwp compare "$library" table --function exp gelu --path table >"$work/compare" || { cat "$work/compare" >&2; fail "the library and pwp differ"; }
for file in usr/share/man/man1/pwp-eval.1.gz usr/share/bash-completion/completions/pwp usr/share/doc/pwp/copyright; do
    [ -f "$root/$file" ] || fail "pwp has no $file"
done
quietly inside dpkg --verify libpwp-sim pwp
quietly inside apt-get purge -q -y --autoremove libpwp-sim pwp
same_as_before "a Debian that had the library and the command"
echo "libpwp-sim and pwp: installed by apt, used, removed, and nothing is left"

# Programs that are built on it, from packages that dpkg installs.
install build-essential cmake pkg-config
state >"$work/before"
quietly inside sh -c 'dpkg --install /packages/*.deb'
cat >"$root/packages/build" <<'END'
set -eux
cd /tmp
cc -std=c11 -Wall -Werror /packages/examples/demo.c $(pkg-config --cflags --libs pwp_sim) -lm -o shared
./shared >shared.out
grep -E '^Exp +0\.5 +1\.6487212 ' shared.out
cc /packages/examples/demo.c $(pkg-config --cflags pwp_sim) $(pkg-config --static --libs pwp_sim | sed 's/-lpwp_sim/-l:libpwp_sim.a/') -o static
for linkage in shared static; do
    cmake -S /packages/package/consumer -B $linkage.cmake -DLINKAGE=$linkage
    cmake --build $linkage.cmake
    ./$linkage.cmake/demo | cmp - shared.out
done
./static | cmp - shared.out
mkdir debian
touch debian/control
dpkg-shlibdeps -O shared | grep -E '^shlibs:Depends=.*libpwp-sim \(>= '
rm -r debian shared static shared.cmake static.cmake shared.out
END
quietly inside sh /packages/build
quietly inside dpkg --purge libpwp-sim-dev libpwp-sim pwp
same_as_before "a Debian that had all three"
echo "libpwp-sim-dev: built on by cc, pkg-config and CMake, shared and static; removed, and nothing is left"
