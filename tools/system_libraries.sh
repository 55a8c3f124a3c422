#!/usr/bin/env bash
# See that the system libraries of Qt and VTK are there:  tools/system_libraries.sh window|tests
# "window": what the studio needs to open; "tests": also a virtual screen. As root on Debian missing ones are
# installed; otherwise the exact command is named. Without any GL library VTK would crash instead of saying so.
set -euo pipefail

purpose=${1:?usage: tools/system_libraries.sh window|tests}
# the name of a library and, after a blank, the package of Debian that brings it
mapfile -t needed <"$(dirname "$0")/../resources/system_libraries.txt"
say() { printf 'ridewright: %s\n' "$*" >&2; }

known=$({ ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null || true)
missing=()
for pair in "${needed[@]}"; do
    grep -q "${pair% *}" <<<"$known" || missing+=("${pair#* }")
done
if [ "$purpose" = tests ]; then
    command -v Xvfb >/dev/null 2>&1 || missing+=(xvfb)
    command -v xauth >/dev/null 2>&1 || missing+=(xauth)
fi
[ ${#missing[@]} -eq 0 ] && exit 0
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" -eq 0 ]; then
    say "installing ${missing[*]}"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >&2
else
    say "the window needs system libraries that are missing; run:  sudo apt-get install ${missing[*]}"
    exit 1
fi
