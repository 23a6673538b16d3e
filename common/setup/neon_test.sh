#!/usr/bin/env bash
# Part 2 on the processors of ARM, without one: the ladder on batches is compiled for NEON, which is
# what xsimd takes there, and run by an emulator against the naive code, with 1 to 70 bodies.
#
#   neon_test.sh FOLDER     works in FOLDER
#
# Status 77 and one line: something that this takes is not there.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
folder=$1
skip() { printf '%s\n' "$*"; exit 77; }

command -v aarch64-linux-gnu-g++ >/dev/null || skip 'aarch64-linux-gnu-g++ is not there'
ladder=$root/solutions/part2_vectorization
[ -d "$ladder" ] || skip 'there is no folder solutions'
googletest=/usr/src/googletest/googletest
[ -d $googletest ] || skip "the sources of googletest are not in $googletest"

# Headers only, one by one: /usr/include itself is that of this machine's processor.
rm -rf "$folder"
mkdir -p "$folder/include"
for library in "$root/build/tools/xsimd/include/xsimd" /usr/include/xsimd /usr/include/fmt; do
  if [ -d "$library" ] && [ ! -e "$folder/include/${library##*/}" ]; then ln -s "$library" "$folder/include/"; fi
done
for library in xsimd fmt; do
  [ -e "$folder/include/$library" ] || skip "the headers of $library are not there"
done

compile=(aarch64-linux-gnu-g++ -std=c++20 -O2 -static -pthread -fopenmp -Wall -Wextra -Werror -Wno-psabi
  -Wno-maybe-uninitialized -DFMT_HEADER_ONLY "-I$root/common" -isystem "$folder/include" -isystem "$googletest/include")
sources=()
for source in "$root"/common/bodies/*.cpp; do
  case $source in *_test.cpp | *_fuzz.cpp) ;; *) sources+=("$source") ;; esac
done
printf '#include "%s/omp_simd.hpp"\ntemplate class nbody::OmpSimd<float>;\n' "$ladder" >"$folder/omp_simd.cpp"
"${compile[@]}" "$ladder/any_size_test.cpp" "$folder/omp_simd.cpp" "${sources[@]}" "$root/common/simulator/threads.cpp" \
  "-I$googletest" $googletest/src/gtest-all.cc $googletest/src/gtest_main.cc -o "$folder/any_size_test"

estimates=$(aarch64-linux-gnu-objdump -d --no-show-raw-insn "$folder/any_size_test" | grep -c 'frsqrte.*v[0-9]*\.4s' || true)
if [ "$estimates" = 0 ]; then
  echo 'no estimate of 1/sqrt of four numbers at once: this is no NEON code'
  exit 1
fi
command -v qemu-aarch64 >/dev/null || skip 'compiles for aarch64; qemu-aarch64 is not there to run it'
qemu-aarch64 "$folder/any_size_test"
