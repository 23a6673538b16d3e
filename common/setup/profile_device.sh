#!/usr/bin/env bash
# What ./lab profile does for a program that runs on a GPU: the program keeps the times itself, by events
# of the GPU around every kernel and copy; with --ncu, NVIDIA's profiler reads the hardware counters.
#
#   profile_device.sh PART NAME BUILD_FOLDER [-n BODIES] [--double] [--ncu]
#
# The adaptive step, so that both searches over all pairs are seen.
set -euo pipefail

die() { printf 'lab: %s\n' "$*" >&2; exit 2; }

find_ncu() {
  local folder
  ncu=$(command -v ncu) && return
  for folder in /usr/local/cuda/bin /opt/nvidia/nsight-compute/*; do
    if [ -x "$folder/ncu" ]; then ncu=$folder/ncu; return; fi
  done
  die 'ncu is missing; it comes with the CUDA toolkit (package nsight-compute); without --ncu: kernels and copies'
}

# Sets seconds: of the iterations, without start-up.
timed_run() {  # ITERATIONS
  "$program" -n "$bodies" -i "$1" --vdt ${precision:+--precision "$precision"} --json "$work/run.json" \
    >"$work/run.txt" 2>"$work/error.txt" || die "$part/$name stopped: $(tail -n 1 "$work/error.txt")"
  seconds=$(sed -n 's/.*"wall_s": \([0-9.e+-]*\),.*/\1/p' "$work/run.json")
}

# About a second: the first iterations are slower, and clocks rise.
show_times() {
  local iterations=8
  timed_run $iterations
  while [ "$iterations" -lt 100000 ] && awk "BEGIN { exit !($seconds < 0.2) }"; do
    iterations=$((iterations * 4))
    timed_run $iterations
  done
  iterations=$(awk "BEGIN { n = 1.0 * $iterations / $seconds; printf \"%d\", n < 4 ? 4 : n }")
  "$program" -n "$bodies" -i "$iterations" --vdt ${precision:+--precision "$precision"} --profile
}

# The second launch of each kernel: the first one warms caches up.
show_counters() {
  find_ncu
  exec "$ncu" --kernel-id ':::2' --section SpeedOfLight --section LaunchStats --section Occupancy \
    --section WarpStateStats "$program" -n "$bodies" -i 3 --vdt ${precision:+--precision "$precision"}
}

bodies=16384 precision='' counters=false words=()
while [ $# -gt 0 ]; do
  case $1 in
    -n)
      case ${2:-} in '' | *[!0-9]* | 0 | 1) die "-n wants a number of bodies, at least 2, not '${2:-}'" ;; esac
      bodies=$2
      shift ;;
    --double) precision=double ;;
    --ncu) counters=true ;;
    -*) die "profile has no option '$1' on the GPU; there are -n, --double and --ncu" ;;
    *) words+=("$1") ;;
  esac
  shift
done
if [ ${#words[@]} = 0 ]; then exit 0; fi  # were the options good? is asked before minutes of building
if [ ${#words[@]} != 3 ]; then die "profile takes one part and one name at most, not '${words[*]:3}'"; fi
part=${words[0]} name=${words[1]} program=${words[2]}/bin/${words[0]}/${words[1]}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if $counters; then show_counters; else show_times; fi
