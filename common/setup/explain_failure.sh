# shellcheck shell=bash disable=SC2154
# Sourced by lab when a build step failed: says why, from the step's log ($log).

# CMake folds its messages into paragraphs; here the first one is a line again.
explain_configure_log() {
  local library package
  library=$(sed -n 's/^-- \(.*\): no package found, fetching .*/\1/p' "$log" | tail -n 1)
  if [ -n "$library" ] && grep -q 'Failed to clone\|Could not resolve\|unable to access\|could not find git\|Build step for .* failed' "$log"; then
    package=$(sed -n "s/^\([^ ]*\) .*# $library:.*/\1/p" "$root/common/setup/packages.txt")
    die "cannot fetch $library (no network?): install the package $package (./lab setup does), or configure by hand with -DFETCHCONTENT_SOURCE_DIR_$(printf '%s' "$library" | tr '[:lower:]' '[:upper:]')=FOLDER; log: ${log#"$root"/}"
  fi
  say "CMake stopped: $(awk '
    /^CMake Error/ { found = 1; next }
    /^Call Stack/ { exit }
    found && /^ *$/ { if (text != "") exit; next }
    found { sub(/^ */, ""); text = text (text == "" ? "" : " ") $0 }
    END { gsub(/  +/, " ", text); print text }' "$log")"
  die "nothing was built; log: ${log#"$root"/}"
}

# What is wrong with an object, or a program, that ninja says has failed: its source and first error.
verdict_on() {
  local folder=${1%%/CMakeFiles/*} file=${1##*.dir/} error
  file=${file%.o}
  if [ "$folder" = "$1" ]; then echo "$1 does not link"; return; fi
  # An implementation's own .cpp is written by CMake; its header is what a person wrote.
  if [ ! -e "$root/$folder/$file" ]; then file=${file%.cpp}.hpp; fi
  error=$(sed -n "s|^$root/$folder/$file:\([0-9]*\):[0-9]*: [a-z ]*error: | line \1: |p" "$log" | sed -n 1p)
  echo "$folder/$file does not compile${error:+:$error}"
}

# Returns 1 if only implementations failed, so that the others can be used; exits otherwise.
explain_build_log() {
  local target program failed only_implementations=true said=0
  if grep -q '^CMake Error' "$log"; then explain_configure_log; fi
  # ninja: "FAILED: [code=1] TARGET ...", the command on a line, what it printed, the next "[n/m]".
  awk '/^FAILED: / { show = 1; getline; next } /^\[[0-9]+\/[0-9]+\] |^ninja: / { show = 0 } show' "$log" |
    sed -n '1,40p' | cut -c 1-200 >&2
  failed=$(sed -n 's/^FAILED: \(\[[^]]*\] \)\{0,1\}\([^ ]*\).*/\2/p' "$log")
  if [ -z "$failed" ]; then
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
