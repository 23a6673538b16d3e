# shellcheck shell=bash
# What setup.sh sets:
# shellcheck disable=SC2154
# Sourced by setup.sh, whose functions it uses: a virtual environment with what draws, only when asked for.

install_pictures() {
  local folder=$tools/pictures requirements
  mapfile -t requirements < <(packages_of pictures-pip)
  if ! [ -e "$folder/ready" ] || ! "$folder/bin/python" -c 'import matplotlib, osaca' 2>/dev/null; then
    say "installing by pip into build/tools/pictures: ${requirements[0]%%=*} (200 MB)"
    rm -rf "$folder"
    mkdir -p "$tools"
    if ! { python3 -m venv "$folder" && "$folder/bin/python" -m pip install --quiet --disable-pip-version-check \
      --only-binary :all: "${requirements[@]}"; } >"$tools/pictures.log" 2>&1; then
      rm -rf "$folder"
      no_pictures "$(grep . "$tools/pictures.log" | tail -n 1)"
      return
    fi
    "$folder/bin/python" -c 'import matplotlib.pyplot' 2>/dev/null || true  # makes its list of fonts, which takes long once
    touch "$folder/ready"
  fi
  say "pictures can be drawn: matplotlib $("$folder/bin/python" -c 'import matplotlib; print(matplotlib.__version__)')"
}

# Who asked for pictures is told by the status; tests go on without.
no_pictures() {  # REASON
  if [ "$level" = tests-all ]; then
    say "skipped: no pictures ($1)"
  else
    die "no pictures: $1 (all of it: build/tools/pictures.log; it needs pip, a network, and the package python3-venv)"
  fi
}
