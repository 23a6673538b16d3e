#!/usr/bin/env bash
# What the compiler made of the innermost loops of an implementation, in plain words.
#
#   vec_report.sh PART NAME BUILD_FOLDER [--double]     with the flags that it has there
#   vec_report.sh --header HEADER COMPILER FLAG...      of its class Loop
#
# g++ says most in its dump of the pass, clang++ in remarks; both name the obstacles that they met, not
# those behind them. What is not known here is shown as the compiler wrote it.
set -euo pipefail

die() { printf 'lab: %s\n' "$*" >&2; exit 2; }

# header, source, compiler and flags from the command that compiles the program made for NAME; of
# several instruction sets the best that it was built for.
ask_ninja() {  # PART NAME BUILD_FOLDER [--double]
  local command='' word arch skip=false ending=''
  case ${4:-} in '') type=float ;; --double) type=double ending=_double ;; *) die "vec-report has no option '$4'; there is --double" ;; esac
  for arch in _avx512 _avx2 _sse2 ''; do
    if command=$(ninja -C "$3" -t commands "bin/$1/$2$arch$ending" 2>/dev/null | grep -E -- " -c [^ ]*/$2\.cpp$"); then break; fi
  done
  [ -n "$command" ] || die "$1/$2 is not compiled from a header"
  flags=()
  for word in $command; do
    if $skip; then skip=false; continue; fi
    case $word in
      -o | -c | -MT | -MF) skip=true ;;
      -MD) ;;
      *) flags+=("${word//\\\"/\"}") ;;
    esac
  done
  compiler=${flags[0]} flags=("${flags[@]:1}")
  source=${command##* }
  header=$(sed -n 's/^#include "\(\/.*\)"$/\1/p' "$source" | head -n 1)
  printf '%s/%s, %s,%s\n' "$1" "$2" "$type" "$(printf '%s\n' "${flags[@]}" | awk '/^-(O|f|m)/ && !seen[$0]++ { printf " %s", $0 }')"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ "$1" = --header ]; then
  header=$2 compiler=$3
  flags=("${@:4}" "-I$(dirname "${BASH_SOURCE[0]}")/..")
  type=float
  if [[ " ${flags[*]} " = *' -DLAB_REAL=double '* ]]; then type=double; fi
  header=$(realpath "$header")
  source=$work/one.cpp
  # Its functions are virtual, so that they are compiled for an object.
  printf '#include "%s"\nnbody::Loop loop;\n' "$header" >"$source"
else
  ask_ninja "$@"
fi
name=${header##*/}
export LC_ALL=C
bytes=4
if [ "$type" = double ]; then bytes=8; fi

has_flag() { [[ " ${flags[*]} " =~ \ ($1)\  ]]; }
errno_is_set() { ! has_flag '-fno-math-errno|-ffast-math|-Ofast'; }

# FIRST LAST PRAGMA FUNCTION of every innermost loop; PRAGMA is FIRST where there is none. Braces are counted; comments and
# strings with braces in them are not expected in an implementation.
loops() {
  awk '
    { line = $0; sub(/\/\/.*/, "", line) }
    depth == 2 && line ~ /\(/ && match(line, /[A-Za-z_0-9]+\(/) { owner = substr(line, RSTART, RLENGTH - 1) }
    line ~ /^[ \t]*(for|while) \(/ {
      ++n
      first[n] = NR
      above[n] = pragma == NR - 1 ? pragma : NR
      in_function[n] = owner
      for (k in open) inner[k] = 1
      open[n] = depth
      braced[n] = line ~ /\{[^}]*$/
      last[n] = 0
    }
    line ~ /^[ \t]*#pragma/ { pragma = NR }
    {
      depth += gsub(/\{/, "", line) - gsub(/\}/, "", line)
      for (k in open) {
        ended = braced[k] ? depth <= open[k] && NR > first[k] : line ~ /;[ \t]*$/
        if (ended) { last[k] = NR; delete open[k] }
      }
    }
    END { for (k = 1; k <= n; ++k) if (!inner[k] && last[k]) print first[k], last[k], above[k], in_function[k] }
  ' "$header"
}

# The messages about lines FIRST to LAST of the header, each once.
messages() {  # FIRST LAST
  awk -F : -v file="$name" -v first="$1" -v last="$2" '
    $1 ~ "(^|/)" file "$" && $2 + 0 >= first && $2 + 0 <= last {
      sub(/^[^:]*:[0-9]*:[0-9]*: */, "")
      sub(/ \[-Rpass[^]]*\]$/, "")
      if (!seen[$0]++) print
    }' "$work/log"
}

# g++ gives a loop the place of its first statement, and that may be an operator[] of the library. What it
# says of FUNCTION under names of other files, and which loads it makes one by one.
messages_elsewhere() {  # FUNCTION
  awk -v file="$name" -v owner="::$1 " '
    /^;; Function / { inside = index($0, owner) > 0; next }
    !inside || $1 ~ "(^|/)" file ":" { next }
    /loop vectorized using/ { sub(/^[^ ]* */, ""); if (!seen[$0]++) print }
    /add new stmt: .*[gG][aA][tT][hH][eE][rR]/ { if (!gathers++) print "gather" }' "$work/log"
}

# --- plain words -------------------------------------------------------------------------------

in_order='the sums may not be added up in another order: #pragma omp simd reduction(+ : ...) or -fassociative-math'
say_errno='sqrt (or pow) may set errno, and takes a jump for it: -fno-math-errno'
say_apart='the numbers lie apart in memory, as in an array of structures: an array for each of them'
say_needs='one turn needs what another one wrote: not to be done at the same time'
say_early='the loop may end early, or its length is not known before: no break, no return'
say_minimum='a minimum, maximum or sum in a form that must keep its order: a selection a < b ? a : b, or -ffinite-math-only -fno-signed-zeros'
say_call='a call in the loop that is not inlined, or an address that cannot be followed'
in_batches='Batch|xsimd::|_mm[0-9]*_'
say_gather='but some loads pick the numbers one by one, which is slow: what belongs to body i, and pointers to the arrays, into locals in front of the loop'
say_profit='possible, but it would not pay, says the compiler'

line_of() {  # PATTERN FIRST LAST: the first line of the loop that has it
  awk -v pattern="$1" -v first="$2" -v last="$3" \
    'NR >= first && NR <= last { sub(/\/\/.*/, ""); if ($0 ~ pattern) { print NR; exit } }' "$header"
}

jumps() {  # FIRST LAST: why there is control flow in the loop
  local line some=false
  if errno_is_set && [ -n "$(line_of '(sqrt|pow|hypot) *[(]' "$1" "$2")" ]; then echo "$say_errno"; some=true; fi
  if [ -n "$(line_of '(^|[^a-z_])(break|return)[ ;]' "$1" "$2")" ]; then echo "$say_early"; some=true; fi
  line=$(line_of '(^|[^a-z_])if *[(]' "$1" "$2")
  if [ -n "$line" ] && [ -z "$(line_of '(break|return)[ ;]' "$1" "$2")" ]; then
    echo "control flow in the loop, the if of line $line: a selection instead, and -fno-trapping-math"
    some=true
  fi
  line=$(line_of '[?]' "$1" "$2")
  if [ -n "$line" ] && ! $some; then
    echo "the selection of line $line computes what may not be taken: -fno-trapping-math, or another instruction set"
    some=true
  fi
  if ! $some; then echo 'control flow in the loop'; fi
}

# One message after the other on stdin; reasons, or nothing for what says nothing by itself.
reasons() {  # FIRST LAST
  local message
  while IFS= read -r message; do
    case $message in
      *'control flow in loop'* | *'control flow cannot be substituted'* | *'library call cannot be vectorized'* | *'access type for masked load'*) jumps "$1" "$2" ;;
      *'cannot prove it is safe to reorder'* | *'in-order (fold-left)'*) echo "$in_order" ;;
      *'size of the group of accesses'* | *'no array mode'*) echo "$say_apart" ;;
      *'possible dependence between'* | *'unsafe dependent memory'* | *'bad data dependence'*) echo "$say_needs" ;;
      *'number of iterations cannot be'* | *'could not determine number of loop iterations'*) echo "$say_early" ;;
      *'unsupported use in stmt'* | *'reduction used in loop'* | *'could not be identified as reduction'*) echo "$say_minimum" ;;
      *'loop contains function calls'* | *'call instruction cannot be vectorized'* | *'cannot identify array bounds'*) echo "$say_call" ;;
      *'instruction cannot be vectorized'*) if errno_is_set && [ -n "$(line_of '(sqrt|pow) *[(]' "$1" "$2")" ]; then echo "$say_errno"; fi ;;
      *'vectorization not profitable'* | *'vectorization is not beneficial'* | *'vectorization is not profitable'*) echo "$say_profit" ;;
    esac
  done | awk '!seen[$0]++'
}

# What neither is a reason nor says more than that it failed.
unknown() { grep -E '^(missed|remark): ' | grep -vE 'loop not vectorized( \(Force=true\))?$|interleaving is not beneficial' | head -n 3 || true; }

explain_loop() {  # FIRST LAST PRAGMA FUNCTION
  local all width turns why
  # g++ makes loops of its own over the lanes of a reduction and gives them the line of the pragma.
  all=$(messages "$(if $clang; then echo "$3"; else echo "$1"; fi)" "$2")
  if ! $clang && [ -z "$(line_of "$in_batches" "$1" "$2")" ] && [ -z "$(grep 'loop vectorized' <<<"$all" || reasons "$1" "$2" <<<"$all")" ]; then
    all=$(messages_elsewhere "$4")$'\n'$all
  fi
  width=$(sed -nE 's/.*loop vectorized using ([0-9]+) byte vectors.*/\1/p' <<<"$all" | sort -n | tail -n 1)
  if [ -n "$width" ]; then
    echo "vectorized: $((width / bytes)) numbers at a time"
    if grep -q 'in-order (fold-left)' <<<"$all"; then
      echo "but lanes are added up one by one, which is slow: $in_order"
    fi
    if grep -q 'versioned for vectorization because of possible aliasing' <<<"$all"; then
      echo 'tests first whether the arrays overlap, and has a second, plain loop for that'
    fi
    if grep -qi '^gather$\|add new stmt: .*gather' <<<"$all"; then echo "$say_gather"; fi
    return
  fi
  read -r width turns < <(sed -nE 's/.*vectorization width: ([0-9]+), interleaved count: ([0-9]+).*/\1 \2/p' <<<"$all" | sort -n | tail -n 1) || true
  if [ -n "$width" ]; then
    echo "vectorized: $width numbers at a time, $turns batches in turn"
    return
  fi
  if [ -n "$(line_of "$in_batches" "$1" "$2")" ]; then
    echo 'already in batches: nothing left for the compiler to vectorize'
    return
  fi
  why=$(reasons "$1" "$2" <<<"$all")
  if [ -n "$why" ]; then awk '{ print "not vectorized: " $0 }' <<<"$why"; return; fi
  why=$(unknown <<<"$all")
  if [ -n "$why" ]; then awk '{ print "not vectorized; the compiler: " $0 }' <<<"$why"; return; fi
  echo 'nothing was said about it: unrolled, or not a loop any more'
}

# --- asking ------------------------------------------------------------------------------------

ask_gcc() { "$compiler" "${flags[@]}" -c "$source" -o "$work/one.o" -fdump-tree-vect-details="$work/log" 2>"$work/errors"; }
ask_clang() {  # COMPILER
  local flag plain=()
  # It knows other warnings, and they are not asked for here.
  for flag in "${flags[@]}"; do case $flag in -W*) ;; *) plain+=("$flag") ;; esac; done
  "$1" "${plain[@]}" -c "$source" -o "$work/one.o" -Rpass=loop-vectorize -Rpass-missed=loop-vectorize \
    -Rpass-analysis=loop-vectorize >"$work/log" 2>&1
}

report() {  # COMPILER
  local first last pragma owner
  echo "$1"
  while read -r first last pragma owner; do
    echo "  $name:$first in $owner()"
    explain_loop "$first" "$last" "$pragma" "$owner" | sed 's/^/    /'
  done <"$work/loops"
}

loops >"$work/loops"
if [ ! -s "$work/loops" ]; then
  echo "  $name has no loop of its own: what it derives from is asked by its own name"
  exit 0
fi
clang=false
if "$compiler" --version | grep -i clang >/dev/null; then
  clang=true
  ask_clang "$compiler" || { cat "$work/log"; exit 1; }
  report clang++
  exit 0
fi
ask_gcc || { cat "$work/errors"; exit 1; }
report g++
if command -v clang++ >/dev/null; then
  clang=true
  if ask_clang clang++; then
    report clang++
  else
    echo "clang++ does not compile it with these flags: $(sed -n 's/.*error: //p' "$work/log" | head -n 1)"
  fi
fi
