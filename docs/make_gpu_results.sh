#!/usr/bin/env bash
# Measures what docs/results.md shows of part 3, on a machine with a GPU: data/results/part3_study_*.json,
# docs/pictures/part3_*. A quarter of an hour; building comes before.
#
#   docs/make_gpu_results.sh [STUDY...]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"
results=data/results

study() {  # STUDY
  local folder=build/pictures/part3_$1
  echo "== $1"
  rm -rf "$folder"
  if [ "$1" = copies ]; then
    ./lab bench part3 --study copies --plot "$folder"
    cp "$folder/copies.txt" "$results/part3_study_copies.txt"
  else
    # Status 1: something timed was wrong, which its row says; the others count.
    ./lab bench part3 --study "$1" --json "$results/part3_study_$1.json" --plot "$folder" || [ $? = 1 ]
  fi
}

./lab build part3
start=$SECONDS
if [ $# = 0 ]; then set -- block unroll sizes ladder processor copies switch double; fi
for name in "$@"; do study "$name"; done
if [ -e build/tools/pictures ]; then python3 docs/draw_pictures.py; fi
echo "measured for $((SECONDS - start)) s"
