#!/usr/bin/env bash
# What is said about headers that do not compile, and about files that have gone: in a small tree,
# by the compiler itself.
#
#   explain_failure_test.sh COMPILER
set -euo pipefail

compiler=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
lab=$(cd "$here/../.." && pwd -P)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
part=part1_standard_opti
build=$root/build/release log=$build/lab.log
mkdir -p "$root/$part" "$build/$part"
cp "$lab/$part/naive.hpp" "$lab/$part/flags.txt" "$root/$part"
# Said on standard error, as lab does.
say() { printf 'lab: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }
# shellcheck source=common/setup/explain_failure.sh
. "$here/explain_failure.sh"
bad=0
complain() { echo "FAILED: $*"; bad=1; }

sed "s|@LAB_HEADER@|$root/$part/mine.hpp|; s|@LAB_CLASS@|Mine|; s|@LAB_INCLUDES@||; s|@LAB_LIVE_FLOPS@|nullptr|; s|@LAB_ACCELERATOR@|nullptr|" \
  "$lab/common/simulator/program.cpp.in" >"$build/$part/mine.cpp"

# mine.hpp with the naive forces pasted into it, as students begin.
pasted() {
  sed -n '1,/^ public:/p; /^  using Naive<T>::Naive;/p' "$lab/$part/mine.hpp"
  sed -n '/^  void compute_accelerations/,/^  }$/p' "$lab/$part/naive.hpp"
  sed -n '/^ protected:/,$p' "$lab/$part/mine.hpp"
}

compile() {  # FLAG...: into the log, as ninja writes it
  local object=$part/CMakeFiles/part1_mine.dir/mine.cpp.o
  if "$compiler" -std=c++20 "-I$lab/common" "$@" -fsyntax-only "$build/$part/mine.cpp" 2>"$build/said"; then
    : >"$log"
  else
    { printf '[1/2] Building\nFAILED: [code=1] %s \nthe command\n' "$object"
      cat "$build/said"
      echo 'ninja: build stopped: subcommand failed.'; } >"$log"
  fi
}

expect() {  # WHAT STATUS WORDS...: what is said of the log; the words in this order
  local what=$1 wanted=$2 status=0 said word rest
  shift 2
  said=$( (explain_build_log) 2>&1) || status=$?
  rest=$(tail -n 1 <<<"$said")
  for word in "$@"; do
    case $rest in *"$word"*) rest=${rest#*"$word"} ;; *) complain "$what: '$word' is missing in: $said" ;; esac
  done
  [ "$status" = "$wanted" ] || complain "$what: status $status, not $wanted: $said"
  [ "$(wc -l <<<"$said")" -le 7 ] || complain "$what: more than six lines before the verdict: $said"
  case $said in *__gnu_cxx* | *$'\u2018'*) complain "$what: $said" ;; esac
  echo "$what: $(tail -n 1 <<<"$said")"
}

header_says() {  # WHAT SED_SCRIPT WORDS...
  local what=$1
  pasted | sed "$2" >"$root/$part/mine.hpp"
  shift 2
  compile
  [ -s "$log" ] || complain "$what compiles"
  expect "$what" 1 "$@"
}

pasted >"$root/$part/mine.hpp"
compile
[ ! -s "$log" ] || complain "the pasted header does not compile: $(cat "$log")"

header_says 'another class' 's/class Mine/class Fast/' 'mine.hpp: there is no class Mine in it'
header_says 'an empty file' d 'mine.hpp: it is empty'
header_says 'no namespace' 's/namespace nbody/namespace mine/; s/Naive</nbody::Naive</' \
  'mine.hpp: its class Mine is not to be seen: is it inside namespace nbody?'
header_says 'no brace at the end' 's|^}  // namespace nbody||' \
  'mine.hpp: the error begins behind the end of it: a brace missing, or text left over?'
header_says 'text at the end' '/^}  \/\/ namespace/s/$/\nconst/' 'left over?'
header_says 'text of no type at the end' '/^}  \/\/ namespace/s/$/\nblah blah/' 'mine.hpp does not compile: line ' 'blah'
header_says 'no brace of the class' 's/^};//' 'line ' 'after class' 'a brace may be missing above'
header_says 'no brace of a function' 's/^  }$//' '(a brace may be missing above)'
header_says 'a misspelled override' 's/compute_accelerations() o/compute_acceleration() o/' \
  'does not compile: line ' 'override' '(is the name spelled right?)'
header_says 'an unknown member' 's/qx - /qxx - /' 'does not compile: line ' "'qxx'"
header_says 'a member of the base' '/using Naive<T>::bodies/d' "'bodies'" '(list it in the class: using Naive<T>::bodies;)'
header_says 'no constructor' '/using Naive<T>::Naive/d' 'its class has no constructor that takes a Problem<T>'
header_says 'a private base' 's/: public Naive/: Naive/' 'mine.hpp: its class cannot be used as a Simulator<T>: derive it with public'
header_says 'a private constructor' 's/^ public:$/ private:/; s/using Naive<T>::Naive;/Mine(const Problem<T>\& p) : Naive<T>(p) {}/' \
  'mine.hpp does not compile: ' 'private'
header_says 'a function left out' \
  's/using Naive<T>::Naive;/&\n  virtual void more() = 0;/' 'leaves out a function'
header_says 'no semicolon' '/ax = T(0)/s/;//' "expected ';'"
header_says 'asked for in a library' 's/^  void compute/  std::vector<T\&> wrong;\n  void compute/' \
  'mine.hpp does not compile: line '

pasted >"$root/$part/mine.hpp"
for flag in -march=nativ -fopenmpp; do
  printf '# comment\n-O3 %s\n' "$flag" >"$root/$part/flags.txt"
  compile $flag
  expect "$flag" 1 "$part/flags.txt:2: the compiler does not know $flag ("
done

short=$(plainly <<<"no match for x (nbody::Mine<float>) [with _Tp = __gnu_cxx::__alloc_traits<std::allocator<nbody::Naive<float>::Body>, nbody::Naive<float>::Body>::value_type]")
[ "$short" = 'no match for x (Mine<float>) [with _Tp = Body]' ] || complain "names: $short"

echo "ninja: error: unknown target 'bin/part1/mine_fast', did you mean 'bin/part1/naive'?" >"$log"
expect 'a header that was deleted' 2 'there is no mine_fast.hpp (any more)'
echo "ninja: error: '../../$part/worksheet.hpp', needed by 'x.o', missing and no known rule to make it" >"$log"
expect 'a file that was deleted' 2 "$part/worksheet.hpp is missing: bring it back"
printf 'CMake Error at x.cmake:3 (message):\n  %s/flags.txt:3: no\n  such flag\n\n\n' "$part" >"$log"
status=0
said=$( (explain_build_log) 2>&1) || status=$?
case $status:$said in "2:lab: $part/flags.txt:3: no such flag"*) ;; *) complain "flags.txt: $said" ;; esac
exit $bad
