#!/usr/bin/env bash
# What ./lab profile does once the program is built: runs it long enough, asks gprof (or perf), and
# shows the functions that took the time.
#
#   profile.sh PART NAME BUILD_FOLDER [-n BODIES] [--debug] [--annotate]
#   profile.sh --tools [--annotate]      is there what it needs? status 2 and one line if not
#
# The adaptive step makes two hotspots of one: forces, and the search for the nearest neighbour.
# One thread: gprof counts calls without locks, and a thread that waits for others is no work.
set -euo pipefail

die() { printf 'lab: %s\n' "$*" >&2; exit 2; }

help() {
  cat <<'END'
usage: ./lab profile PART [NAME] [--debug] [--annotate] [-n N]

  NAME        an implementation of the part (default: naive)
  --debug     the program as it is without optimisation
  --annotate  lines and instructions of the hottest function, by perf
  -n N        bodies (default: 1500; with --debug 500)

Optimised means -O2 here, whatever flags.txt says: -O3 merges and copies more functions, and gprof can name
only those that are left.
END
}

demand_tools() {
  local tool
  for tool in gprof objcopy nm; do
    command -v $tool >/dev/null || die "$tool is missing; install the package binutils"
  done
  $annotate || return 0
  command -v perf >/dev/null || die 'perf is missing; install the package linux-perf (Debian) or linux-tools-generic (Ubuntu)'
}

# --- running -----------------------------------------------------------------------------------

# Sets seconds, of the processor: the clock on the wall counts the neighbours' work, too.
timed_run() {  # ITERATIONS
  local TIMEFORMAT=%U status=0
  seconds=$({ time "$program" -n "$bodies" -i "$1" --vdt --threads 1 >run.txt 2>error.txt || touch failed; } 2>&1) || status=$?
  if [ -e failed ] || [ $status != 0 ]; then die "$part/$name stopped: $(tail -n 1 error.txt)"; fi
}

# On a terminal only, in one line that is written again.
show_step() { if [ -t 2 ]; then printf '\r\033[K%s' "$1" >&2; fi; }

# gprof looks a hundred times a second: below two seconds its shares are noise.
run_long_enough() {  # CPU_SECONDS
  iterations=4
  show_step "running $part/$name: how fast is it?"
  timed_run $iterations
  while [ "$iterations" -lt 100000 ] && awk "BEGIN { exit !($seconds < 0.3) }"; do
    iterations=$((iterations * 3))
    timed_run $iterations
  done
  iterations=$(awk "BEGIN { printf \"%d\", 1 + $1 * $iterations / $seconds }")
  show_step "running $part/$name: $iterations iterations, some $1 s"
  timed_run "$iterations"
  show_step ''
  [ -e gmon.out ] || die "$part/$name left no gmon.out: it was not built with -pg, or it did not end by itself"
}

# The compiler moves the body of an OpenMP loop into a function of its own, f._omp_fn.0, and splits
# others (f.part.0, f.isra.0). gprof ignores local symbols with a dot in their name, and gives their
# time to whatever function lies before them: update_bodies(), say. It takes every global one. So it
# is shown a copy of the program in which they are global; addresses stay the same.
run_gprof() {  # -> all.txt
  nm "$program" | awk '$2 == "t" && $3 ~ /\./ { print $3 }' >local_names
  objcopy --globalize-symbols=local_names "$program" readable_program
  gprof -p -b readable_program gmon.out >all.txt
}

# --- showing -----------------------------------------------------------------------------------

# The flat profile as "SELF_SECONDS <tab> CALLS <tab> FUNCTION". The columns of calls are empty for
# what was not compiled with -pg, and for the body of an OpenMP loop, which is a row with its function.
rows() {
  awk '
    /^ *[0-9.]+ +[0-9.]+ +[0-9.]+ / {
      has_calls = $4 ~ /^[0-9]+$/ && $5 ~ /^[0-9.]+$/
      calls = has_calls ? $4 : 0
      function_name = $0
      for (column = has_calls ? 6 : 3; column > 0; --column) sub(/^ *[^ ]+ +/, "", function_name)
      gsub(/ \[clone [^]]*\]/, "", function_name)
      self[function_name] += $3
      if (calls > most[function_name]) most[function_name] = calls
    }
    END { for (f in self) printf "%.2f\t%d\t%s\n", self[f], most[f], f }' all.txt |
    sort -t $'\t' -k 1,1nr -k 2,2nr | shorter_names
}

# std::vector<X, std::allocator<X> > is std::vector<X>; what a function template returns is left out.
# __powf_fma is the C library's powf for this processor; _init is how a program calls such functions.
shorter_names() {
  sed -e 's/std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >/std::string/g' \
    -e 's/, std::allocator<[^<>]*\(<[^<>]*>[^<>]*\)\{0,1\}> >/>/g' \
    -e 's/__gnu_cxx::__promote_[0-9]*<[^>]*>::__type //' \
    -e 's/(anonymous namespace):://g' \
    -e 's/\t__\([a-z0-9]*\)_\(fma4\{0,1\}\|avx2\|sse2\|sse4_1\)$/\t\1, of the C library/' \
    -e 's/\t_init$/\tcalling functions of the C library/'
}

show_rows() {  # ROWS_FILE
  awk -F '\t' -v iterations="$iterations" '
    { total += $1; row[NR] = $0 }
    END {
      printf "  %6s  %8s  %14s  %s\n", "share", "seconds", "calls an iter.", "function"
      for (i = 1; i <= NR && i <= 12; ++i) {
        split(row[i], field, "\t")
        share = 100 * field[1] / total
        if (i > 1 && share < 0.95) break
        calls = field[2] > 0 ? sprintf("%.0f", field[2] / iterations) : "-"
        printf "  %4.0f %%  %8.2f  %14s  %s\n", share, field[1], calls, field[3]
      }
      printf "  %6s  %8.2f\n", "all", total
    }' "$1"
}

say_what_it_means() {  # ROWS_FILE
  local again="./lab profile $part $name"
  if $debug; then
    cat <<END

Not optimised, each operator[] of a vector and each std::pow is a call, and weighs as much as the
physics around it. The optimiser removes them: compare with $again
END
    return
  fi
  awk -F '\t' '
    { total += $1 } NR == 1 { first = $1; name = $3 }
    END {
      share = first / total
      printf "\nIf %s\ncost nothing at all, the program would be ", name
      if (share < 0.99) printf "1 / (1 - %.2f) = %.1f times as fast:\n", share, 1 / (1 - share)
      else print "a hundred times as fast or more:"
      print "no work on it alone can bring more."
    }' "$1"
  cat <<END
gprof says in which function, not in which line; what the compiler inlined counts for its caller.
Lines: $again --annotate
END
}

show_profile() {
  local copy=$build/${part}_$name.gprof.txt
  run_gprof
  cp all.txt "$copy"
  rows >rows.txt
  if ! awk '{ total += $1 } END { exit !(total >= 0.1) }' rows.txt; then
    die "gprof saw nothing of $part/$name: more bodies (-n)"
  fi
  if $debug; then optimised='not optimised (-O0)'; else optimised='optimised (-O2)'; fi
  printf '%s/%s: %s bodies, %s iterations with the adaptive step, one thread, %s\n\n' \
    "$part" "$name" "$bodies" "$iterations" "$optimised"
  show_rows rows.txt
  say_what_it_means rows.txt
  printf 'The whole profile: %s\n' "${copy#"$root"/}"
}

# The hottest function line by line, without the lines that took no time.
show_lines() {
  perf record -q -o perf.data "$program" -n "$bodies" -i "$iterations" --vdt --threads 1 >run.txt 2>error.txt ||
    die "perf may not measure here: $(grep -v '^$' error.txt | head -n 1); try: sudo sysctl kernel.perf_event_paranoid=1"
  perf annotate -q --stdio -i perf.data >lines.txt 2>error.txt || true
  grep -q 'Source code & Disassembly' lines.txt || die "perf found nothing to show: $(head -n 1 error.txt)"
  awk '
    /Source code & Disassembly/ { if (seen++) exit; next }
    /^ *[0-9.]+ +: +[0-9a-f]+:/ {
      if ($1 < 1) next
      if (source != shown) { print "          " source; shown = source }
      instruction = $0
      sub(/^ *[0-9.]+ +: +[0-9a-f]+: */, "", instruction)
      printf "  %4.0f %%      %s\n", $1, instruction
      next
    }
    /^ *: *[0-9]+ / { text = $0; sub(/^ *: *[0-9]+ */, "", text); if (text != "") source = text }
    /Disassembly of section/ { next }
    /^ *: *[0-9]+ +[0-9a-f]+ <.*>:$/ {
      name = $0; sub(/^[^<]*</, "", name); sub(/>:$/, "", name); printf "%s\n\n", name; source = ""
    }' lines.txt
  cat <<END

The hottest function, by line of source and instruction; below 1 % is left out. A sample falls on
the instruction that waits: the slow one (a division, a root) is often the one before.
END
}

# --- main --------------------------------------------------------------------------------------

debug=false annotate=false bodies='' words=() tools_only=false
while [ $# -gt 0 ]; do
  case $1 in
    --debug) debug=true ;;
    --annotate) annotate=true ;;
    --tools) tools_only=true ;;
    -h | --help) help; exit 0 ;;
    -n) bodies=${2:-}; [[ $bodies =~ ^[1-9][0-9]{0,5}$ ]] || die "-n wants a number of bodies from 1 to 999999, not '$bodies'"; shift ;;
    -*) die "profile has no option '$1'; there are --debug, --annotate and -n N" ;;
    *) words+=("$1") ;;
  esac
  shift
done
demand_tools
if $tools_only; then exit 0; fi
part=${words[0]} name=${words[1]} build=${words[2]}
program=$build/bin/$part/$name
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
work=$build/gprof_work
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
cd "$work"
unset GMON_OUT_PREFIX
export LC_ALL=C
# Unoptimised code takes twenty times as long, and gprof does not see the time of its own counting.
if $debug; then run_long_enough_for=6; bodies=${bodies:-500}; else run_long_enough_for=3; bodies=${bodies:-1500}; fi
run_long_enough $run_long_enough_for
if $annotate; then show_lines; else show_profile; fi
