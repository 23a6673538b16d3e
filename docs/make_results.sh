#!/usr/bin/env bash
# Measures what docs/results.md shows, on a quiet machine: data/results/*.json, docs/pictures/*.
# Six minutes at most on two cores; building comes before.
#
#   docs/make_results.sh [--quick]    --quick: few rounds, to try the script itself
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"
results=data/results
ladder=(--rounds 7) sweep=(--rounds 3) sizes=32,64,128,256,512,1024,2048,4096,8192,16384,32768
case ${1:-} in
  '') ;;
  --quick) ladder=(--quick --rounds 1 -n 500) sweep=(--quick --rounds 1) sizes=32,256,1024 ;;
  *) echo "make_results.sh: takes --quick or nothing, not '$1'" >&2; exit 2 ;;
esac

measure() {  # NAME ARGUMENTS OF BENCH...
  local name=$1
  shift
  echo "== $name"
  # Status 1: something timed was wrong, which its row says; the others count.
  ./lab bench "$@" --json "$results/$name.json" --plot "build/pictures/$name" || [ $? = 1 ]
}

draw_orbits() {
  rm -rf build/pictures/orbits
  mkdir -p build/pictures/orbits
  ./lab run part1 naive --scene six --soft 0.5 --dt 0.001 -i 6000 --precision double \
    -w build/pictures/orbits/six --every 10
  ./lab plot orbits build/pictures/orbits/six
  ./lab plot energy build/pictures/orbits/six
  cp build/pictures/orbits/six_{orbits,energy}.svg docs/pictures/
}

names_in() { python3 common/lab/manifest.py build/release/manifest.json names "$@"; }  # PART [KIND]

present() {  # PART NAME...: those that the part has
  local part=$1 name
  shift
  for name in "$@"; do
    names_in "$part" | grep -xF -- "$name" || true
  done
}

./lab build all
echo "load before: $(cut -d ' ' -f 1-3 /proc/loadavg) (near 0 is quiet)"
start=$SECONDS
mapfile -t names < <(present part1 naive flags_only algebra locals inverse_cubed fused third_law private_cyclic split_loop)
measure part1_fixed_step part1 "${names[@]}" "${ladder[@]}"
for part in part1 part2; do
  if [ -z "$(names_in "$part")" ]; then continue; fi
  step=()
  if [ "$part" = part1 ]; then step=(--vdt); fi  # the neighbour pass is one of its lessons
  measure "${part}_ladder_1_thread" "$part" "${step[@]}" "${ladder[@]}"
  measure "${part}_ladder_2_threads" "$part" "${step[@]}" --threads 2 "${ladder[@]}"
  best=$(names_in "$part" solution | tail -n 1)
  # The slowest takes 6 s for an iteration of the largest size: few names.
  mapfile -t names < <(present "$part" naive third_law "$best")
  measure "${part}_sizes" "$part" "${names[@]}" -n "$sizes" "${sweep[@]}"
  mapfile -t names < <(present "$part" naive openmp private_blocks private_cyclic openmp_direct "$best")
  measure "${part}_threads" "$part" "${names[@]}" -n 500,2000,8000 --threads 1,2 "${sweep[@]}"
done
mapfile -t names < <(present part2 naive newton blocked_2 blocked blocked_8)
measure part2_blocking part2 "${names[@]}" "${ladder[@]}"
mapfile -t names < <(present part2 naive omp_simd blocked third_law openmp_third_law)
measure part2_double part2 "${names[@]}" --precision double "${ladder[@]}"
mapfile -t names < <(present part2 naive newton blocked third_law)
measure part2_instruction_sets part2 "${names[@]}" --arch sse2,avx2,avx512 "${ladder[@]}"
python3 docs/draw_pictures.py
draw_orbits
echo "measured for $((SECONDS - start)) s; load after: $(cut -d ' ' -f 1-3 /proc/loadavg)"
