# shellcheck shell=bash
# Sourced by setup.sh and used by noxfile.py: tools that need no administrator, by pip into a folder.

# A pip that works: the system's, or that of a virtual environment where the system has none.
find_pip() {  # FOLDER -> sets pip
  command -v python3 >/dev/null || return 1
  pip=(python3 -m pip)
  if "${pip[@]}" --version >/dev/null 2>&1; then return 0; fi
  # Debian splits ensurepip off: without python3-venv this fails, and leaves half a folder.
  if python3 -m venv "$1/venv" >/dev/null 2>&1; then
    pip=("$1/venv/bin/python" -m pip)
    return 0
  fi
  rm -rf "$1/venv"
  return 1
}

# The programs themselves, not the Python scripts that start them: those would need PYTHONPATH.
link_tools() {  # FOLDER
  local tool program
  mkdir -p "$1/bin"
  for tool in cmake ctest ninja; do
    for program in "cmake/data/bin/$tool" "ninja/data/bin/$tool" "bin/$tool"; do
      if [ -x "$1/python/$program" ]; then
        ln -sf "../python/$program" "$1/bin/$tool"
        break
      fi
    done
  done
}

# pip_tools FOLDER REQUIREMENT...: afterwards FOLDER/bin holds cmake, ctest, ninja (what was asked).
# Status 3: no pip; 4: pip failed, its last lines are in FOLDER/pip.log.
pip_tools() {
  local folder=$1 pip
  shift
  mkdir -p "$folder"
  find_pip "$folder" || return 3
  "${pip[@]}" install --quiet --disable-pip-version-check --only-binary :all: --upgrade \
    --target "$folder/python" "$@" >"$folder/pip.log" 2>&1 || return 4
  link_tools "$folder"
}
