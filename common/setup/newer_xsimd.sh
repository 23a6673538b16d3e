#!/usr/bin/env bash
# Puts xsimd's headers into a folder if the distribution's own are too old: from the package of
# a newer suite, by the machine's own mirror, its keys and apt-get's checks. Installs nothing and
# needs no root.
#
#   newer_xsimd.sh FOLDER     afterwards FOLDER/include/xsimd is there
#
# Status 77 and one line: not available this way, and FOLDER is unchanged. LAB_ETC and LAB_KEYS stand
# for /etc and /usr/share/keyrings in tests.
set -euo pipefail

cannot() { printf 'xsimd: %s\n' "$*"; exit 77; }

folder=$1
etc=${LAB_ETC:-/etc} keyrings=${LAB_KEYS:-/usr/share/keyrings}
for tool in apt-get dpkg dpkg-deb; do
  command -v $tool >/dev/null || cannot "no $tool here"
done
[ -r "$etc/os-release" ] || cannot 'this system has no /etc/os-release'
# shellcheck source=/dev/null
. "$etc/os-release"
case ${ID:-} in  # the first stable suites with xsimd 11 or newer
  debian) suite=trixie component=main keys=$keyrings/debian-archive-keyring.gpg ;;
  ubuntu) suite=noble component=universe keys=$keyrings/ubuntu-archive-keyring.gpg ;;
  *) cannot "no newer suite known for ${ID:-this system}" ;;
esac
[ -e "$keys" ] || cannot "no $keys to verify a package"

# The first mirror of the machine's own settings, in either of apt's formats.
mirror=$({ cat "$etc"/apt/sources.list "$etc"/apt/sources.list.d/*.list "$etc"/apt/sources.list.d/*.sources 2>/dev/null || true; } |
  sed -n -e 's/^URIs: *\([^ ]*\).*/\1/p' -e 's/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' | head -n 1)
[ -n "$mirror" ] || cannot 'no mirror in /etc/apt'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
mkdir -p "$scratch"/{lists/partial,cache/archives/partial,package}
echo "deb [signed-by=$keys] $mirror $suite $component" >"$scratch/sources.list"
apt() {
  apt-get -q -o "Dir::Etc::sourcelist=$scratch/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o "Dir::State::lists=$scratch/lists" -o "Dir::Cache=$scratch/cache" -o APT::Sandbox::User= \
    -o Acquire::http::Timeout=20 -o Acquire::Retries=1 "$@" >>"$scratch/log" 2>&1
}
apt update || cannot "no package list for $suite: $(tail -n 1 "$scratch/log")"
(cd "$scratch/package" && apt download libxsimd-dev) || cannot "$suite has no libxsimd-dev: $(tail -n 1 "$scratch/log")"
dpkg-deb -x "$scratch"/package/*.deb "$scratch/package" >>"$scratch/log" 2>&1 ||
  cannot "the package of $suite cannot be unpacked: $(tail -n 1 "$scratch/log")"
# Unpacked beside its place first: an interrupted folder must not look complete.
mkdir -p "$folder" 2>/dev/null || cannot "$folder cannot be written"
new=$(mktemp -d "$folder/include.new.XXXXXX" 2>/dev/null) || cannot "$folder cannot be written"
trap 'rm -rf "$scratch" "$new"' EXIT
cp -R "$scratch/package/usr/include/." "$new" 2>/dev/null || cannot "$folder cannot be written"
chmod 755 "$new"
rm -rf "$folder/include"
mv -T "$new" "$folder/include"
echo "xsimd: headers of $suite in $folder"
