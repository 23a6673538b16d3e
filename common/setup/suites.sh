#!/usr/bin/env bash
# What ./lab test does: suites in order, each a row "NAME BUDGET_IN_SECONDS" and one or two functions:
# build_NAME compiles what it needs, as long as that takes; suite_NAME runs it within the budget, since
# what runs may hang.
#
#   suites.sh [--all | --weekly] [--keep-going] [SUITE...]
#   suites.sh --only FUNCTION     the function itself, in this process: what a budget is put around
#
# A function fails with a status other than 0; 77 means skipped, for the reason in its last line.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(cd "$here/../.." && pwd -P)
logs=$root/build/test_logs
cd "$root"
PATH=$root/build/tools/bin:$PATH
# shellcheck source=common/setup/user_space.sh
. "$here/user_space.sh"

# A quarter of an hour in all on two cores from a clean clone.  none: it only builds.
plain_suites='setup 120
build none
unit 800
parts 300
profile 600
docs 1200'
# --all, before each change is kept: half an hour more.
extra_suites='zoo 1800
sanitizers 600
style 60
without-solutions 120
contributing 900
fresh 300'
# --weekly: the same under other compilers, machines and CMakes, and what looks for rare faults.
weekly_suites='sanitized-tests 1500
fuzz 200
old-compiler none
cmake-versions none
neon 60
cuda 300'
all_suites=$plain_suites$'\n'$extra_suites$'\n'$weekly_suites

names_of_suites() { cut -d ' ' -f 1 <<<"$all_suites" | tr '\n' ' ' | sed 's/ $//'; }
skip() { printf '%s\n' "$*"; exit 77; }
fail() { printf '%s\n' "$*"; exit 1; }

configure_preset() {  # PRESET: with the compiler that setup chose, where CMake's own is too old
  local compiler
  compiler=$(bash common/setup/setup.sh --compiler)
  cmake --preset "$1" ${compiler:+"-DCMAKE_CXX_COMPILER=$compiler"}
}

# --- plain -------------------------------------------------------------------------------------

suite_setup() { bash common/setup/setup.sh "--$level"; }

build_build() { ./lab build all; }

build_unit() { ./lab build all; }
suite_unit() { ctest --preset release --no-tests=error -j 2 -LE zoo; }

build_parts() { ./lab build all; }
suite_parts() {
  local file part
  for file in part*_*/CMakeLists.txt; do
    part=${file%%_*}
    if [ -z "$(python3 common/lab/manifest.py build/release/manifest.json names "$part")" ]; then
      printf '%s is not built here, so not checked\n' "$part"
      continue
    fi
    ./lab check "$part" naive mine
  done
}

# A copy of the tree, with a build folder of its own: a header is added to it.
build_profile() {
  git rev-parse --is-inside-work-tree >/dev/null 2>&1 || skip 'not a git checkout: no list of files'
  local tree=build/profile_tree
  # Files keep their dates and the build folder stays: a second run builds next to nothing.
  mkdir -p "$tree"
  find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
  tracked | tar -cf - -T - | tar -xf - -C "$tree"
  cd "$tree"
  local preset
  for preset in profile profile-debug; do
    configure_preset $preset
    cmake --build --preset $preset --target part1_naive part1_mine
  done
}
suite_profile() { bash common/setup/profile_test.sh "$root/build/profile_tree"; }

build_docs() { python3 docs/run_docs.py --build; }
suite_docs() {
  python3 docs/run_docs.py --self-test
  python3 docs/run_docs.py
}

# --- extra -------------------------------------------------------------------------------------

build_zoo() { ./lab build all; }
suite_zoo() { ctest --preset release --no-tests=error -j 2 -L zoo; }

# Rooms that read what others wrote, and the code of two parts.
build_sanitizers() {
  configure_preset debug
  # shellcheck disable=SC2046  # no target holds a blank
  cmake --build --preset debug --target bodies_test protocol_messages_test protocol_session_test physics_test \
    simulation_test launcher_test part1 check $(sanitized_programs)
}
sanitized_programs() {
  python3 common/lab/manifest.py build/debug/manifest.json programs part2 | grep '_avx2$' || true
}
suite_sanitizers() {
  ctest --preset debug --no-tests=error -j 2 -R '^(bodies|protocol|physics|simulation|launcher)_.*test$'
  local check="build/debug/bin/check --no-double --largest 70 --seeds 1 --manifest build/debug/manifest.json"
  $check part1
  # Programs of an instruction set that the machine lacks are skipped.
  $check part2 --arch avx2
}

# All tests, and every instruction set.
build_sanitized-tests() {
  configure_preset debug
  cmake --build --preset debug --target lab_tests part2 check  # the zoo's headers are in two of the tests
}
suite_sanitized-tests() {
  ctest --preset debug --no-tests=error -j 2 -LE zoo
  local arch
  for arch in sse2 avx512; do
    build/debug/bin/check part2 --arch $arch --no-double --largest 70 --seeds 1 --manifest build/debug/manifest.json
  done
}

fuzzers() { ninja -C build/fuzz -t targets all | sed -n 's|^bin/\([a-z0-9_]*_fuzz\): .*|\1|p'; }
build_fuzz() {
  command -v clang++ >/dev/null || skip 'clang++ is not there'
  [ -e "$(clang++ -print-file-name="libclang_rt.fuzzer-$(uname -m).a")" ] || skip "clang's libFuzzer is not there"
  cmake --preset fuzz
  [ -n "$(fuzzers)" ] || fail 'no fuzzer found'
  # One word each.
  # shellcheck disable=SC2046
  cmake --build --preset fuzz --target $(fuzzers)
}
# ROOM/NAME_fuzz.cpp becomes bin/NAME_fuzz; its inputs are in ROOM/corpus/NAME, or in ROOM/corpus.
suite_fuzz() {
  local program source corpus scratch
  for program in $(fuzzers); do
    source=$(ls common/*/"$program.cpp")
    corpus=$(dirname "$source")/corpus
    if [ -d "$corpus/${program%_fuzz}" ]; then corpus=$corpus/${program%_fuzz}; fi
    [ -n "$(ls -A "$corpus")" ] || fail "$corpus is empty"
    # New inputs go to the first folder, a scratch one; the committed ones are only read.
    scratch=build/fuzz/corpus/$program
    mkdir -p "$scratch"
    "build/fuzz/bin/$program" -max_total_time=20 -timeout=10 -print_final_stats=1 \
      "-artifact_prefix=build/fuzz/$program-" "$scratch" "$corpus" </dev/null
  done
}

tracked() { git ls-files -- "$@"; }

suite_style() {
  local files
  git rev-parse --is-inside-work-tree >/dev/null 2>&1 || skip 'not a git checkout: no list of files'
  command -v shellcheck >/dev/null || skip 'shellcheck is not there'
  shellcheck -x lab .ci/run common/setup/*.sh common/bench/*.sh docs/*.sh
  command -v clang-format-14 >/dev/null || skip 'scripts are clean; clang-format-14 is not there'
  files=$(tracked '*.hpp' '*.cpp' '*.cu' '*.cuh')
  # No name in the tree holds a space.
  # shellcheck disable=SC2086
  clang-format-14 --dry-run -Werror $files
}

build_without-solutions() {
  [ -d solutions ] || skip 'there is no folder solutions'
  local copy=build/without_solutions
  rm -rf "$copy/tree"
  mkdir -p "$copy/tree"
  tracked | grep -v '^solutions/' | tar -cf - -T - | tar -xf - -C "$copy/tree"
  cmake -S "$copy/tree" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLAB_WITH_CUDA=OFF
  cmake --build "$copy/build" --target part1 part1_in_double check demo
}
suite_without-solutions() {
  local build=build/without_solutions/build
  "$build/bin/check" part1 --largest 129 --manifest "$build/manifest.json"
}

build_old-compiler() {
  command -v g++-11 >/dev/null || skip 'g++-11 is not there'
  cmake -S . -B build/old_compiler -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=g++-11 -DLAB_WITH_CUDA=OFF
  cmake --build build/old_compiler --target part1 part2 check bench plot machine notebook demo part1_worksheet
}

# The floor and the newest; what CMake reads is the same for every program, so one is enough.
build_cmake-versions() {
  local version folder status
  for version in 'cmake==3.22.*' 'cmake>=4'; do
    folder=build/cmake_versions/${version//[^0-9]/}
    status=0
    pip_tools "$folder/tools" "$version" || status=$?
    [ $status = 0 ] || skip "pip cannot bring $version: $(tail -n 1 "$folder/tools/pip.log" 2>/dev/null || echo no pip)"
    "$folder/tools/bin/cmake" --version
    "$folder/tools/bin/cmake" -S . -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DLAB_WITH_CUDA=OFF
    "$folder/tools/bin/cmake" --build "$folder/build" --target part1_naive
  done
}

build_neon() { bash common/setup/neon_test.sh build build/neon; }
suite_neon() { bash common/setup/neon_test.sh run build/neon; }

# The toolkit's, else the one that ./lab setup --cuda would bring by pip; nothing where neither is to be had.
find_cuobjdump() {  # FOLDER
  command -v cuobjdump && return
  pip_tools "$1" "$(sed -n 's/^\(nvidia-cuda-cuobjdump[^ ]*\) .*/\1/p' common/setup/packages.txt)" || return 0
  ls "$1"/python/nvidia/cu*/bin/cuobjdump
}

# Part 3 for the GPUs that students have: T4, A100, H100. The tests of the programs are in unit.
build_cuda() {
  local said
  said=$(cmake -S . -B build/cuda -G Ninja -DCMAKE_BUILD_TYPE=Release '-DLAB_CUDA_ARCHITECTURES=75;80;90')
  printf '%s\n' "$said"
  if [[ $said = *'part 3 is left out'* ]]; then skip "$(sed -n 's/^-- \(.*part 3 is left out.*\)/\1/p' <<<"$said")"; fi
  # shellcheck disable=SC2086  # no target holds a blank
  cmake --build build/cuda --target $programs_for_all_gpus
}
programs_for_all_gpus='bin/part3/naive bin/part3/naive_double bin/part3/third_law bin/part3/exchange'

# Machine code for each, and PTX of the last for the GPUs to come.
suite_cuda() {
  local program part tool
  tool=$(find_cuobjdump build/cuda_tools)
  [ -n "$tool" ] || skip 'the programs are built; no cuobjdump, and pip cannot bring it, so nobody looked into them'
  for program in $programs_for_all_gpus; do
    for part in sm_75.cubin sm_80.cubin sm_90.cubin sm_90.ptx; do
      "$tool" --list-elf --list-ptx "build/cuda/$program" | grep -F "$part" >/dev/null || fail "$program has no $part"
    done
    printf '%s: machine code for sm_75, 80, 90 and PTX\n' "$program"
  done
}

# A new rung and a new part, made as CONTRIBUTING.md says, in a copy of the tree.
suite_contributing() {
  git rev-parse --is-inside-work-tree >/dev/null 2>&1 || skip 'not a git checkout: no list of files'
  local copy=build/contributing
  mkdir -p "$copy/tree"
  find "$copy/tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
  tracked | tar -cf - -T - | tar -xf - -C "$copy/tree"
  python3 common/lab/contributing_test.py "$copy/tree"
}

build_fresh() {
  git rev-parse --is-inside-work-tree >/dev/null 2>&1 || skip 'not a git checkout: nothing to clone'
  # Under build/, so that a suite that was stopped leaves nothing elsewhere.
  rm -rf build/fresh
  git clone -q . build/fresh
  (cd / && "$root/build/fresh/lab" demo --help)  # builds all that it needs
}
suite_fresh() {
  (cd / && "$root/build/fresh/lab" demo)
  rm -rf build/fresh
}

# --- running them ------------------------------------------------------------------------------

with_budget() {  # SECONDS COMMAND...: none for as long as it takes
  local seconds=${1/none/0} status=0
  shift
  # 0 is no limit; it is here to pass TERM on.
  if command -v timeout >/dev/null; then set -- timeout --kill-after=10 "$seconds" "$@"; fi
  # In the background, so that Ctrl-C reaches the trap at once; timeout passes TERM on to all below.
  "$@" &
  running=$!
  wait "$running" || status=$?
  running=''
  return $status
}

# What went wrong first is often far from the end.
show_log() {  # LOG
  grep -n 'FAILED\|error:\|CMake Error\|\*\*\*' "$1" | sed -n '1,12s/^/  ! line /p' | cut -c 1-200 || true
  tail -n 40 "$1" | sed 's/^/  | /'
}

has_function() { declare -F "$1" >/dev/null; }

run_function() {  # NAME BUDGET: appends to $log
  local status=0
  with_budget "$2" bash "$here/suites.sh" "--$level" --only "$1" >>"$log" 2>&1 </dev/null || status=$?
  return $status
}

run_suite() {  # NAME BUDGET
  local name=$1 budget=$2 log=$logs/$1.log status=0 start=$SECONDS built=0 verdict
  : >"$log"
  if has_function "build_$name"; then
    printf 'suite %s: building, ' "$name"
    run_function "build_$name" none || status=$?
    built=$((SECONDS - start))
    printf '%s s; ' $built
  else
    printf 'suite %s: ' "$name"
  fi
  if [ $status = 0 ] && has_function "suite_$name"; then
    printf 'running (budget %s s): ' "$budget"
    run_function "suite_$name" "$budget" || status=$?
  fi
  case $status in
    0) verdict="passed in $((SECONDS - start)) s, $built of them building"; passed=$((passed + 1)) ;;
    77) verdict="skipped: $(tail -n 1 "$log")"; skipped=$((skipped + 1)) ;;
    124 | 137) verdict="failed: stopped after $((SECONDS - start - built)) s, over its budget"; failed=$((failed + 1)) ;;
    *) verdict="failed with status $status after $((SECONDS - start)) s"; failed=$((failed + 1)) ;;
  esac
  printf '%s\n' "$verdict"
  table+="$(printf '%-20s %s' "$name" "$verdict")"$'\n'
  case $verdict in
    failed*) show_log "$log"; printf '  the whole log: %s\n' "${log#"$root"/}" ;;
  esac
}

run_suites() {
  local name budget table='' passed=0 failed=0 skipped=0 start=$SECONDS
  mkdir -p "$logs"
  while read -r name budget; do
    if [ -n "$chosen" ] && [[ " $chosen " != *" $name "* ]]; then continue; fi
    if [ $failed -gt 0 ] && ! $keep_going; then
      table+="$(printf '%-20s %s' "$name" 'not run, after a failure (--keep-going runs it)')"$'\n'
      skipped=$((skipped + 1))
      continue
    fi
    run_suite "$name" "$budget"
  done <<<"$suites"
  printf '\n%s\n%s s in all\n%d passed, %d failed, %d skipped\n' \
    "$table" $((SECONDS - start)) $passed $failed $skipped
  [ $failed = 0 ]
}

level=tests keep_going=false chosen='' running=''
suites=$plain_suites
while [ $# -gt 0 ]; do
  case $1 in
    --all | --tests-all) level=tests-all suites=$plain_suites$'\n'$extra_suites ;;
    --weekly) level=tests-all suites=$all_suites ;;
    --tests) ;;
    --keep-going) keep_going=true ;;
    --only) "$2"; exit 0 ;;
    -*) echo "lab: test has no option '$1'; there are --all, --weekly and --keep-going" >&2; exit 2 ;;
    *)
      if [[ " $(names_of_suites) " != *" $1 "* ]]; then
        echo "lab: there is no suite '$1'; suites: $(names_of_suites)" >&2
        exit 2
      fi
      # A suite is named: it is run, wherever it belongs.
      level=tests-all suites=$all_suites chosen="$chosen $1" ;;
  esac
  shift
done
# shellcheck disable=SC2064
trap 'if [ -n "$running" ]; then kill -TERM "$running" 2>/dev/null || true; fi; echo; exit 130' INT TERM
run_suites
