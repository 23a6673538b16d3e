#!/usr/bin/env bash
# Part 2 on the processors of ARM, without one: the ladder on batches is compiled for NEON, which is
# what xsimd takes there, and run by an emulator against the naive code, with 1 to 70 bodies. So is
# what measures ceilings there.
#
#   neon_test.sh build FOLDER
#   neon_test.sh run FOLDER
#
# Status 77 and one line: something that this needs is missing.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
step=$1 folder=$2
skip() { printf '%s\n' "$*"; exit 77; }

if [ "$step" = run ]; then
  command -v qemu-aarch64 >/dev/null || skip 'compiles for aarch64; qemu-aarch64 is not there to run it'
  qemu-aarch64 "$folder/any_size_float"
  qemu-aarch64 "$folder/any_size_double"
  qemu-aarch64 "$folder/kernels_neon"
  qemu-aarch64 "$folder/kernels_scalar"
  exit
fi

command -v aarch64-linux-gnu-g++ >/dev/null || skip 'aarch64-linux-gnu-g++ is not there'
ladder=$root/solutions/part2_vectorization
[ -d "$ladder" ] || skip 'this copy of the lab has no folder solutions/'
googletest=/usr/src/googletest/googletest
[ -d $googletest ] || skip "the sources of googletest are not in $googletest"

# Headers only, one by one: /usr/include itself is for this machine's processor.
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
for source in "$root"/common/core/*.cpp; do
  case $source in *_test.cpp) ;; *) sources+=("$source") ;; esac
done
printf '#include "%s/01_omp_simd.hpp"\nnbody::Simulator* made(const nbody::Problem& problem) { return new nbody::OmpSimd(problem); }\n' \
  "$ladder" >"$folder/omp_simd.cpp"
"${compile[@]}" "-I$googletest" -c $googletest/src/gtest-all.cc -o "$folder/gtest-all.o"
"${compile[@]}" "-I$googletest" -c $googletest/src/gtest_main.cc -o "$folder/gtest_main.o"
# One program, one number type.
for real in float double; do
  "${compile[@]}" -DLAB_REAL=$real "$ladder/tests/any_size_test.cpp" "$folder/omp_simd.cpp" "${sources[@]}" \
    "$root/common/simulator/threads.cpp" "$folder"/gtest*.o -o "$folder/any_size_$real"
done

estimates=$(aarch64-linux-gnu-objdump -d --no-show-raw-insn "$folder/any_size_float" | grep -c 'frsqrte.*v[0-9]*\.4s' || true)
if [ "$estimates" = 0 ]; then
  echo 'no approximate 1/sqrt of four numbers at once: this is not NEON code'
  exit 1
fi

# The programs that measure, without their JSON: each kernel is called once.
cat >"$folder/kernels.cpp" <<'END'
#include "machine/kernel.hpp"
using namespace nbody::machine;
int main() {
  for (const Arithmetic& kernel : instruction_set.arithmetic) {
    if (kernel.run != nullptr) kernel.run(1400);
  }
  alignas(64) static char memory[3 * traffic_block];
  char* arrays[] = {memory, memory + traffic_block, memory + 2 * traffic_block};
  for (const Traffic& traffic : instruction_set.traffic) {
    if (traffic.run != nullptr) traffic.run(arrays, traffic_block, 2);
  }
}
END
for set in neon:Neon scalar:Scalar; do
  "${compile[@]}" -O3 -ffp-contract=off -fno-math-errno "-DMEASURED_SET=${set#*:}" "$folder/kernels.cpp" \
    "$root/common/machine/set.cpp" -o "$folder/kernels_${set%:*}"
done
for wanted in 'neon fmla.*v[0-9]*\.4s' 'neon fsqrt.*v[0-9]*\.2d' 'neon frsqrte.*v[0-9]*\.4s' 'scalar fmadd.*\<s[0-9]' 'scalar fsqrt.*\<d[0-9]'; do
  aarch64-linux-gnu-objdump -d --no-show-raw-insn "$folder/kernels_${wanted%% *}" >"$folder/kernels.text"
  if ! grep -q "${wanted#* }" "$folder/kernels.text"; then
    echo "kernels_${wanted%% *} has no instruction like ${wanted#* }"
    exit 1
  fi
done
