#!/usr/bin/env bash
# Make a folder in which a tree, this one by default, stands as the import package `ridewright`, by links:
#   tools/names.sh FOLDER [TREE]
# For programs that look for packages on a path and not as Python does (mypy, import-linter), and for trees that are
# not installed.
set -euo pipefail
place=${1:?usage: tools/names.sh FOLDER [TREE]}/ridewright
root=$(cd "${2:-$(dirname "$0")/..}" && pwd)
rm -rf "$place"
mkdir -p "$place/core"
ln -s "$root"/core/ridewright/* "$root/app" "$root/resources" "$place/"
for part in "$root"/core/*; do
    [ "${part##*/}" = ridewright ] || ln -s "$part" "$place/core/"
done
