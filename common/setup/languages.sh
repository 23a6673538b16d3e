# shellcheck shell=bash
# What setup.sh sets:
# shellcheck disable=SC2154
# Sourced by setup.sh, whose functions it uses: the environment of guests in Python (--languages), beside the lab's own, since
# it holds other versions.

# build/tools/NAME with what the section NAME-pip of packages.txt lists; its log is build/tools/NAME.log. False if that
# fails.
make_environment() {  # NAME SIZE
  local folder=$tools/$1 requirements
  mapfile -t requirements < <(packages_of "$1-pip")
  # The stamp holds the list that was installed; a changed list is installed anew.
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

# An explicit request fails; tests continue without it.
no_environment() {  # NAME WHAT NEEDS
  local reason
  reason=$(grep . "$tools/$1.log" | tail -n 1)
  if [ "$level" = tests-all ]; then
    say "skipped: $2 ($reason)"
  else
    die "$2: $reason (full log: build/tools/$1.log; it needs $3)"
  fi
}

# Compilers for other languages are packages, row by row of packages.txt.
install_languages() {
  if ! make_environment languages '1 GB'; then
    no_environment languages 'no guests in Python' 'Python 3.10, pip, a network, and the package python3-venv'
    return
  fi
  # CMake looks for them again.
  if [ -d "$root/solutions/other_languages" ]; then touch "$root/solutions/other_languages/CMakeLists.txt"; fi
  say 'guests in Python can be run; on a GPU, those in Triton also need a Python with torch'
}
