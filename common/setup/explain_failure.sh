# shellcheck shell=bash disable=SC2154
# Sourced by lab when a build step failed: says why, from the step's log ($log).

# CMake folds its messages into paragraphs; here the first one is a line again.
explain_configure_log() {
  local library package message
  library=$(sed -n 's/^-- \(.*\): no package found, fetching .*/\1/p' "$log" | tail -n 1)
  if [ -n "$library" ] && grep -q 'Failed to clone\|Could not resolve\|unable to access\|could not find git\|Build step for .* failed' "$log"; then
    package=$(sed -n "s/^\([^ ]*\) .*# $library:.*/\1/p" "$root/common/setup/packages.txt")
    die "cannot fetch $library (no network?): install the package $package (./lab setup does), or configure by hand with -DFETCHCONTENT_SOURCE_DIR_$(printf '%s' "$library" | tr '[:lower:]' '[:upper:]')=FOLDER; log: ${log#"$root"/}"
  fi
  message=$(awk '
    /^CMake Error/ { found = 1; next }
    /^Call Stack/ { exit }
    found && /^ *$/ { if (text != "") exit; next }
    found { sub(/^ */, ""); text = text (text == "" ? "" : " ") $0 }
    END { gsub(/  +/, " ", text); print text }' "$log")
  case $message in
    part*/flags.txt*) say "$message" ;;  # a student's own file: not a matter of CMake
    *) say "CMake stopped: $message" ;;
  esac
  die "nothing was built; log: ${log#"$root"/}"
}

# What the step printed that made TARGET: ninja says "FAILED: [code=1] TARGET ...", the command on
# a line, what it printed, the next "[n/m]".
printed_for() {  # TARGET
  awk -v target="$1" '
    /^FAILED: / { show = 0; for (i = 2; i <= 3; ++i) if ($i == target) show = 1; getline; next }
    /^\[[0-9]+\/[0-9]+\] |^ninja: / { show = 0 }
    show' "$log"
}

# A compiler's text as a student knows the names: no folders, no aliases, no allocator, plain quotes.
plainly() {
  sed -E "s/‘|’/'/g
    s|$root/||g
    s/__gnu_cxx::__alloc_traits<[^ ]*, ([^ ]*)>::value_type/\1/g
    s/(const )?(struct |class )?nbody::[A-Za-z_]+<[a-zT]+>::Body/\1Body/g
    s/'[^']*' [({]aka '([^']*)'[)}]/'\1'/g
    s/ \[with T = [a-z]+\]//
    s/nbody:://g"
}

# The errors in PREFIX of a step's output, with the lines they quote: six lines at most, no error
# twice (a template is compiled for float and for double).
show_errors() {  # OUTPUT PREFIX
  awk -v prefix="$2" '
    /: (fatal )?error: / { split($0, at, ":"); show = index($0, prefix) == 1 && !seen[at[1] at[2] at[3]]++; quoted = 0 }
    /: note: |: warning: |: In |: required |^In file included|[0-9]+ errors? generated/ { show = 0 }
    show && ++quoted <= 3' <<<"$1" | plainly | cut -c 1-160 | sed -n '1,6p' >&2
}

# What may help with an error in a header, as the end of a sentence.
advice() {  # MESSAGE HEADER
  local name
  name=$(sed -n -E "s/.*('(bodies|G|softening)' was not declared|undeclared identifier '(bodies|G|softening)').*/\2\3/p" <<<"$1")
  if [ -n "$name" ] && ! grep -q "using Naive<T>::$name;" "$2"; then
    echo " (list it in the class: using Naive<T>::$name;)"
    return
  fi
  case ${name:+"after class definition"}$1 in
    *"but does not override"* | *"only virtual member functions"* | *"marked 'override' but does not"*)
      echo ' (is the name spelled right?)' ;;
    *"after class definition"* | *"expected ';' after class"* | *"expected '}'"* | *"not allowed here"* | \
      *"before 'protected'"* | *"before 'public'"* | *"before 'private'"*)
      echo ' (a brace may be missing above)' ;;
    *"'Part"[0-9]"Answers' to 'char'"* | *"to 'char' from incompatible type 'Part"*)
      echo " (a choice is written with quotes: 'a')" ;;
    *"expected declaration before '}'"* | *"extraneous closing brace"*) echo ' (a brace too many above?)' ;;
  esac
}

# The compiler does not know a flag: which, and where it was asked for.
refused_flag() {  # OUTPUT FLAGS_FILE
  local message
  message=$(sed -n -E "s/^([^ :]*: )?(fatal )?error: ((bad value|unrecognized|unrecognised|unknown (argument|target CPU)|unsupported (argument|option)|invalid (argument|value)|argument to).*)/\3/p" <<<"$1" | sed -n 1p)
  if [ -z "$message" ] || [ ! -e "$2" ]; then return 1; fi
  message=${message%% (did you mean*}
  awk -v text="$message" -v file="${2#"$root"/}" '
    { sub(/#.*/, "") }
    { for (i = 1; i <= NF; ++i) {
        value = $i
        sub(/^-[^=]*=/, "", value)
        if (index(text, "\047" $i "\047") || index(text, "\047" value "\047")) {
          print file ":" NR ": the compiler does not know " $i " (" text "): correct it"; found = 1; exit } } }
    END { if (!found) print file ": the compiler does not know a flag (" text "): correct it" }' "$2"
}

# Nothing wrong inside a header, yet its program does not compile.
verdict_on_whole_header() {  # OUTPUT HEADER
  local header=$2 class asked error before
  class=$(sed -n -E "s/.*error: ('(nbody::)?([A-Za-z0-9_]+)' was not declared in this scope|use of undeclared identifier '([A-Za-z0-9_]+)'|no template named '([A-Za-z0-9_]+)').*/\3\4\5/p" <<<"$1" | sed -n 1p)
  error=$(grep -m 1 ' error: ' <<<"$1") || true
  before=${1%%"$error"*}
  # g++ names the line that asked for a template before the error, clang after it.
  asked=$(sed -n -E "s|^$root/$header:([0-9]+):[0-9]+: *(required from\|note: in instantiation).*|\1|p" <<<"$1" | sed -n 1p)
  if ! grep -q '[^[:space:]]' "$root/$header"; then
    echo "$header: it is empty: write a class in it, or bring it back with git checkout $header"
  elif [ -n "$class" ] && ! grep -q -E "(class|struct) +$class\b" "$root/$header" && [[ $error == "$build"* ]]; then
    echo "$header: there is no class $class in it"
  elif [ -n "$class" ] && [[ $error == "$build"* ]]; then
    echo "$header: its class $class is not to be seen: is it inside namespace nbody?"
  elif grep -q "abstract class" <<<"$1"; then
    echo "$header: its class leaves out a function that every simulator needs (common/simulator/simulator.hpp)"
  elif grep -q -E "no matching (function for call to.*Problem<|constructor for initialization)" <<<"$1"; then
    echo "$header: its class has no constructor that takes a Problem<T>"
  elif [[ $error == "$build"*conver* ]]; then
    echo "$header: its class cannot be used as a Simulator<T>: derive it with public, as in class Mine : public Naive<T>"
  elif [ -n "$asked" ] || grep -q 'required from\|In instantiation' <<<"$before" || grep -q 'requested here' <<<"$1"; then
    error=$(plainly <<<"${error##*error: }")
    echo "$header does not compile:${asked:+ line $asked:} $error"
  else
    echo "$header: the error begins behind the end of it: a brace missing, or text left over?"
  fi
}

# What is wrong with an object, or a program, that ninja says has failed: its source and first error.
verdict_on() {  # TARGET
  local target=$1 folder=${1%%/CMakeFiles/*} file=${1##*.dir/} output error
  output=$(printed_for "$target" | sed -E "s/‘|’/'/g")
  file=${file%.o}
  if [ "$folder" = "$target" ]; then
    sed -n '1,6p' <<<"$output" | plainly | cut -c 1-160 >&2
    echo "$target does not link"
    return
  fi
  # An implementation's own .cpp is written by CMake; its header is what a person wrote.
  if [ ! -e "$root/$folder/$file" ]; then file=${file%.cpp}.hpp; fi
  if [ "$file" = worksheet_answers.hpp ]; then file=worksheet.hpp; fi
  if refused_flag "$output" "$root/$folder/flags.txt"; then return; fi
  error=$(sed -n -E "s|^$root/$folder/$file:([0-9]+):[0-9]+: (fatal )?error: |line \1: |p" <<<"$output" | sed -n 1p | plainly)
  if [ -n "$error" ]; then
    show_errors "$output" "$root/$folder/$file:"
    echo "$folder/$file does not compile: $error$(advice "$error" "$root/$folder/$file")"
  elif [ "${file%.hpp}" != "$file" ] && [ -e "$root/$folder/$file" ]; then
    error=$(verdict_on_whole_header "$output" "$folder/$file")
    case $error in *' does not compile'*) show_errors "$output" '' ;; esac
    echo "$error"
  else
    show_errors "$output" ''
    echo "$folder/$file does not compile"
  fi
}

# Ninja could not even begin: a file that it knew has gone.
explain_missing_file() {
  local gone
  gone=$(sed -n "s|^ninja: error: unknown target '\([^']*\)'.*|\1|p" "$log")
  case $gone in bin/part*/*) die "there is no ${gone##*/}.hpp (any more)" ;; esac
  gone=$(sed -n "s|^ninja: error: '\([^']*\)', needed by .*|\1|p" "$log")
  gone=${gone#../../} gone=${gone#"$root"/}
  case $gone in
    part*/mine*.hpp) die "there is no ${gone##*/} (any more)" ;;
    ?*) die "$gone is missing: bring it back, for example with git checkout $gone" ;;
  esac
}

# Returns 1 if only implementations failed, so that the others can be used; exits otherwise.
explain_build_log() {
  local target program failed only_implementations=true said=0
  if grep -q '^CMake Error' "$log"; then explain_configure_log; fi
  failed=$(sed -n 's/^FAILED: \(\[[^]]*\] \)\{0,1\}\([^ ]*\).*/\2/p' "$log")
  if [ -z "$failed" ]; then
    explain_missing_file
    tail -n 10 "$log" >&2
    say "building failed; log: ${log#"$root"/}"
    exit 1
  fi
  for target in $failed; do
    if [ $((said += 1)) -le 5 ]; then say "$(verdict_on "$target"); log: ${log#"$root"/}"; fi
    case $target in
      part*.dir/* | solutions/*.dir/*) program=${target%%.dir/*} program=${program##*/} program=${program/_//} ;;
      bin/part*/*) program=${target#bin/} ;;
      *) only_implementations=false; continue ;;
    esac
    # One built before is not what the header says now.
    rm -f "$build/bin/$program"
  done
  if [ $said -gt 5 ]; then say "and $((said - 5)) more"; fi
  if ! $only_implementations; then exit 1; fi
  return 1
}
