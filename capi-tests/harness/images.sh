#!/bin/sh
# The harness over tables that are loaded from on-device images: images.sh HARNESS LIBRARY DIRECTORY, the directory as
# `profiles images` writes it.
set -eu
ran=0
for profiles in "$3"/profiles/*/; do
    set=$(basename "$profiles")
    "$1" "$2" table "$3/catalog#$set" "$profiles"
    ran=$((ran + 1))
done
[ "$ran" -gt 0 ] || { echo "no sets in $3" >&2; exit 1; }
echo "$ran sets"
