#!/usr/bin/env bash
# Does newer_xsimd.sh say in one line why it cannot help, and does it leave a folder whole or alone?
# Without a network: stand-ins for apt-get and dpkg-deb, and another system's /etc.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bad=0
complain() { echo "$*"; bad=1; }

# What the script runs, and an apt-get that knows no suite unless $work/has_package exists.
mkdir -p "$work/bin" "$work/etc/apt" "$work/only_bash" "$work/keys"
printf '#!/bin/sh\nexit 0\n' >"$work/bin/dpkg"
cat >"$work/bin/apt-get" <<'END'
#!/bin/sh
echo "E: no such mirror"
[ -e "$WORK/has_package" ] || exit 100
case "$*" in *download*) touch libxsimd-dev_13_all.deb ;; esac
END
cat >"$work/bin/dpkg-deb" <<'END'
#!/bin/sh
mkdir -p "$3/usr/include/xsimd"
echo new >"$3/usr/include/xsimd/xsimd.hpp"
[ ! -e "$WORK/broken_package" ]
END
chmod +x "$work"/bin/*
ln -s "$(command -v bash)" "$work/only_bash/bash"
touch "$work/keys/debian-archive-keyring.gpg"

system() {  # ID MIRROR_LINE
  printf 'ID=%s\n' "$1" >"$work/etc/os-release"
  printf '%s\n' "$2" >"$work/etc/apt/sources.list"
}
run() {  # sets said and status
  status=0
  said=$(WORK=$work LAB_ETC=$work/etc LAB_KEYS=$work/keys PATH=$work/bin:$PATH bash "$here/newer_xsimd.sh" "$work/folder" 2>&1) || status=$?
}
expect() {  # WHAT STATUS WORDS
  if [ "$status" != "$2" ]; then complain "$1: status $status, not $2: $said"; fi
  if [ "$(wc -l <<<"$said")" != 1 ]; then complain "$1: more than a line: $said"; fi
  case $said in "xsimd: "*"$3"*) ;; *) complain "$1: wants '$3', says: $said" ;; esac
}
content() { cat "$work/folder/include/xsimd/xsimd.hpp" 2>/dev/null || echo none; }
expect_content() {  # WHAT CONTENT
  if [ "$(content)" != "$2" ]; then complain "$1: the folder holds $(content), not $2"; fi
  if [ -n "$(find "$work" -maxdepth 2 -name '*.new*' -print)" ]; then complain "$1: something is left behind"; fi
}

debian='deb [arch=amd64] http://mirror.invalid/debian bookworm main'

system slackware "$debian"
run
expect 'unknown system' 77 'no newer suite known for slackware'
system ubuntu "$debian"
run
expect 'no keys' 77 'ubuntu-archive-keyring.gpg to verify a package'
system debian '# nothing here'
run
expect 'no mirror' 77 'no mirror in /etc/apt'
system debian "$debian"
run
expect 'mirror that does not answer' 77 'no package list for trixie: E: no such mirror'
expect_content 'after refusals' none

status=0
said=$(PATH=$work/only_bash "$work/only_bash/bash" "$here/newer_xsimd.sh" "$work/folder" 2>&1) || status=$?
expect 'no apt-get' 77 'no apt-get here'

touch "$work/has_package"
run
expect 'a package' 0 'headers of trixie in'
expect_content 'a package' new

echo old >"$work/folder/include/xsimd/xsimd.hpp"
touch "$work/broken_package"
run
expect 'broken package' 77 'cannot be unpacked'
expect_content 'broken package' old
rm "$work/broken_package"
run
expect 'a package over an old one' 0 'headers of trixie in'
expect_content 'a package over an old one' new

# A folder that cannot be written to keeps what it has. Root may write everywhere, but not below a file.
rm -rf "$work/folder"
touch "$work/folder"
run
expect 'a file in the place of the folder' 77 'cannot be written'
exit $bad
