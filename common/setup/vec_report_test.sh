#!/usr/bin/env bash
# Does ./lab vec-report say of each loop of loops/ what stands in its comments?
#
#   vec_report_test.sh COMPILER
#
# "g++: TEXT" must be in what it says of g++, "g++ not: TEXT" must not; the same for clang++, where
# there is one. "flags: ..." are added to -O3 -mavx2 -mfma.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
compiler=$1
export LC_ALL=C
[ "$(uname -m)" = x86_64 ] || { echo 'the loops are for x86-64'; exit 77; }

bad=0
complain() { echo "$*"; bad=1; }

judge() {  # HEADER WHO: $said is all that was said
  local text part
  part=$(awk -v who="$2" '/^[a-z+]+$/ { mine = $0 == who } mine' <<<"$said")
  if [ -z "$part" ]; then return; fi
  while IFS= read -r text; do
    grep -qF -- "$text" <<<"$part" || complain "${1##*/}, $2: wants '$text', got:"$'\n'"$part"
    judged=$((judged + 1))
  done < <(sed -n "s|^// $2: *||p" "$1")
  while IFS= read -r text; do
    if grep -qF -- "$text" <<<"$part"; then complain "${1##*/}, $2: says '$text'"; fi
  done < <(sed -n "s|^// $2 not: *||p" "$1")
}

judged=0
for header in "$here"/loops/*.hpp; do
  read -ra flags < <(sed -n 's|^// flags: *||p' "$header"; echo)
  said=$(bash "$here/vec_report.sh" --header "$header" "$compiler" -std=c++20 -O3 -mavx2 -mfma ${flags[@]+"${flags[@]}"}) ||
    complain "${header##*/}: status $?: $said"
  judge "$header" g++
  judge "$header" clang++
done
[ $judged -gt 7 ] || complain "only $judged lines were judged"

# Doubles are half as many.
said=$(bash "$here/vec_report.sh" --header "$here/loops/root_allowed.hpp" "$compiler" -DLAB_REAL=double -std=c++20 -O3 -mavx2 -fno-math-errno)
[ "$(grep -c 'vectorized: 4 numbers at a time' <<<"$said")" = "$(grep -c root_allowed <<<"$said")" ] || complain "double: $said"

# The flags of a program hold warnings that only g++ knows.
said=$(bash "$here/vec_report.sh" --header "$here/loops/root_allowed.hpp" "$compiler" -std=c++20 -O3 -mavx2 -fno-math-errno -Wno-restrict -Werror)
case $said in *'does not compile it with these flags'*) complain "g++'s warnings stop clang++: $said" ;; esac
exit $bad
