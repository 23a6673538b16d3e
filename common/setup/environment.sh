#!/usr/bin/env bash
# The lab's Python environment, build/venv: made by the first ./lab, extended by ./lab setup --pictures and ./lab test.
#
#   environment.sh core|pictures|tests      each level holds those before it
#
# What a level holds is locked with hashes in python/LEVEL.txt (lock.sh). The environment keeps a copy of each lock that is
# installed: a changed lock is installed anew. Status 3: nothing here can make an environment.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(cd "$here/../.." && pwd -P)
venv=$root/build/venv
python=$venv/bin/python
log=$root/build/venv.log
wanted=${1:?level}

say() { printf 'lab: %s\n' "$*" >&2; }

levels=()
for level in core pictures tests; do
  levels+=("$level")
  if [ "$level" = "$wanted" ]; then break; fi
done

# Whether its Python is there, and is the one that the packages were installed for.
works() { "$python" -c 'import filelock, psutil' 2>/dev/null; }

is_installed() {
  local level
  works || return 1
  for level in "${levels[@]}"; do cmp -s "$here/python/$level.txt" "$venv/$level.txt" || return 1; done
}

# An empty environment, and in `install` the words that install into it.
make_empty() {
  install=()
  if ! works; then rm -rf "$venv"; fi
  if command -v uv >/dev/null; then
    [ -x "$python" ] || uv venv --quiet --python python3 "$venv" || return 1
    install=(uv pip install --quiet --python "$python")
  elif [ -x "$venv/bin/pip" ] || python3 -m venv "$venv"; then
    install=("$python" -m pip install --quiet --disable-pip-version-check)
  elif python3 -m pip --help | grep -q -e '--python ' && python3 -m venv --clear --without-pip "$venv"; then
    install=(python3 -m pip --python "$python" install --quiet --disable-pip-version-check)  # Debian splits ensurepip off
  else
    rm -rf "$venv"
    return 3
  fi
  if [ -d "$root/wheels" ]; then install+=(--find-links "$root/wheels"); fi  # of the handout
  if [ -d "$root/wheels" ] && [ "$wanted" = core ]; then install+=(--no-index); fi  # they hold no more than that
}

fill() {
  local level packages words=()
  for level in "${levels[@]}"; do words+=(-r "$here/python/$level.txt"); done
  "${install[@]}" --only-binary :all: --require-hashes "${words[@]}" || return 1
  # The package itself, and its tests: this tree's, wherever it is moved to.
  packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))') || return 1
  printf '../../../../../common/lab%s\n' /src '' >"$packages/nbody_lab.pth" || return 1
  for level in "${levels[@]}"; do cp "$here/python/$level.txt" "$venv/$level.txt" || return 1; done
}

mkdir -p "$root/build"
if command -v flock >/dev/null; then
  exec 9>"$root/build/venv.lock"
  flock 9 || true  # another ./lab may be making it; not every file system has locks
fi
if is_installed; then exit 0; fi
case $wanted in
  core) what='once, some seconds' ;;
  pictures) what='what draws, 250 MB' ;;
  tests) what='what draws and tests, 380 MB' ;;
esac
say "installing the lab's Python environment in build/venv ($what)"
start=$SECONDS status=0
make_empty >"$log" 2>&1 || status=$?
if [ $status = 0 ]; then fill >>"$log" 2>&1 || status=1; fi
if [ $status = 0 ]; then
  say "installed in $((SECONDS - start)) s"
elif [ $status != 3 ]; then
  say "the Python environment cannot be installed: $(grep . "$log" | tail -n 1) (all of it: build/venv.log)"
  if ! [ -d "$root/wheels" ]; then say 'without a network: ask for the lab with its wheels (./lab handout --wheels)'; fi
fi
exit $status
