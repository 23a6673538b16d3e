#!/usr/bin/env bash
# What ./lab setup does: sees that what packages.txt lists is there, and installs what is missing.
#
#   setup.sh [--no-root] [--cuda] [--pictures] [--grading] [--mpi] [--bound] [--tests | --tests-all]
#   setup.sh --compiler      print the compiler to use, or nothing if CMake's own choice is good
#
# With root and apt-get: packages. Without: CMake and Ninja by pip into build/tools; libraries are
# fetched by CMake (common/cmake/dependencies.cmake). Status 2: something must be done by hand.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(cd "$here/../.." && pwd -P)
tools=$root/build/tools
PATH=$tools/bin:$PATH
# shellcheck source=common/setup/user_space.sh
. "$here/user_space.sh"
# shellcheck source=common/setup/cuda.sh
. "$here/cuda.sh"
# shellcheck source=common/setup/mpi.sh
. "$here/mpi.sh"

oldest_cmake=3.22
oldest_gcc=11
oldest_clang=14
pip_cmake=cmake==3.31.6
pip_ninja=ninja==1.11.1.4

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: %s\n' "$*" >&2; exit 2; }

# --- what is there -----------------------------------------------------------------------------

# Prints "gcc 12" or "clang 14"; nothing if it is not a working C++ compiler with its own headers.
compiler_version() {
  local answer
  answer=$(printf '#include <cstddef>\nlab __clang_major__ __GNUC__\n' |
    "$@" -E -P -x c++ - 2>/dev/null | grep '^lab ') || return 0
  case $answer in
    'lab __clang_major__ '*) echo "gcc ${answer##* }" ;;
    *) answer=${answer#lab }; echo "clang ${answer%% *}" ;;
  esac
}

# Sets compiler ("" if none will do) and too_old (the first one found that is).
choose_compiler() {
  local candidate version
  local candidates='c++ g++ g++-15 g++-14 g++-13 g++-12 g++-11 clang++ clang++-20 clang++-19
    clang++-18 clang++-17 clang++-16 clang++-15 clang++-14'
  compiler='' too_old=''
  # Someone's CXX may hold arguments: words are split on purpose.
  for candidate in "${CXX:-}" $candidates; do
    [ -n "$candidate" ] || continue
    # shellcheck disable=SC2086
    version=$(compiler_version $candidate)
    case $version in
      gcc\ *) [ "${version#* }" -ge $oldest_gcc ] && compiler=$candidate ;;
      clang\ *) [ "${version#* }" -ge $oldest_clang ] && compiler=$candidate ;;
    esac
    if [ -n "$compiler" ]; then compiler_name=$version; return; fi
    if [ -n "$version" ] && [ -z "$too_old" ]; then too_old="$candidate ($version)"; fi
    if [ -n "${CXX:-}" ]; then return; fi
  done
}

cmake_version() { cmake --version 2>/dev/null | sed -n 's/^cmake version //p'; }

cmake_is_new_enough() {
  local version major minor
  version=$(cmake_version)
  [ -n "$version" ] || return 1
  major=${version%%.*} minor=${version#*.} minor=${minor%%.*}
  [ "$major" -gt "${oldest_cmake%.*}" ] ||
    { [ "$major" -eq "${oldest_cmake%.*}" ] && [ "$minor" -ge "${oldest_cmake#*.}" ]; }
}

header_is_there() {
  local folder
  # CMAKE_PREFIX_PATH is a list with : in the environment.
  for folder in /usr /usr/local /opt/homebrew $(printf '%s' "${CMAKE_PREFIX_PATH:-}" | tr ':;' '  '); do
    if [ -e "$folder/include/$1" ]; then return 0; fi
  done
  return 1
}

is_there() {  # PROOF
  case $1 in
    tool:c++) [ -n "$compiler" ] ;;
    tool:cmake) cmake_is_new_enough ;;
    tool:*) command -v "${1#tool:}" >/dev/null ;;
    module:*) python3 -c "import ${1#module:}" 2>/dev/null ;;
    environment:) has_environment ;;
    file:*) compgen -G "${1#file:}" >/dev/null ;;
    header:*) header_is_there "${1#header:}" ;;
    runtime:*) [ -e "$(clang++ -print-file-name="libclang_rt.${1#*:}-$(uname -m).a" 2>/dev/null)" ] ;;
    *) die "common/setup/packages.txt: unknown proof '$1'" ;;
  esac
}

# Fills missing (required) and missing_extra (a suite is skipped without it): "PACKAGE PROOF WHAT".
find_missing() {
  local section='' line package proof
  missing=() missing_extra=()
  choose_compiler
  while read -r line; do
    case $line in
      '#'* | '') continue ;;
      '['*) section=$line; continue ;;
    esac
    case $section in
      '[tests]') [ "$level" != needed ] || continue ;;
      '[tests-all]') [ "$level" = tests-all ] || continue ;;
      '[grading]') $grading || continue ;;
      '[mpi]') $mpi || continue ;;
      '[bound]') $bound || continue ;;
      '[cuda]' | *-pip']') continue ;;  # cuda.sh, environment.sh, mpi.sh
    esac
    read -r package proof _ <<<"$line"
    if is_there "$proof"; then continue; fi
    line="$package $proof ${line#*# }"
    case $section in
      '[tests-all]' | '[grading]' | '[mpi]') missing_extra+=("$line") ;;
      *) missing+=("$line") ;;
    esac
  done <"$here/packages.txt"
}

# Whether build/venv is there, or something to make it with.
has_environment() {
  [ -x "$root/build/venv/bin/python" ] || command -v uv >/dev/null || python3 -c 'import ensurepip' 2>/dev/null ||
    python3 -m pip --help 2>/dev/null | grep -q -e '--python '
}

# The lab's Python environment (environment.sh) with what the options ask for; tests go on with what can be had.
install_python() {
  local part=core
  [ -e "$root/pyproject.toml" ] || return 0  # an image of a container, whose lab comes later
  if $pictures; then part=pictures; fi
  if [ "$level" != needed ]; then part=tests; fi
  if bash "$here/environment.sh" $part; then
    if $pictures; then say "pictures can be drawn: matplotlib $(MPLBACKEND=Agg "$root/build/venv/bin/python" -c 'import matplotlib, matplotlib.pyplot; print(matplotlib.__version__)')"; fi
  elif [ "$level" = needed ]; then
    die 'no Python environment (see above)'
  else
    say 'skipped: tests that need the Python environment (see above)'
  fi
}

names_of() { local row; for row in "$@"; do printf '%s ' "${row%% *}"; done; }

# --- with apt-get ------------------------------------------------------------------------------

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

may_install() {
  command -v apt-get >/dev/null || return 1
  [ "$(id -u)" = 0 ] || { command -v sudo >/dev/null && sudo -n true 2>/dev/null; }
}

default_clang() {
  local version
  version=$(compiler_version clang++)
  if [ -n "$version" ]; then echo "${version#* }"; return; fi
  apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p' | head -n 1
}

# Reads what apt-get prints: all of it goes to the log, and its progress is shown every five seconds.
follow_apt() {
  local line kind share phase='' begun=$SECONDS shown=$SECONDS left
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log"
    IFS=: read -r kind _ share _ <<<"$line"
    share=${share%.*}
    case $kind in dlstatus | pmstatus) ;; *) continue ;; esac
    if [ "$kind" != "$phase" ]; then phase=$kind begun=$SECONDS; fi
    if [ $((SECONDS - shown)) -lt 5 ] || [ "${share:-0}" -lt 5 ]; then continue; fi
    shown=$SECONDS
    left=$(((SECONDS - begun) * (100 - share) / share + 1))
    case $kind in
      dlstatus) say "fetching packages ... $share %, about $left s left" ;;
      pmstatus) say "installing packages ... $share %, about $left s left" ;;
    esac
  done
}

install_packages() {
  local row name size start=$SECONDS wanted=()
  log=$root/build/setup.log
  mkdir -p "$root/build"
  : >"$log"
  say "updating the package lists of apt-get (log: build/setup.log)"
  as_root apt-get update -q >>"$log" 2>&1 || say 'apt-get update failed; continuing with the present lists'
  for row in ${missing[@]+"${missing[@]}"}; do wanted+=("${row%% *}"); done
  for row in ${missing_extra[@]+"${missing_extra[@]}"}; do
    name=${row%% *}
    case $name in *CLANG*) name=${name/CLANG/$(default_clang)} ;; esac
    if apt-cache show "$name" >/dev/null 2>&1; then wanted+=("$name"); fi
  done
  [ ${#wanted[@]} -gt 0 ] || return 0
  local apt=(env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get install -q --no-install-recommends)
  size=$("${apt[@]}" --assume-no "${wanted[@]}" 2>/dev/null | sed -n 's/^Need to get \([^/]*\).* of archives.*/\1 to fetch/p; s/^After this operation, \(.*\) of additional.*/, \1 on disk/p' | tr -d '\n') || true
  say "installing with apt-get: ${wanted[*]}${size:+ ($size)}"
  as_root "${apt[@]}" -y -o DPkg::Lock::Timeout=120 -o APT::Status-Fd=1 "${wanted[@]}" 2>&1 | follow_apt ||
    die "apt-get could not install: ${wanted[*]}: $(grep '^E: ' "$log" | tail -n 1) (log: build/setup.log; without network or root: ./lab setup --no-root)"
  say "installed in $((SECONDS - start)) s"
}

# --- without -----------------------------------------------------------------------------------

explain_other_system() {
  local list
  if command -v dnf >/dev/null; then
    list='sudo dnf install gcc-c++ cmake ninja-build cli11-devel json-devel fmt-devel gtest-devel git'
  elif command -v pacman >/dev/null; then
    list='sudo pacman -S gcc cmake ninja cli11 nlohmann-json fmt gtest git'
  elif command -v zypper >/dev/null; then
    list='sudo zypper install gcc-c++ cmake ninja cli11-devel nlohmann_json-devel fmt-devel gtest git'
  elif command -v brew >/dev/null; then
    list='brew install cmake ninja cli11 nlohmann-json fmt googletest libomp'
  else
    list='install g++ 11 or newer, CMake 3.22 or newer, Ninja, CLI11, nlohmann_json, fmt, GoogleTest'
  fi
  die "no apt-get here, and these are missing: $(names_of "${missing[@]}")-> $list (or ./lab setup --no-root)"
}

install_user_tools() {  # REQUIREMENT...
  local status=0
  say "installing by pip into build/tools: $*"
  pip_tools "$tools" "$@" || status=$?
  case $status in
    0) ;;
    3) die 'no pip for CMake and Ninja: ask the administrator for the packages cmake and ninja-build (or python3-venv)' ;;
    *) die "pip failed: $(tail -n 1 "$tools/pip.log") (full log: build/tools/pip.log)" ;;
  esac
}

install_without_root() {
  local row requirements=() libraries='' others=''
  for row in "${missing[@]}"; do
    case $row in
      'cmake '*) requirements+=("$pip_cmake") ;;
      'ninja-build '*) requirements+=("$pip_ninja") ;;
      *' header:'*) row=${row#* * }; libraries="$libraries ${row%%:*}" ;;
      'g++ '*) ;;  # judge_compiler has the last word
      *) others="$others ${row%% *}" ;;
    esac
  done
  judge_compiler
  if [ -n "$others" ]; then die "missing:$others; they need root: ask the administrator"; fi
  if [ -n "$libraries" ] && ! command -v git >/dev/null; then
    die "missing:$libraries; fetching them needs git: ask the administrator for the package git"
  fi
  if [ ${#requirements[@]} -gt 0 ]; then install_user_tools "${requirements[@]}"; fi
  if [ -n "$libraries" ]; then
    say "no package for:$libraries; CMake fetches pinned sources when it configures (needs a network)"
  fi
}

judge_compiler() {
  if [ -n "$compiler" ]; then return; fi
  local ask="ask the administrator for the package g++ ($oldest_gcc or newer) or clang ($oldest_clang or newer)"
  if [ -n "${CXX:-}" ]; then die "CXX=$CXX is not a suitable C++ compiler (g++ $oldest_gcc, clang $oldest_clang or newer)"; fi
  if [ -n "$too_old" ]; then die "the compiler $too_old is too old: $ask"; fi
  die "no C++ compiler: $ask"
}

# --- what is done ------------------------------------------------------------------------------

level=needed no_root=false cuda=false pictures=false grading=false mpi=false bound=false compiler='' too_old='' compiler_name=''
missing=() missing_extra=()
for argument in "$@"; do
  case $argument in
    --no-root) no_root=true ;;
    --cuda) cuda=true ;;
    --pictures) pictures=true ;;
    --grading) grading=true ;;
    --mpi) mpi=true ;;
    --bound) bound=true ;;
    --tests) level=tests ;;
    --tests-all) level=tests-all pictures=true grading=true mpi=true bound=true ;;
    --compiler)
      choose_compiler
      judge_compiler
      case $compiler in c++ | "${CXX:-}") ;; *) echo "$compiler" ;; esac
      exit 0 ;;
    *) die "unknown option '$argument'; there are --no-root, --cuda, --pictures, --grading, --mpi, --bound, --tests, --tests-all" ;;
  esac
done

find_missing
if [ -n "${CXX:-}" ]; then judge_compiler; fi  # the choice was made; no package changes it
if [ $((${#missing[@]} + ${#missing_extra[@]})) -gt 0 ]; then
  if ! $no_root && may_install; then
    install_packages
    hash -r
    find_missing
  elif ! $no_root && [ ${#missing[@]} -gt 0 ] && ! command -v apt-get >/dev/null; then
    explain_other_system
  elif ! $no_root && [ ${#missing[@]} -gt 0 ]; then
    say "no root and no passwordless sudo; to install system-wide: sudo apt-get install $(names_of "${missing[@]}")"
  fi
  # What apt-get lacks or has too old (CMake) may still be installed without root.
  if [ ${#missing[@]} -gt 0 ]; then install_without_root; fi
  for row in ${missing_extra[@]+"${missing_extra[@]}"}; do
    say "skipped: ${row%% *} is not available here (${row#* * })"
  done
fi
judge_compiler
if $cuda; then install_cuda; fi
install_python
if $mpi; then install_mpi; fi
if $grading && command -v bwrap >/dev/null; then say "submissions can be graded: bubblewrap isolates them"; fi
say "ready: $compiler ($compiler_name), CMake $(cmake_version), Ninja $(ninja --version)"
