#!/usr/bin/env bash
# Packs languages/openmp_target for a machine with a GPU whose g++ cannot compile for it: the
# program built here and the libraries that it is linked with. There CMake finds them in
# build/openmp_target.
#
#   carry_openmp_target.sh       writes build/openmp_target, 3 MB
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
program=$root/build/release/bin/languages/openmp_target
folder=$root/build/openmp_target
die() { printf 'carry_openmp_target: %s\n' "$*" >&2; exit 2; }

[ -x "$program" ] || die 'there is no build/release/bin/languages/openmp_target; run: ./lab build languages openmp_target'
gomp=$(ldd "$program" | sed -n 's/.*=> \(.*libgomp[^ ]*\) .*/\1/p')
[ -n "$gomp" ] || die 'languages/openmp_target is a file of another machine already'
plugin=${gomp%/*}/libgomp-plugin-nvptx.so.1
[ -e "$plugin" ] || die "there is no $plugin: ./lab setup --languages"

rm -rf "$folder"
mkdir -p "$folder"
cp "$program" "$plugin" "$folder"
# The plugin opens the driver, libcuda.so.1, which belongs to the machine.
ldd "$program" | sed -n 's/.*=> \(.*lib\(gomp\|fmt\)\.so[^ ]*\) .*/\1/p' | xargs -I{} cp {} "$folder"
OMP_TARGET_OFFLOAD=disabled LD_LIBRARY_PATH=$folder "$folder/openmp_target" -n 100 -i 1 >/dev/null ||
  die 'the copy does not run'
echo "build/openmp_target: $(find "$folder" -type f -printf '%f ')"
