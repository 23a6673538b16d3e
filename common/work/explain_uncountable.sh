#!/usr/bin/env bash
# Why a header does not compile with the counting number: one line for each place, three at most,
# "FILE:LINE: float is no real here: ...", from what g++ or clang++ said.
#
#   explain_uncountable.sh LOG HEADER
#
# LOG: the output of the compiler, or of ninja. HEADER: the implementation; a place in another file
# of its folder counts too. Status 1 if the log has no error there.
set -euo pipefail

log=$1
header=$(realpath "$2")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

# FILE:LINE and the message of each error, with the notes that tell types. An error inside a library
# belongs to the line that asked for it: g++ names that before the error, clang after it.
errors() {
  awk -v folder="$(dirname "$header")/" '
    function place(  word) { split($0, word, ":"); return word[1] ":" word[2] }
    function flush() {
      if (message != "" && at != "") print at "\t" message (in_xsimd ? " | in xsimd" : "")
      message = at = ""
      in_xsimd = 0
    }
    { ours = index($0, folder) == 1 && $0 ~ /^[^:]*:[0-9]+:/ }
    /: In [a-z ]*(instantiation|function|constructor|substitution)/ { asked = ""; asked_in_xsimd = 0 }
    /: error: / {
      flush()
      at = ours ? place() : asked
      in_xsimd = asked_in_xsimd
      message = $0
      sub(/^.*: error: /, "", message)
      if ($0 ~ /xsimd_api.hpp:/) message = message " | a function of xsimd"
      next
    }
    /\/xsimd\/.*required from/ { asked_in_xsimd = 1 }
    /\/xsimd\/.*requested here/ { in_xsimd = 1 }
    ours && /required from/ { if (asked == "") asked = place() }
    ours && /requested here/ { if (at == "") at = place() }
    /no known conversion|initializing argument/ { message = message " | " $0 }
    END { flush() }'
}

# Types as a student knows them: real for the counting number, no aliases, plain quotes.
plainly() {
  sed -E "s/[‘’]/'/g
    s/'[^']*' [({]aka '([^']*)'[)}]/'\1'/g
    s/(class )?nbody::(real|counting::Counting)\b/real/g"
}

plain_type() {  # MESSAGE: the first plain type it names
  grep -oE '\b(float|double|int|unsigned|long|bool|std::size_t)\b' <<<"$1" | sed -n 1p
}

explain() {  # MESSAGE SOURCE
  local message=$1 source=$2 name type
  type=$(plain_type "$message") || type=float
  case $source in
    *_mm_* | *_mm256_* | *_mm512_*)
      echo 'intrinsics take float and double only, so this cannot be counted'
      return ;;
    *memset* | *memcpy* | *memmove*)
      name=$(grep -oE 'mem(set|cpy|move)' <<<"$source" | sed -n 1p)
      echo "$name() goes past the counting: use a loop, std::fill() or std::copy()"
      return ;;
    *bit_cast*)
      echo 'the bits of real are not those of a float, so this cannot be counted'
      return ;;
    *accumulate* | *reduce* | *inner_product*)
      echo "start with real(0), not with a plain 0: the sum has the type of what it starts with"
      return ;;
  esac
  if name=$(grep -oE '\b(sqrt|cbrt|pow|exp|log|fma|hypot|fabs|fmin|fmax)f *\(' <<<"$source"); then
    name=${name%%f*(*}
    echo "${name}f() takes float only; use std::$name()"
    return
  fi
  case $message in
    *'a function of xsimd'*)
      name=$(grep -oE "call to '[a-z_0-9]+" <<<"$message") || name="call to 'this function"
      echo "xsimd::${name#*\'}() is not counted: find a way without it"
      return ;;
    *'in xsimd'* | *'batch<float'* | *'batch<double'*)
      type=float
      if grep -q 'batch<double' <<<"$message$source"; then type=double; fi
      echo "a batch of $type takes no real: write xsimd::batch<real>, and real for its numbers"
      return ;;
    *"through '...'"* | *'variadic function'* | *'operator<<'* | *ostream* | "format '"*)
      echo 'real cannot be printed here: take the output out of this function' ;;
    *'trivially copyable'* | *trivially_copyable*)
      echo 'real cannot be atomic: use #pragma omp atomic, or sums of its own for each thread' ;;
    "no matching function for call to 'atan"* | "no matching function for call to 'sin"* | \
      "no matching function for call to 'cos"* | "no matching function for call to 'tan"*)
      name=${message#*\'}
      echo "std::${name%%[\'(<]*}() is not counted: find a way without it" ;;
    'invalid '*cast* | *'without a conversion operator'* | 'no matching conversion for '*)
      echo "a cast to $type leaves real: use real(...), or no cast" ;;
    *"'real*'"* | *"'real *'"*)
      echo "$type* is no real* here: write real*" ;;
    *convert* | *conversion* | *'incompatible type'* | *"'operator"* | 'invalid operands'*)
      echo "$type is no real here: declare it as real, or use real(...)" ;;
    *) echo "does not compile for real: ${message%% | *}" ;;
  esac
}

found=0
while IFS=$'\t' read -r place message; do
  file=${place%:*} line=${place##*:}
  if [ $((found += 1)) -gt 3 ]; then break; fi
  echo "${file#"$root"/}:$line: $(explain "$message" "$(sed -n "${line}p" "$file")")"
done < <(plainly <"$log" | errors | awk -F '\t' '!seen[$1]++')
[ $found -gt 0 ]
