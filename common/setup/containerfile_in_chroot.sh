#!/usr/bin/env bash
# Does what Containerfile says in a chroot, where no container program or registry is available.
#
#   containerfile_in_chroot.sh FOLDER [COMMAND]     as root
#
# FOLDER is a fresh Debian (debootstrap --variant=minbase bookworm FOLDER); it is written to. Then
# COMMAND (bash -c) is run in it, with a copy of the lab at the working directory.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
lab=$(cd "$here/../.." && pwd -P)
die() { printf 'containerfile_in_chroot: %s\n' "$*" >&2; exit 2; }

folder=${1:-} workdir=/
[ "$(id -u)" = 0 ] || die 'chroot needs root'
[ -x "$folder/usr/bin/apt-get" ] || die "'$folder' is not a Debian system; make one: debootstrap --variant=minbase bookworm FOLDER"

inside() { chroot "$folder" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root bash -c "cd '$workdir' && $1"; }

mount -t proc proc "$folder/proc"
trap 'umount "$folder/proc"' EXIT
cp /etc/resolv.conf "$folder/etc/resolv.conf"

runs=0
# Containerfile has only one-line instructions; any other stops here.
while read -r instruction rest; do
  case $instruction in
    '' | '#'* | FROM | CMD) ;;
    COPY)
      [ "${rest%% *}" = . ] || die "COPY from the folder of the file only, not: $rest"
      mkdir -p "$folder/${rest##* }"
      cp -r "$here/." "$folder/${rest##* }" ;;
    RUN) printf '$ %s\n' "$rest"; inside "$rest"; runs=$((runs + 1)) ;;
    WORKDIR) workdir=$rest; mkdir -p "$folder/$workdir" ;;
    *) die "cannot do $instruction" ;;
  esac
done <"$here/Containerfile"
[ $runs -gt 0 ] || die 'Containerfile has no RUN line'

if [ $# -gt 1 ]; then
  (cd "$lab" && git ls-files -z -co --exclude-standard | tar -cf - --null -T -) | tar -xf - -C "$folder/$workdir"
  printf '$ %s\n' "$2"
  inside "$2"
fi
