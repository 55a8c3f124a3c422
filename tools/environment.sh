#!/usr/bin/env bash
# Make or refresh a Python environment of this project:  tools/environment.sh FOLDER [EXTRA,EXTRA... [REQUIREMENT...]]
# Uses uv where it is on PATH, else python3 -m venv and pip. As root on Debian it installs what the system lacks;
# otherwise it names the exact command.
set -euo pipefail

folder=${1:?usage: tools/environment.sh FOLDER [EXTRAS [REQUIREMENT...]]}
extras=${2:-}
shift $(($# < 2 ? $# : 2))
target=".${extras:+[$extras]}"

say() { printf 'ridewright: %s\n' "$*" >&2; }

system_install() {
    if ! command -v apt-get >/dev/null 2>&1; then
        say "please install $* with the package manager of this system, then try again."
        exit 1
    fi
    if [ "$(id -u)" -eq 0 ]; then
        say "installing $*"
        exec 9>"${TMPDIR:-/tmp}/ridewright-installs" && flock 9 # another environment may be made beside this one
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@"; } >&2
    else
        say "something is missing on this system; run:  sudo apt-get install $*"
        exit 1
    fi
}

recent_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

# The last link that works and is new enough; a stub that cannot run (an uninstalled pyenv version) is passed over.
find_python() {
    local candidate
    for candidate in python3 python3.13 python3.12 python3.11; do
        if command -v "$candidate" >/dev/null 2>&1 && recent_enough "$candidate"; then
            printf '%s' "$candidate"
            return 0
        fi
    done
    return 1
}

# What setuptools notes about the tree goes into the environment, not into the tree: two are made side by side.
notes() {
    mkdir -p "$folder/notes"
    printf '[egg_info]\negg_base = %s\n' "$folder/notes" >"$folder/notes/setup.cfg"
    export DIST_EXTRA_CONFIG="$PWD/$folder/notes/setup.cfg"
}

if command -v uv >/dev/null 2>&1 && uv --version >/dev/null 2>&1; then
    recent_enough "$folder/bin/python" || uv venv --quiet --clear --python '>=3.11' "$folder"
    notes
    uv pip install --quiet --python "$folder/bin/python" --editable "$target" "$@"
else
    if ! recent_enough "$folder/bin/python"; then
        python=$(find_python) || { system_install python3 python3-venv; python=$(find_python); } || {
            say "Python 3.11 or newer is needed and this system offers none."
            exit 1
        }
        # Debian keeps ensurepip apart from python3, in python3-venv.
        "$python" -c 'import ensurepip, venv' 2>/dev/null || system_install python3-venv
        "$python" -m venv --clear "$folder"
    fi
    "$folder/bin/python" -c 'import pip' 2>/dev/null || "$folder/bin/python" -m ensurepip --upgrade >/dev/null
    notes
    # What is imported is compiled then: to do it for all files of all libraries takes a minute.
    "$folder/bin/python" -m pip install -qq --no-compile --disable-pip-version-check --editable "$target" "$@"
fi
