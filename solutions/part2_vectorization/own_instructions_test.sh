#!/usr/bin/env bash
# Does every program of part 2 keep to its own instruction set? An inlined template that the linker
# took from elsewhere would end the program on an older machine.
#
#   own_instructions_test.sh FOLDER     with NAME, NAME_sse2, NAME_avx2, NAME_avx512
#
# Looks at the registers in the assembly. Where qemu-x86_64 is there, the sse2 programs are also run
# on a processor of 2006. Status 77: no objdump, or no such programs.
set -euo pipefail

folder=$1
command -v objdump >/dev/null || { echo 'objdump is not there'; exit 77; }
[ -n "$(find "$folder" -name '*_avx512')" ] || { echo "$folder has no programs for instruction sets"; exit 77; }
bad=0
complain() { echo "$*"; bad=1; }

# Instructions that name such a register. Registers 16 to 31 belong to AVX-512, in all widths.
uses() { objdump -d --no-show-raw-insn "$1" | grep -cE "%($2)" || true; }
avx='ymm[0-9]' avx512='zmm[0-9]|[xy]mm(1[6-9]|2[0-9]|3[01])'

for best in "$folder"/*_avx512; do
  name=$(basename "${best%_avx512}")
  for program in "$name" "${name}_sse2"; do
    [ "$(uses "$folder/$program" "$avx|$avx512")" = 0 ] || complain "$program uses registers of AVX"
  done
  [ "$(uses "$folder/${name}_avx2" "$avx512")" = 0 ] || complain "${name}_avx2 uses registers of AVX-512"
  # What cannot be found where it must be cannot be missed elsewhere.
  [ "$(uses "$folder/${name}_avx2" "$avx")" != 0 ] || complain "${name}_avx2 uses no register of AVX"
  [ "$(uses "$best" zmm)" != 0 ] || complain "${name}_avx512 uses no register of AVX-512"
  if command -v qemu-x86_64 >/dev/null; then
    qemu-x86_64 -cpu Conroe "$folder/${name}_sse2" -n 33 -i 2 >/dev/null || complain "${name}_sse2 does not run on a Conroe"
  fi
done
exit $bad
