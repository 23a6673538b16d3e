#!/usr/bin/env bash
# One line for one step of ./lab, with Ninja's own progress while it lasts: rewritten in place on a
# terminal, elsewhere a line every ten seconds. What the step prints goes to a log. Sourced by lab.
#
#   building part1 ... 12/40, about 20 s left

seconds_between_lines=10

# Ninja's counts, "[12/40] Building ...", as words: what is left is guessed from how fast it went so far.
words_of_step() {  # LINE SECONDS_SO_FAR
  local line=$1 seconds=$2 finished all
  if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
    finished=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    if [ "$finished" -gt 0 ] && [ "$seconds" -gt 1 ]; then
      printf '%s/%s, about %s s left' "$finished" "$all" $((seconds * (all - finished) / finished + 1))
    else
      printf '%s/%s' "$finished" "$all"
    fi
  else
    printf '%s s so far' "$seconds"
  fi
}

# Reads what a step prints.
show_steps() {  # LABEL
  local label=$1 start=$SECONDS shown=$SECONDS wait=$seconds_between_lines last='' line status
  if [ -t 2 ]; then wait=1; fi
  while true; do
    status=0
    IFS= read -r -t "$wait" line || status=$?
    case $line in '['*/*']'*) last=$line ;; esac
    # Over 128: nothing was said in that time. Otherwise it is the end.
    if [ $status != 0 ] && [ $status -le 128 ]; then break; fi
    if [ -t 2 ]; then
      printf '\r\033[K%s ... %s' "$label" "$(words_of_step "$last" $((SECONDS - start)))" >&2
    elif [ $((SECONDS - shown)) -ge "$wait" ]; then
      shown=$SECONDS
      printf '%s ... %s\n' "$label" "$(words_of_step "$last" $((SECONDS - start)))" >&2
    fi
  done
  cat >/dev/null  # bash 3 takes a pause for the end
}

# Root and log are the caller's.
# shellcheck disable=SC2154
progress() {  # LABEL COMMAND...
  local label=$1 start=$SECONDS erase=''
  local -a statuses
  shift
  if [ -t 2 ]; then printf '%s ...' "$label" >&2; erase=$'\r\033[K'; fi
  # A pipe's status is its last command's, so all of them are asked.
  set +e
  (cd "$root" && NINJA_STATUS='[%f/%t] ' exec "$@") 2>&1 </dev/null | tee "$log" | show_steps "$label"
  statuses=("${PIPESTATUS[@]}")
  set -e
  if [ "${statuses[0]}" != 0 ]; then
    printf '%s%s ... failed\n' "$erase" "$label" >&2
  elif grep -q 'ninja: no work to do' "$log"; then
    printf '%s' "$erase" >&2
  else
    printf '%s%s ... %s s\n' "$erase" "$label" $((SECONDS - start)) >&2
  fi
  return "${statuses[0]}"
}
