# shellcheck shell=bash
# What setup.sh sets:
# shellcheck disable=SC2154
# Sourced by setup.sh, whose functions it uses: virtual environments of Python, only on request.

# build/tools/NAME with what the section NAME-pip of packages.txt lists; its log is build/tools/NAME.log. False where that
# fails.
make_environment() {  # NAME SIZE
  local folder=$tools/$1 requirements
  mapfile -t requirements < <(packages_of "$1-pip")
  # The stamp says what was asked for: where the list is another now, that is installed.
  if [ "$(cat "$folder/ready" 2>/dev/null)" = "${requirements[*]}" ]; then return; fi
  say "installing by pip into build/tools/$1: $(printf '%s\n' "${requirements[@]%%=*}" | uniq | paste -sd ' ') ($2)"
  mkdir -p "$tools"
  if ! { python3 -m venv "$folder" && "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
    --only-binary :all: "${requirements[@]}"; } >"$folder.log" 2>&1; then
    [ -e "$folder/ready" ] || rm -rf "$folder"
    return 1
  fi
  printf '%s\n' "${requirements[*]}" >"$folder/ready"
}

# Who asked for it is told by the status; tests go on without.
no_environment() {  # NAME WHAT NEEDS
  local reason
  reason=$(grep . "$tools/$1.log" | tail -n 1)
  if [ "$level" = tests-all ]; then
    say "skipped: $2 ($reason)"
  else
    die "$2: $reason (full log: build/tools/$1.log; it needs $3)"
  fi
}
