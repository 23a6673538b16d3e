#!/usr/bin/env bash
# Does ./lab profile show what it is there to show? Run in a copy of the tree, since a mine_*.hpp is
# added (suite_profile in suites.sh). Status 77: gprof is missing.
#
#   profile_test.sh TREE
set -euo pipefail

tree=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
if ! command -v gprof >/dev/null; then echo 'gprof is not there'; exit 77; fi

bad=0
complain() { echo "FAILED: $*"; sed 's/^/  | /' "$work/out" "$work/err"; bad=1; }
lab() { "$tree/lab" "$@" >"$work/out" 2>"$work/err" </dev/null; }

share_of() { awk -v name="$1" '/ % / && index($0, name) { sub(/%.*/, ""); print $1; exit }' "$work/out"; }
between() { awk -v x="${1:--1}" -v low="$2" -v high="$3" 'BEGIN { exit !(x >= low && x <= high) }'; }
first_function() { awk '/ % / { print; exit }' "$work/out"; }

expect_refused() {  # FRAGMENT [ARGUMENT...]: one line, status 2
  local fragment=$1 status=0
  shift
  lab profile "$@" || status=$?
  if [ $status != 2 ] || [ "$(grep -c . "$work/err")" != 1 ] || ! grep -qF -- "$fragment" "$work/err"; then
    complain "profile $*: wants status 2 and one line with '$fragment'"
  fi
}

test_messages() {
  local arguments
  lab list part1 || complain 'list part1'  # configured once, so that a refusal is its one line alone
  expect_refused 'profile needs a part'
  expect_refused "no option '--nonsense'" part1 naive --nonsense
  expect_refused 'number of bodies' part1 naive -n many
  expect_refused 'number of bodies' part1 naive -n
  expect_refused "no option '--nonsense'" part1 naive --annotate --nonsense
  for arguments in '-h' 'part1 --help' 'part1 naive -h'; do
    # shellcheck disable=SC2086
    lab profile $arguments || complain "profile $arguments"
    grep -q '^usage: ./lab profile PART' "$work/out" || complain "profile $arguments: no help"
  done
  # Everything but what is missing.
  local tool folder
  for tool in gprof perf; do
    folder=$work/without_$tool
    mkdir "$folder"
    find -L /bin /usr/bin /usr/local/bin -maxdepth 1 -type f ! -name "$tool" \
      -exec ln -sf -t "$folder" {} + 2>/dev/null || true
    PATH=$folder expect_refused "$tool is missing; install" part1 naive --annotate
  done
}

test_naive() {
  lab profile part1 naive || complain 'profile of naive'
  between "$(share_of 'nbody::Naive::compute_accelerations()')" 50 92 || complain 'naive: forces 50 to 92 %'
  between "$(share_of 'nbody::Naive::largest_time_step()')" 6 45 || complain 'naive: neighbours 6 to 45 %'
  between "$(awk '$1 == "all" { print $2 }' "$work/out")" 1.8 20 || complain 'naive: two seconds of samples'
  grep -qE '1 / \(1 - 0\.[0-9]+\) = [0-9.]+ times' "$work/out" || complain 'naive: no ceiling of the speed-up'
  grep -q '^Flat profile' "$tree/build/profile/part1_naive.gprof.txt" || complain 'naive: the whole profile is not there'
}

# The body of the loop is a function that gprof would take for its neighbour.
test_openmp() {  # NAME CLASS
  lab profile part1 "$1" -n 1000 || complain "profile of $1"
  first_function | grep -qF "nbody::$2::compute_accelerations()" || complain "$1: leading function"
  between "$(share_of 'compute_accelerations()')" 50 100 || complain "$1: more than half of the time"
}

make_mine_openmp() {
  sed -e 's/class Mine : public Naive {/&\n#include "body"/' "$tree/part1_standard_opti/mine.hpp" |
    awk -v naive="$tree/part1_standard_opti/naive.hpp" '
      /#include "body"/ {
        print " public:"
        while ((getline line < naive) > 0) {
          if (line ~ /void compute_accelerations/) copying = 1
          if (copying && line ~ /for \(std::size_t i = 0/) print "#pragma omp parallel for schedule(static)"
          if (copying) print line
          if (copying && line ~ /^  }$/) break
        }
        next
      }
      { print }' >"$tree/part1_standard_opti/mine_rows.hpp"
}

test_debug() {
  lab profile part1 naive --debug || complain 'profile --debug of naive'
  # Its share depends on how fast powf is here (9 % was met); its calls do not: 20 per pair.
  between "$(share_of '>::operator[](unsigned long)')" 3 90 || complain 'debug: vector::operator[]'
  grep -qE '[0-9]{7} +std::vector<.*>::operator\[\]\(unsigned long\)' "$work/out" ||
    complain 'debug: millions of calls of operator[]'
  between "$(share_of 'compute_accelerations()')" 0 50 || complain 'debug: forces no longer lead'
  grep -q 'Not optimised' "$work/out" || complain 'debug: why it differs'
}

test_annotate() {
  local status=0
  if ! command -v perf >/dev/null; then echo 'perf is not there: lines are not tested'; return; fi
  lab profile part1 naive --annotate || status=$?
  if [ $status = 2 ] && grep -q 'perf may not measure here' "$work/err"; then
    echo "perf may not measure here: lines are not tested"
    return
  fi
  if [ $status != 0 ]; then complain 'profile --annotate of naive'; fi
  grep -q '^nbody::Naive::compute_accelerations()' "$work/out" || complain 'annotate: the function'
  grep -qE '^ +[0-9]+ % .*(div|sqrt|mul)' "$work/out" || complain 'annotate: instructions'
  grep -qF 'bodies[i].ax += force' "$work/out" || complain 'annotate: lines of the source'
}

make_mine_openmp
test_messages
test_naive
test_openmp mine_rows Mine
if [ -e "$tree/solutions/part1_standard_opti/openmp.hpp" ]; then test_openmp openmp Openmp; fi
test_debug
test_annotate
exit $bad
