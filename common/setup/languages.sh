# shellcheck shell=bash
# What setup.sh sets:
# shellcheck disable=SC2154
# Sourced by setup.sh, whose functions it uses: a virtual environment with what runs guests in Python, only when asked for
# (./lab setup --languages). Compilers for the others are packages, row by row of packages.txt.

install_languages() {
  local folder=$tools/languages requirements
  mapfile -t requirements < <(packages_of languages-pip)
  # The stamp says what was asked for: where the list is another now, that is installed.
  if [ "$(cat "$folder/ready" 2>/dev/null)" != "${requirements[*]}" ]; then
    say "installing by pip into build/tools/languages: $(printf '%s\n' "${requirements[@]%%=*}" | paste -sd ' ') (1 GB)"
    mkdir -p "$tools"
    if ! { python3 -m venv "$folder" && "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
      --only-binary :all: "${requirements[@]}"; } >"$tools/languages.log" 2>&1; then
      [ -e "$folder/ready" ] || rm -rf "$folder"
      no_languages "$(grep . "$tools/languages.log" | tail -n 1)"
      return
    fi
    printf '%s\n' "${requirements[*]}" >"$folder/ready"
  fi
  # CMake looks for them again.
  if [ -d "$root/solutions/other_languages" ]; then touch "$root/solutions/other_languages/CMakeLists.txt"; fi
  say 'guests in Python can be started; on a GPU those in Triton want a Python with torch, too'
}

# Who asked for them is told by the status; tests go on without.
no_languages() {  # REASON
  if [ "$level" = tests-all ]; then
    say "skipped: no guests in Python ($1)"
  else
    die "no guests in Python: $1 (all of it: build/tools/languages.log; it needs Python 3.10, pip, a network, and the package python3-venv)"
  fi
}
