#!/bin/sh
# Installs the package from this checkout into an environment of its own, as a user would, and prints the environment's
# interpreter. PYTHON names the interpreter that it is made of (python3), EXTRAS what else to install (torch,examples).
#
# The environment stands in the target directory; what is in it already is not fetched again.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
target=${CARGO_TARGET_DIR:-$PWD/target}
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -q >&2
        DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends python3-venv >&2
    else
        echo "missing here, by its name in Debian: python3-venv" >&2
        exit 1
    fi
fi
environment=$target/python/$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')${EXTRAS:+-$EXTRAS}
[ -x "$environment/bin/python" ] || "$python" -m venv "$environment" >&2
"$environment/bin/python" -m pip install -q --disable-pip-version-check "./python[test${EXTRAS:+,$EXTRAS}]" >&2
echo "$environment/bin/python"
