#!/usr/bin/env bash
# Measures what docs/results.md shows of part 3, on a machine with a GPU: data/results/part3_study_*.json,
# docs/pictures/part3_*. A quarter of an hour; building comes before.
#
#   docs/make_gpu_results.sh [STUDY...]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"
results=data/results pictures=docs/pictures

kinds_of() {  # STUDY: the pictures that are kept
  case $1 in
    block | unroll) echo "$1" ;;
    sizes) echo 'time flops' ;;
    large) echo flops ;;
    ladder) echo ladder ;;
    processor) echo time ;;
  esac
}

study() {  # STUDY
  local folder=build/pictures/part3_$1 kind
  echo "== $1"
  rm -rf "$folder"
  if [ "$1" = copies ]; then
    ./lab bench part3 --study copies --plot "$folder" | tee /dev/stderr | sed 'X' >"$results/part3_study_copies.txt"
  else
    # Status 1: something timed was wrong, which its row says; the others count.
    ./lab bench part3 --study "$1" --json "$results/part3_study_$1.json" --plot "$folder" || [ $? = 1 ]
  fi
  mkdir -p "$pictures"
  for kind in $(kinds_of "$1") ; do
    if [ -e "$folder/$kind.svg" ]; then cp "$folder/$kind.svg" "$pictures/part3_$1_$kind.svg"; fi
  done
  if [ -e "$folder/copies.svg" ]; then cp "$folder/copies.svg" "$pictures/part3_copies.svg"; fi
}

./lab build part3
start=$SECONDS
if [ $# = 0 ]; then set -- block unroll sizes ladder processor copies switch double; fi
for name in "$@"; do study "$name"; done
echo "measured for $((SECONDS - start)) s"
