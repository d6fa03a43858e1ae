#!/bin/sh
# Tests the package as it is installed from this checkout, its types, and the examples of the documents. PYTHON and EXTRAS as
# in environment.sh; the arguments go to pytest.
set -eu
cd "$(dirname "$0")"
python=$(./environment.sh)
if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then # older ones mypy does not know
    "$python" -m mypy --cache-dir "$(dirname "$python")/../mypy"
fi
# Not from the sources: what is tested is what was installed.
"$python" -m pytest -p no:cacheprovider "$@"
