# shellcheck shell=bash
# The studies of ./lab bench part3 --study NAME: what is measured, at which sizes, over which launches. Sourced by lab, which has `part`, `names`, names_in and die.

# Sets names (where none were given: those of these that there are, else mine) and study_options.
# shellcheck disable=SC2034  # lab reads study_options
plan_gpu_study() {  # STUDY
  local usual=() name
  case $1 in
    block)
      usual=(tiles)
      study_options=(--block '16,32,64,128,256,512,1024' -n '4096,16384,65536,262144' --rounds 3) ;;
    unroll)
      usual=(unrolled)
      study_options=(--unroll '1,2,4,8,16,32' -n '4096,16384,65536,262144' --rounds 3) ;;
    sizes)
      usual=(naive float4 tiles several_bodies split third_law best)
      study_options=(-n '1024,2048,4096,8192,16384,32768,65536,131072,262144' --rounds 3) ;;
    large)
      usual=(naive several_bodies split third_law best)
      study_options=(-n '32768,65536,131072,262144' --rounds 3) ;;
    ladder)
      usual=()
      study_options=(-n 131072 --rounds 5) ;;
    processor)
      usual=(naive best)
      # Where one thread of the naive loop takes a second for a step, it ends.
      study_options=(--threads "$(nproc)" -n '32,64,128,256,512,1024,2048,4096,8192' --rounds 3) ;;
    copies)
      usual=(naive) ;;
    *) die "bench $part has no study '$1'; there are block, unroll, sizes, large, ladder, processor, copies" ;;
  esac
  if [ ${#names[@]} = 0 ]; then
    for name in ${usual[@]+"${usual[@]}"}; do
      if names_in "$part" | grep -xF -- "$name" >/dev/null; then names+=("$name"); fi
    done
    if [ ${#names[@]} = 0 ] && [ ${#usual[@]} != 0 ]; then names=(mine); fi
  fi
  if [ "$1" = processor ]; then add_processor_names; fi
}

# First the naive loop of part 1, then the best that part 2 has.
add_processor_names() {
  local found=(part1/naive) part name
  for name in openmp_direct openmp_third_law; do
    if names_in part2 | grep -xF "$name" >/dev/null; then found+=("part2/$name"); fi
  done
  if [ ${#found[@]} = 1 ]; then found+=(part2/mine); fi
  names=("${found[@]}" "${names[@]}")
}
