#!/usr/bin/env bash
# What do compilers and flags do? Builds naive, mine and the last rung of a part with each compiler
# and set of flags, each in a build folder of its own, and measures all of them together.
#
#   study_compilers.sh PART MANIFEST BENCH [options of bench]
#
# OpenMP stays where an implementation has it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
part=$1 manifest=$2 bench=$3
shift 3
folder=$root/build/study
flag_sets=('-O2' '-O3' '-O3 -march=native' '-O3 -march=native -ffast-math')

say() { printf 'study: %s\n' "$*" >&2; }

# In the order of the manifest; the best is its last row of kind `solution`.
names_to_study() {
  local of_part solution
  of_part=$(grep -F "\"part\": \"$part\"" "$manifest")
  solution=$(sed -n 's/.*"name": "\([^"]*\)".*"kind": "solution".*/\1/p' <<<"$of_part" | tail -n 1)
  for name in naive mine $solution; do
    if grep -qF "\"name\": \"$name\"" <<<"$of_part"; then printf '%s\n' "$name"; fi
  done
}

# The rows of one build, under names that say compiler and flags.
add_rows() {  # LABEL FLAGS
  local label=$1 flags=$2 name
  for name in $names; do
    grep -F "\"part\": \"$part\", \"name\": \"$name\"" "$folder/$label/manifest.json" |
      sed -e "s|\"name\": \"$name\"|\"name\": \"$name $label\"|" -e 's/,$//' \
        -e "s|\"flags\": \"[^\"]*\"|\"flags\": \"${label%%_*} $flags\"|" \
        -e "s|\"program\": \"|\"program\": \"$label/|" >>"$folder/rows"
  done
}

study() {  # COMPILER FLAGS
  local compiler=$1 flags=$2 label=$1 start=$SECONDS flag
  for flag in $flags; do label=${label}_${flag#-}; done
  label=${label//[^A-Za-z0-9_+.-]/_}
  mkdir -p "$folder/$label"
  if ! { cmake -S "$root" -B "$folder/$label" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLAB_TESTS=OFF \
    "-DCMAKE_CXX_COMPILER=$compiler" "-DLAB_STUDY_FLAGS=$flags" &&
    cmake --build "$folder/$label" --target "${targets[@]}"; } >"$folder/$label/log" 2>&1; then
    say "$compiler $flags: does not build, left out; see $folder/$label/log"
    return
  fi
  say "built with $compiler $flags in $((SECONDS - start)) s"
  add_rows "$label" "$flags"
}

mkdir -p "$folder"
names=$(names_to_study)
[ -n "$names" ] || { say "$part has none of naive, mine and a solution"; exit 2; }
targets=()
for name in $names; do targets+=("${part}_$name"); done
rm -f "$folder/rows"
for compiler in g++ clang++; do
  if ! command -v "$compiler" >/dev/null; then say "$compiler is not there, left out"; continue; fi
  for flags in "${flag_sets[@]}"; do study "$compiler" "$flags"; done
done
[ -s "$folder/rows" ] || { say 'nothing was built'; exit 1; }
# All naive ones first, and so on.
{
  echo '['
  for name in $names; do grep -F "\"name\": \"$name " "$folder/rows"; done | sed '$!s/$/,/'
  echo ']'
} >"$folder/manifest.json"
exec "$bench" "$part" --manifest "$folder/manifest.json" "$@"
