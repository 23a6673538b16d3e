# shellcheck shell=bash
# What setup.sh sets:
# shellcheck disable=SC2154
# Sourced by setup.sh, whose functions it uses: an MPI library for part 4 where no package brings one
# (./lab setup --no-root --mpi). MPICH's own Python wheel contains all of it, 13 MB.

mpi_is_there() {
  local wrapper
  for wrapper in mpicxx.mpich mpicxx "$tools/mpi/bin/mpicxx"; do
    if "$wrapper" -show >/dev/null 2>&1; then return 0; fi
  done
  return 1
}

# --prefix: --target would leave out the libraries.
install_mpi() {
  local folder=$tools/mpi requirements=() part pip
  mpi_is_there && return
  mapfile -t requirements < <(packages_of mpi-pip)
  mkdir -p "$folder"
  find_pip "$folder" || die 'no pip for MPI: ask the administrator for the packages mpich and libmpich-dev, or for python3-venv'
  say "installing by pip into build/tools/mpi: ${requirements[*]}"
  "${pip[@]}" install --quiet --disable-pip-version-check --only-binary :all: --no-deps --ignore-installed \
    --prefix "$folder" "${requirements[@]}" >"$folder/pip.log" 2>&1 ||
    die "pip failed: $(tail -n 1 "$folder/pip.log") (full log: build/tools/mpi/pip.log)"
  # Debian's Python installs into an extra folder below the prefix.
  for part in bin include lib; do
    if [ -d "$folder/local/$part" ]; then ln -sfn "local/$part" "$folder/$part"; fi
  done
  mpi_is_there || die 'no MPI library in the wheel of mpich: ask the administrator for the packages mpich and libmpich-dev'
}
