#!/usr/bin/env bash
# Runs every rung of part 3 under the four tools of compute-sanitizer and writes a line for each run. Needs a GPU
# and a built part 3; minutes. Status 1 if a rung has errors, but for the race that second_barrier is there for, and
# if that is not found. After Ctrl-C the last runs go on for a while.
#
#   docs/make_sanitizer_report.sh [FILE [RUNG...]]      default: data/results/part3_sanitizer.txt, all rungs
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"
report=${1:-data/results/part3_sanitizer.txt}
programs=build/release/bin/part3
die() { echo "make_sanitizer_report.sh: $1" >&2; exit 2; }
command -v compute-sanitizer >/dev/null || die 'no compute-sanitizer here'
device=$(build/release/bin/devices --name) || exit 2

tools=(memcheck racecheck initcheck synccheck)
names=("${@:2}")
if [ ${#names[@]} = 0 ]; then
  for program in "$programs"/*; do
    [ -x "$program" ] || continue
    case ${program##*/} in *_count | worksheet_answers | mine*) ;; *) names+=("${program##*/}") ;; esac
  done
fi
[ ${#names[@]} != 0 ] || die "nothing in $programs; ./lab build part3"

# 3001 bodies: more than one block of every shape, and no multiple of any. 130 steps: a graph, and two more. 2000: the
# shape of exchange between 1024 and 2048. 10501: a thread block of third_law has more than one unit, on 132
# multiprocessors.
plan() {
  local name rule
  for name in "${names[@]}"; do
    for rule in fixed adaptive; do
      printf '%s\n' "$name float $rule "{'3001 1','1021 2','129 2','1 2'} "$name double $rule 3001 1"
      case $name in
        many_steps) printf '%s\n' "$name float $rule 129 130" "$name double $rule 129 130" ;;
        exchange | best) printf '%s\n' "$name float $rule "{'6 130','129 130','2000 3','3001 3'} ;;
        third_law) printf '%s\n' "$name "{float,double}" $rule 10501 1" ;;
      esac
    done
  done
}

one() {  # TOOL NAME PRECISION RULE N STEPS: a line of the report
  local output status=0 what vdt=()
  if [ "$4" = adaptive ]; then vdt=(--vdt); fi
  output=$(timeout 100 compute-sanitizer --tool "$1" --error-exitcode 9 "$programs/$2" -n "$5" -i "$6" \
    --precision "$3" ${vdt[@]+"${vdt[@]}"} 2>&1) || status=$?
  case $status in
    0) what=$(grep -o 'ERROR SUMMARY.*\|RACECHECK SUMMARY.*' <<<"$output" | head -1) ;;
    9) what="errors: $(grep -o 'ERROR SUMMARY.*\|RACECHECK SUMMARY.*' <<<"$output" | head -1)" ;;
    124) what='no answer in 100 s' ;;
    *) what="status $status: $(tail -n 1 <<<"$output")" ;;
  esac
  printf '%-20s %-10s %-7s %-9s %5s %5s  %s\n' "$2" "$1" "$3" "$4" "$5" "$6" "$what"
  if [ "$1 $2 $3 $4 $5" = 'racecheck second_barrier float fixed 3001' ]; then
    printf '\n# What racecheck says of second_barrier, the rung that leaves a barrier out:\n' >"$found/race"
    printf '%s\n' "$output" | sed 's/^/# /' >>"$found/race"
  fi
}
export -f one
found=$(mktemp -d)
export programs found
trap 'rm -rf "$found"' EXIT
touch "$found/race"

plan | while read -r line; do
  for tool in "${tools[@]}"; do echo "$tool $line"; done
done | xargs -P "$(nproc)" -I{} bash -c 'one {}' | tee "$found/rows" | awk '{ printf "\r%d runs", NR > "/dev/stderr" }'
echo >&2

{
  echo '# compute-sanitizer on every rung of part 3: docs/make_sanitizer_report.sh'
  echo "# $device; $(compute-sanitizer --version | sed -n 's/^Version/compute-sanitizer/p'); $(date +%F);" \
    "$(git describe --always --dirty 2>/dev/null || true)"
  printf '%-20s %-10s %-7s %-9s %5s %5s  %s\n' '# rung' tool type step n steps found
  sort -k1,2 -k3,3r -k4,4 -k5,6n "$found/rows"
  cat "$found/race"
} >"$found/report"
mkdir -p "$(dirname "$report")"
cp "$found/report" "$report"

runs=$(wc -l <"$found/rows")
clean=$(grep -c 'SUMMARY: 0 \(errors\|hazards\)' "$found/rows" || true)
race=$(grep -c '^second_barrier  *racecheck.*errors: ' "$found/rows" || true)
echo "$runs runs, $clean without errors, $race times the race of second_barrier: $report"
if [ -s "$found/race" ] && [ "$race" = 0 ]; then echo 'the race of second_barrier was not found'; exit 1; fi
[ $((clean + race)) = "$runs" ]
