#!/usr/bin/env bash
# What ./lab test does: suites in order, each a function below and a row "NAME BUDGET_IN_SECONDS".
#
#   suites.sh [--all] [--keep-going] [SUITE...]
#   suites.sh --only SUITE     the suite itself, in this process: what a budget is put around
#
# A suite fails with a status other than 0; 77 means skipped, for the reason in its last line.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(cd "$here/../.." && pwd -P)
logs=$root/build/test_logs
cd "$root"
PATH=$root/build/tools/bin:$PATH
# shellcheck source=common/setup/user_space.sh
. "$here/user_space.sh"

# A quarter of an hour in all on two cores from a clean clone.
plain_suites='setup 120
build 1000
unit 400
parts 90
profile 300
docs 800'
# 70 minutes more, on a machine that others use too.
extra_suites='zoo 600
sanitizers 1800
fuzz 200
style 60
without-solutions 300
old-compiler 500
cmake-versions 220
neon 120
cuda 900
fresh 300'

names_of_suites() { cut -d ' ' -f 1 <<<"$plain_suites"$'\n'"$extra_suites" | tr '\n' ' ' | sed 's/ $//'; }
skip() { printf '%s\n' "$*"; exit 77; }
fail() { printf '%s\n' "$*"; exit 1; }

configure_preset() {  # PRESET: with the compiler that setup chose, where CMake's own is too old
  local compiler
  compiler=$(bash common/setup/setup.sh --compiler)
  cmake --preset "$1" ${compiler:+"-DCMAKE_CXX_COMPILER=$compiler"}
}

configure_and_build() {  # FOLDER [OPTION...]: tests, part 1 and tools, in a folder of its own
  local folder=$1
  shift
  cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@"
  cmake --build "$folder" --target lab_tests part1 check demo
}

# --- plain -------------------------------------------------------------------------------------

suite_setup() { bash common/setup/setup.sh "--$level"; }

suite_build() { ./lab build all; }

suite_unit() {
  ./lab build all  # nothing to do, but where the suite is run on its own
  ctest --preset release --no-tests=error -j 2 -LE zoo
}

suite_parts() {
  local file part
  for file in part*_*/CMakeLists.txt; do
    part=${file%%_*}
    if ! grep -q "\"part\": \"$part\"" build/release/manifest.json; then
      printf '%s is not built here, so not checked\n' "$part"
      continue
    fi
    ./lab check "$part" naive mine
  done
}

# A copy of the tree, with a build folder of its own: a header is added to it.
suite_profile() {
  git rev-parse --is-inside-work-tree >/dev/null 2>&1 || skip 'not a git checkout: no list of files'
  local tree=build/profile_tree
  # Files keep their dates and the build folder stays: a second run builds next to nothing.
  mkdir -p "$tree"
  find "$tree" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
  tracked | tar -cf - -T - | tar -xf - -C "$tree"
  bash common/setup/profile_test.sh "$root/$tree"
}

suite_docs() {
  python3 docs/run_docs.py --self-test
  python3 docs/run_docs.py
}

# --- extra -------------------------------------------------------------------------------------

suite_zoo() {
  ./lab build all
  ctest --preset release --no-tests=error -L zoo
}

suite_sanitizers() {
  configure_preset debug
  cmake --build --preset debug --target lab_tests part1 part2  # the zoo's headers are in two of the tests
  ctest --preset debug --no-tests=error -j 2 -LE zoo
  # Programs of an instruction set that the machine lacks are skipped.
  local arch
  for arch in sse2 avx2 avx512; do
    build/debug/bin/check part2 --arch $arch --largest 70 --seeds 1 --manifest build/debug/manifest.json
  done
}

# ROOM/NAME_fuzz.cpp becomes bin/NAME_fuzz; its inputs are in ROOM/corpus/NAME, or in ROOM/corpus.
suite_fuzz() {
  local programs program source corpus scratch
  command -v clang++ >/dev/null || skip 'clang++ is not there'
  [ -e "$(clang++ -print-file-name="libclang_rt.fuzzer-$(uname -m).a")" ] || skip "clang's libFuzzer is not there"
  cmake --preset fuzz
  programs=$(ninja -C build/fuzz -t targets all | sed -n 's|^bin/\([a-z0-9_]*_fuzz\): .*|\1|p')
  [ -n "$programs" ] || fail 'no fuzzer found'
  for program in $programs; do
    cmake --build --preset fuzz --target "$program"
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

suite_without-solutions() {
  [ -d solutions ] || skip 'there is no folder solutions'
  local copy=build/without_solutions
  rm -rf "$copy/tree"
  mkdir -p "$copy/tree"
  tracked | grep -v '^solutions/' | tar -cf - -T - | tar -xf - -C "$copy/tree"
  cmake -S "$copy/tree" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Release
  cmake --build "$copy/build" --target part1 check demo
  "$copy/build/bin/check" part1 --largest 129 --manifest "$copy/build/manifest.json"
}

suite_old-compiler() {
  command -v g++-11 >/dev/null || skip 'g++-11 is not there'
  configure_and_build build/old_compiler -DCMAKE_CXX_COMPILER=g++-11
}

# The floor and the newest; what CMake reads is the same for every program, so one is enough.
suite_cmake-versions() {
  local version folder status
  for version in 'cmake==3.22.*' 'cmake>=4'; do
    folder=build/cmake_versions/${version//[^0-9]/}
    status=0
    pip_tools "$folder/tools" "$version" || status=$?
    [ $status = 0 ] || skip "pip cannot bring $version: $(tail -n 1 "$folder/tools/pip.log" 2>/dev/null || echo no pip)"
    "$folder/tools/bin/cmake" --version
    "$folder/tools/bin/cmake" -S . -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release
    "$folder/tools/bin/cmake" --build "$folder/build" --target part1_naive
  done
}

suite_neon() { bash common/setup/neon_test.sh build/neon; }

# The toolkit's, else the one that ./lab setup --cuda would bring by pip; nothing where neither is to be had.
find_cuobjdump() {  # FOLDER
  command -v cuobjdump && return
  pip_tools "$1" "$(sed -n 's/^\(nvidia-cuda-cuobjdump[^ ]*\) .*/\1/p' common/setup/packages.txt)" || return 0
  ls "$1"/python/nvidia/cu*/bin/cuobjdump
}

# Part 3 for the GPUs that students have, without one. What runs without one is tested; what needs one is
# skipped by ctest, and runs where there is one.
suite_cuda() {
  local folder=build/release program part tool said
  if nvidia-smi >/dev/null 2>&1; then
    # That one is built for the GPU that is here.
    folder=build/cuda
    said=$(cmake -S . -B $folder -G Ninja -DCMAKE_BUILD_TYPE=Release '-DLAB_CUDA_ARCHITECTURES=75;80;90')
  else
    said=$(configure_preset release)
  fi
  printf '%s\n' "$said"
  if [[ $said = *'part 3 is left out'* ]]; then skip "$(sed -n 's/^-- \(.*part 3 is left out.*\)/\1/p' <<<"$said")"; fi
  cmake --build $folder --target part3 part3_naive_count part3_mine_count devices check \
    cuda_geometry_test device_facts_test cuda_check_test device_test part3_no_device_test
  # Machine code for each, and PTX of the last for the GPUs to come.
  tool=$(find_cuobjdump build/cuda_tools)
  [ -n "$tool" ] || printf 'no cuobjdump, and pip cannot bring it: what the programs hold is not looked at\n'
  for program in ${tool:+$(sed -n 's/.*"part": "part3".*"program": "\([^"]*\)".*/\1/p' "$folder/manifest.json")}; do
    for part in sm_75.cubin sm_80.cubin sm_90.cubin sm_90.ptx; do
      "$tool" --list-elf --list-ptx "$folder/$program" | grep -F "$part" >/dev/null || fail "$program has no $part"
    done
    printf '%s: machine code for sm_75, 80, 90 and PTX\n' "$program"
  done
  ctest --test-dir $folder --no-tests=error --output-on-failure -R '^(part3_|cuda_|device_)' -LE zoo
}

suite_fresh() {
  git rev-parse --is-inside-work-tree >/dev/null 2>&1 || skip 'not a git checkout: nothing to clone'
  # Under build/, so that a suite that was stopped leaves nothing elsewhere.
  rm -rf build/fresh
  git clone -q . build/fresh
  (cd / && "$root/build/fresh/lab" demo)
  rm -rf build/fresh
}

# --- running them ------------------------------------------------------------------------------

with_budget() {  # SECONDS COMMAND...
  local seconds=$1 status=0
  shift
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

run_suite() {  # NAME BUDGET
  local name=$1 budget=$2 log=$logs/$1.log status=0 start=$SECONDS verdict
  printf 'suite %s (budget %s s): ' "$name" "$budget"
  with_budget "$budget" bash "$here/suites.sh" "--$level" --only "$name" >"$log" 2>&1 </dev/null || status=$?
  case $status in
    0) verdict="passed in $((SECONDS - start)) s"; passed=$((passed + 1)) ;;
    77) verdict="skipped: $(tail -n 1 "$log")"; skipped=$((skipped + 1)) ;;
    124 | 137) verdict="failed: stopped after $((SECONDS - start)) s, over its budget"; failed=$((failed + 1)) ;;
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
    --tests) ;;
    --keep-going) keep_going=true ;;
    --only) "suite_$2"; exit 0 ;;
    -*) echo "lab: test has no option '$1'; there are --all and --keep-going" >&2; exit 2 ;;
    *)
      if [[ " $(names_of_suites) " != *" $1 "* ]]; then
        echo "lab: there is no suite '$1'; suites: $(names_of_suites)" >&2
        exit 2
      fi
      # A suite is named: it is run, wherever it belongs.
      level=tests-all suites=$plain_suites$'\n'$extra_suites chosen="$chosen $1" ;;
  esac
  shift
done
# shellcheck disable=SC2064
trap 'if [ -n "$running" ]; then kill -TERM "$running" 2>/dev/null || true; fi; echo; exit 130' INT TERM
run_suites
