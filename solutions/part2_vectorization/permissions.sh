#!/usr/bin/env bash
# What does each permission of 01_omp_simd.hpp gain? In a copy of the lab: a version of that file
# without each of them, for AVX2 (v3) and AVX-512 (v4), beside naive.
#
#   permissions.sh data/results/part2_permissions.json      options of ./lab bench may follow
set -euo pipefail

file=$(realpath "${1:?needs the name of a JSON file to write}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
copy=build/permissions
rm -rf $copy
mkdir -p $copy/build
git ls-files -z | xargs -0 cp --parents -t $copy
for shared in tools venv venv.lock; do
  if [ -e build/$shared ]; then ln -s ../../$shared $copy/build/; fi
done
cd $copy/part2_vectorization

all="-O3 -mprefer-vector-width=512 -fopenmp-simd -fno-math-errno -fno-trapping-math"
names=()
for set in v3 v4; do
  for without in nothing fopenmp_simd fno_math_errno fno_trapping_math selection; do
    name=mine_without_${without}_$set
    sed 's|../../part2_vectorization/||; s/OmpSimd/Mine/' ../solutions/part2_vectorization/01_omp_simd.hpp >$name.hpp
    if [ $without = selection ]; then
      sed -i 's/r2 > 0 ? \(.*\) : 0;/\1;/; s/const real dx/if (i == j) continue;\n        &/' $name.hpp
    fi
    echo "$name: -march=x86-64-$set ${all/-${without//_/-}/}" >>flags.txt
    names+=("$name")
  done
done
cd ..
./lab bench part2 naive "${names[@]}" --rounds 7 --json "$file" "${@:2}"
