# shellcheck shell=bash
# What setup.sh sets:
# shellcheck disable=SC2154
# Sourced by setup.sh, whose functions it uses: a virtual environment with what runs guests in Python, only when asked for
# (./lab setup --languages). Compilers for the others are packages, row by row of packages.txt.

install_languages() {
  if ! make_environment languages '1 GB'; then
    no_environment languages 'no guests in Python' 'Python 3.10, pip, a network, and the package python3-venv'
    return
  fi
  # CMake looks for them again.
  if [ -d "$root/solutions/other_languages" ]; then touch "$root/solutions/other_languages/CMakeLists.txt"; fi
  say 'guests in Python can be run; on a GPU, those in Triton also need a Python with torch'
}
