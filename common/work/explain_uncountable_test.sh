#!/usr/bin/env bash
# Is every header of uncountable/ explained at the line that says so, in these words?
#
#   explain_uncountable_test.sh COMPILER FLAG...
#
# XSIMD, if set, is the folder of its headers; what includes them is left out otherwise.
# Each must also compile for float: else it would be no matter of counting.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
compile=("$@" -std=c++20 "-I$here/.." ${XSIMD:+-isystem "$XSIMD"} -fsyntax-only -x c++)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C

mark='explained: '
if ! "$1" --version | grep -q clang; then mark='explained\( by g++\)\{0,1\}: '; fi

bad=0
complain() { echo "$*"; bad=1; }

for header in "$here"/uncountable/*.hpp; do
  name=${header##*/}
  number=counting_number
  if grep -q '<xsimd/' "$header"; then
    if [ -z "${XSIMD:-}" ]; then continue; fi
    number=counting_batch
  fi
  sed "s|@LAB_HEADER@|$header|; s|@LAB_CLASS@|Mine|; s|@LAB_COUNTED_BY@|$number|" \
    "$here/count.cpp.in" >"$work/count.cpp"
  printf '#include "%s"\n' "$header" >"$work/float.cpp"
  "${compile[@]}" -DLAB_REAL=float "$work/float.cpp" 2>"$work/log" || complain "$name does not compile for float: $(cat "$work/log")"

  expected=$(sed -n "s/.*$mark//p" "$header")
  if [ -z "$expected" ]; then continue; fi
  line=$(grep -n "$mark" "$header" | cut -d : -f 1)
  if "${compile[@]}" -DLAB_REAL=nbody::Counting "$work/count.cpp" 2>"$work/log"; then
    complain "$name compiles with numbers that count"
  fi
  said=$(bash "$here/explain_uncountable.sh" "$work/log" "$header") || complain "$name is not explained: $(cat "$work/log")"
  case $said in
    "common/work/uncountable/$name:$line: "*"$expected"*) ;;
    *) complain "$name:$line wants '$expected', got: $said" ;;
  esac
done

# A log without an error of the header explains nothing.
echo '/elsewhere/other.hpp:1:1: error: unrelated' >"$work/log"
if bash "$here/explain_uncountable.sh" "$work/log" "$here/uncountable/cast.hpp"; then
  complain 'an error elsewhere is explained'
fi
exit $bad
