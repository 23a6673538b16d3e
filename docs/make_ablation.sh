#!/usr/bin/env bash
# What does each small idea bring alone, added to naive or taken out of third_law? Changes a line or two in a
# copy of the sources, builds each as a student's version of part 3, and measures all in one run.
#
#   docs/make_ablation.sh FILE.json [options of bench]     needs a GPU
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
[ $# -gt 0 ] || { echo 'make_ablation.sh: wants the name of a JSON file to write' >&2; exit 2; }
json=$(realpath -m "$1")
shift
tree=$root/build/ablation
rm -rf "$tree"
mkdir -p "$tree"
(cd "$root" && tar -cf - --exclude=./build --exclude=./.git .) | tar -xf - -C "$tree"
mkdir -p "$tree/build"
if [ -d "$root/build/tools" ]; then ln -s "$root/build/tools" "$tree/build/tools"; fi
cd "$tree/part3_cuda"
names=()

edit() {  # FILE SED_COMMAND: a change that changes nothing is a mistake of this script
  cp "$1" "$1.before"
  sed -i "$2" "$1"
  if cmp -s "$1" "$1.before"; then echo "make_ablation.sh: '$2' changes nothing in $1" >&2; exit 1; fi
  rm "$1.before"
}

add_flags() { printf 'mine_%s: %s\n' "$1" "$2" >>flags.txt; names+=("mine_$1"); }

naive_with() {  # NAME FLAGS [SED_COMMAND], within the kernel of the accelerations
  local file=mine_plus_$1.cuh
  sed 's/class Naive/class Mine/; s/explicit Naive/explicit Mine/' naive.cuh >"$file"
  if [ $# = 3 ]; then edit "$file" "/void accelerations/,/^}/ { $3 }"; fi
  add_flags "plus_$1" "$2"
}

third_law_without() {  # NAME FLAGS [FILE SED_COMMAND], in one of the files that it is made of
  local name=minus_$1 part
  for part in third_law third_law_kernel interaction; do
    sed "s/\"third_law_kernel.cuh\"/\"${name}_third_law_kernel.cuh\"/; s/\"interaction.cuh\"/\"${name}_interaction.cuh\"/" \
      "../solutions/part3_cuda/$part.cuh" >"${name}_$part.cuh"
  done
  mv "${name}_third_law.cuh" "mine_$name.cuh"
  edit "mine_$name.cuh" 's/class ThirdLaw /class Mine /; s/explicit ThirdLaw(/explicit Mine(/'
  if [ $# = 4 ]; then
    case $3 in
      third_law) edit "mine_$name.cuh" "$4" ;;
      *) edit "${name}_$3.cuh" "$4" ;;
    esac
  fi
  add_flags "$name" "$2"
}

# What the files of third_law include beside each other.
cp ../solutions/part3_cuda/{real4,arrays,padded_arrays}.cuh ../solutions/part3_cuda/third_law_plan.hpp .

naive_with rsqrt '-O3' 's|1 / sqrt(r2)|rsqrt(r2)|;'
naive_with ftz '-O3 -ftz=true'
naive_with rsqrt_and_ftz '-O3 -ftz=true' 's|1 / sqrt(r2)|rsqrt(r2)|;'
naive_with fast_math '-O3 -use_fast_math'
naive_with registers '-O3' 's|^  real ax = |  const Body self = bodies[i];\n&|; s|bodies\[i\]\.q|self.q|;'
naive_with no_test '-O3' 's|if (i != j) {|{|;'
naive_with unroll_8 '-O3' 's|^  for (std::size_t j|#pragma unroll 8\n&|;'
naive_with int_index '-O3' 's|for (std::size_t j = 0; j < n; ++j)|for (int j = 0; j < static_cast<int>(n); ++j)|;'

third_law_without nothing '-O3 -ftz=true'
third_law_without ftz '-O3'
third_law_without rsqrt '-O3 -ftz=true' interaction 's|asm("rsqrt.approx.ftz.f32.*|y = 1.0f / sqrtf(x);|'
third_law_without mass_apart '-O3 -ftz=true' third_law_kernel 's|tile.mass\[lane + turn\]|j.w|'
third_law_without unrolling '-O3 -ftz=true' third_law 's|ThirdLawShape{9, 4, 2, 2, 3}|ThirdLawShape{9, 4, 1, 2, 3}|'
third_law_without ahead '-O3 -ftz=true' third_law 's|ThirdLawShape{9, 4, 2, 2, 3}|ThirdLawShape{9, 4, 2, 0, 3}|'
third_law_without five_of_nine_bodies '-O3 -ftz=true' third_law 's|ThirdLawShape{9, 4, 2, 2, 3}|ThirdLawShape{4, 4, 2, 2, 3}|'
third_law_without eight_of_nine_bodies '-O3 -ftz=true' third_law 's|ThirdLawShape{9, 4, 2, 2, 3}|ThirdLawShape{1, 4, 2, 1, 3}|'

cd "$tree"
targets=(part3_naive part3_third_law bench devices)
for name in "${names[@]}"; do targets+=("part3_$name"); done
cmake --preset release -DLAB_TESTS=OFF >build/ablation.log
cmake --build --preset release --target "${targets[@]}" >>build/ablation.log || { tail -n 30 build/ablation.log >&2; exit 1; }
device=$(build/release/bin/devices --name) || exit 2
build/release/bin/bench part3 naive third_law "${names[@]}" --manifest build/release/manifest.json \
  --device "$device" -n 65536 --rounds 5 --json "$json" "$@"
