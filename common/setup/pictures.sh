# shellcheck shell=bash
# What setup.sh sets:
# shellcheck disable=SC2154
# Sourced by setup.sh, whose functions it uses: a virtual environment with what draws, only when asked for.

install_pictures() {
  local python=$tools/pictures/bin/python
  "$python" -c 'import matplotlib' 2>/dev/null || rm -rf "$tools/pictures"
  if ! make_environment pictures '400 MB'; then
    no_environment pictures 'no pictures' 'pip, a network, and the package python3-venv'
    return
  fi
  # pyplot makes its list of fonts, which takes long the first time.
  say "pictures can be drawn: matplotlib $("$python" -c 'import matplotlib, matplotlib.pyplot; print(matplotlib.__version__)')"
}
