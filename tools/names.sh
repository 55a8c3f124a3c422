#!/usr/bin/env bash
# Make a folder in which a tree, this one by default, stands as the import package `ridewright`, by links:
#   tools/names.sh FOLDER [TREE]
# For mypy and import-linter, which look for a package in a folder of its name: this tree has that name nowhere, it is
# given by setup.py where it is installed, and an import hook that says so is not asked by either. And for trees that are
# not installed (tools/compare_runs.py, tools/wheel.py).
set -euo pipefail
place=${1:?usage: tools/names.sh FOLDER [TREE]}/ridewright
root=$(cd "${2:-$(dirname "$0")/..}" && pwd)
rm -rf "$place"
mkdir -p "$place/core"
ln -s "$root"/core/ridewright/* "$root/app" "$root/resources" "$place/"
for part in "$root"/core/*; do
    [ "${part##*/}" = ridewright ] || ln -s "$part" "$place/core/"
done
