# shellcheck shell=bash
# What setup.sh sets:
# shellcheck disable=SC2154
# Sourced by setup.sh, whose functions it uses: a CUDA compiler for part 3, only when asked for
# (./lab setup --cuda). The distribution's package where it is new enough, else NVIDIA's Python wheels
# into build/tools/cuda, which need no administrator. It installs no driver, which is part of the system.

oldest_cuda=12  # the first that knows C++20

# "13.0" for the first nvcc found; nothing if there is none.
cuda_version() {
  local nvcc
  for nvcc in "$(command -v nvcc)" "$tools/cuda/bin/nvcc" /usr/local/cuda/bin/nvcc; do
    if [ -x "$nvcc" ]; then
      "$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p'
      return
    fi
  done
}

cuda_is_new_enough() { [ -n "$1" ] && [ "${1%%.*}" -ge $oldest_cuda ]; }

# The rows of a section of packages.txt, without comments.
packages_of() {  # SECTION
  sed -n "/^\[$1\]/,/^\[/p" "$here/packages.txt" | sed '/^\[/d; /^#/d; /^$/d; s/ .*//'
}

# "12.0.140~12.0.1-4build4" -> 12; 0 if there is no such package.
major_of_package() {  # PACKAGE
  local version
  version=$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: \([0-9]*\).*/\1/p')
  echo "${version:-0}"
}

install_cuda_package() {
  local package
  package=$(packages_of cuda)
  if $no_root || ! may_install; then return 1; fi
  if [ "$(major_of_package "$package")" -lt $oldest_cuda ]; then
    as_root apt-get update -q >/dev/null || true
    if [ "$(major_of_package "$package")" -lt $oldest_cuda ]; then return 1; fi
  fi
  say "installing with apt-get: $package (several GB)"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    -o DPkg::Lock::Timeout=120 "$package"
}

# NVIDIA's wheels hold the folders of a toolkit, but for the names that CMake and nvcc look for.
install_cuda_wheels() {  # SECTION...
  local folder=$tools/cuda_wheels requirements=() section pip toolkit
  for section; do mapfile -t -O "${#requirements[@]}" requirements < <(packages_of "$section"); done
  mkdir -p "$folder"
  find_pip "$folder" || die 'no pip for CUDA: ask the administrator for python3-venv, or for nvidia-cuda-toolkit (CUDA 12 or newer)'
  say "installing by pip into build/tools/cuda: ${requirements[*]}"
  "${pip[@]}" install --quiet --disable-pip-version-check --only-binary :all: --upgrade \
    --target "$folder/python" "${requirements[@]}" >"$folder/pip.log" 2>&1 ||
    die "pip failed: $(tail -n 1 "$folder/pip.log") (full log: build/tools/cuda_wheels/pip.log)"
  for toolkit in "$folder"/python/nvidia/cu[0-9]*; do
    ln -sfn lib "$toolkit/lib64"
    ln -sfn "cuda_wheels/python/nvidia/${toolkit##*/}" "$tools/cuda"
  done
}

has_cuda_tools() {
  local tool
  for tool in cuobjdump nvdisasm compute-sanitizer; do
    command -v $tool >/dev/null || [ -x "$tools/cuda/bin/$tool" ] || [ -x /usr/local/cuda/bin/$tool ] || return 1
  done
}

install_cuda() {
  if ! cuda_is_new_enough "$(cuda_version)"; then
    install_cuda_package || install_cuda_wheels cuda-pip cuda-tools-pip
    hash -r
  fi
  cuda_is_new_enough "$(cuda_version)" ||
    die "no CUDA compiler of version $oldest_cuda or newer; install NVIDIA's toolkit from developer.nvidia.com/cuda-downloads"
  if ! has_cuda_tools; then
    case $(cuda_version) in
      12.*) say "cuobjdump, nvdisasm or compute-sanitizer is missing: they come with NVIDIA's toolkit, CUDA $(cuda_version)" ;;
      *) install_cuda_wheels cuda-tools-pip ;;
    esac
  fi
  say "CUDA $(cuda_version) is installed: part 3 is built from now on"
}
