#!/usr/bin/env bash
# Locks what pyproject.toml asks for: common/setup/python/LEVEL.txt lists what each level adds to those before it, with
# hashes, the same versions for every supported Python. Needs uv and a network; run it after a change of pyproject.toml, or
# to take newer versions.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
locks=common/setup/python
pictures=(--extra plot)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# The blocks of a lock: a line that begins a requirement, and the hashes after it. The whole line counts: what a lower level
# needs on one system only, a higher one may need everywhere.
added() {  # ALL LOWER... -> what ALL has and no LOWER has
  awk '/^[^ #]/ { requirement = $0 } FILENAME != all { lower[requirement]; next } !(requirement in lower)' all="$1" "${@:2}" "$1"
}

lock() { uv pip compile --quiet --universal --python-version 3.10 --fork-strategy fewest --generate-hashes --no-header --no-annotate pyproject.toml "$@"; }

lock --extra test "${pictures[@]}" -o "$scratch/tests.txt"
lock "${pictures[@]}" -c "$scratch/tests.txt" -o "$scratch/pictures.txt"
lock -c "$scratch/tests.txt" -o "$scratch/core.txt"
cp "$scratch/core.txt" "$locks/core.txt"
added "$scratch/pictures.txt" "$scratch/core.txt" >"$locks/pictures.txt"
added "$scratch/tests.txt" "$scratch/core.txt" "$scratch/pictures.txt" >"$locks/tests.txt"
wc -l "$locks"/*.txt
