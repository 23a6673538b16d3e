#!/usr/bin/env bash
# Which share of an iteration do copies and allocations have, for few bodies and for many?
#
#   study_copies.sh PART NAME BUILD_FOLDER DEVICE [--plot FOLDER]
#
# A profile of one program at each size, and its rows added up by what they are.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
die() { printf 'lab: %s\n' "$*" >&2; exit 2; }

part=$1 name=$2 build=$3 device=$4 folder=''
shift 4
while [ $# -gt 0 ]; do
  case $1 in
    --plot) folder=${2:?--plot wants a folder}; shift ;;
    *) die "the study copies has no option '$1'; there is --plot FOLDER" ;;
  esac
  shift
done
if [ -n "$folder" ] && ! { mkdir -p "$folder" && [ -w "$folder" ]; }; then die "$folder cannot be written"; fi

# "N copies kernels allocations rest", in percent of the wall clock
shares_at() {  # N
  bash "$here/../setup/profile_device.sh" "$part" "$name" "$build" -n "$1" | awk -v n="$1" '
    match($0, /[0-9.]+ %/) {
      share = substr($0, RSTART, RLENGTH) + 0
      if ($1 == "wall") next
      if ($1 == "copy") copies += share
      else if ($1 ~ /^cuda/) allocations += share
      else if ($1 == "the") rest += share
      else kernels += share
    }
    END { printf "%d %.2f %.2f %.2f %.2f\n", n, copies, kernels, allocations, rest }'
}

shares=''
for n in 256 1024 4096 16384 65536 262144; do
  if [ -t 2 ]; then printf '\r  N = %s   \r' "$n" >&2; fi
  row=$(shares_at "$n") || exit 2
  shares+=$row$'\n'
done
printf '%s/%s, adaptive step, %% of the wall clock; %s; %s\n\n' "$part" "$name" "$device" "$(date +%F)"
awk 'BEGIN { printf "  %8s  %8s  %8s  %12s  %16s\n", "N", "copies", "kernels", "allocations", "host, launches" }
  NF { printf "  %8d  %8.2f  %8.2f  %12.2f  %16.2f\n", $1, $2, $3, $4, $5 }' <<<"$shares"
if [ -z "$folder" ]; then exit; fi

printf '# N; percent of the wall clock: copies, kernels, allocations, host\n%s' "$shares" >"$folder/copies.dat"
cat >"$folder/copies.gp" <<END
# Draw again, in this folder: gnuplot copies.gp
do for [kind in 'svg png'] {
  if (kind eq 'svg') { set terminal svg size 900,540 font 'sans,14' background rgb 'white' noenhanced
  } else { set terminal pngcairo size 900,540 font 'sans,11' noenhanced }
  set output 'copies.'.kind
  set label 1 '$device; adaptive step; $(date +%F)' at screen 0.01, screen 0.02 font ',10' textcolor rgb '#555555'
  set title 'Where the time of an iteration goes, $part/$name'
  set style data histograms
  set style histogram rowstacked
  set style fill solid 1 noborder
  set boxwidth 0.7
  set key outside right top Left reverse samplen 2 invert
  set bmargin 6
  set xlabel 'bodies N'
  set ylabel 'percent of the wall clock'
  set yrange [0:100]
  plot 'copies.dat' using 2:xtic(1) lc rgb '#D55E00' title 'copies', \\
    '' using 3 lc rgb '#56B4E9' title 'kernels', \\
    '' using 4 lc rgb '#E69F00' title 'allocations', \\
    '' using 5 lc rgb '#bbbbbb' title 'host, launches'
  set output
}
END
if command -v gnuplot >/dev/null; then
  (cd "$folder" && gnuplot copies.gp)
  printf '\n%s/copies.svg and .png\n' "$folder"
else
  printf '\nno gnuplot here, so data and script only: install gnuplot-nox, then in %s run gnuplot on the *.gp\n' "$folder"
fi
