#!/usr/bin/env bash
# Is a long step shown while it lasts, and is its status its own?
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
log=$root/log
# shellcheck source=common/setup/progress.sh
. "$here/progress.sh"
bad=0
complain() { echo "FAILED: $*"; sed 's/^/  | /' "$root/said"; bad=1; }
expect() { grep -qE -- "$1" "$root/said" || complain "no line like '$1'"; }
expect_not() { if grep -qE -- "$1" "$root/said"; then complain "a line like '$1'"; fi; }
step() { status=0; progress "$@" 2>"$root/said" || status=$?; }

seconds_between_lines=1

step working bash -c 'echo "[1/4] one"; echo "[2/4] two"; sleep 3.5; echo "[4/4] four"'
[ $status = 0 ] || complain "status $status"
expect '^working \.\.\. 2/4, about [234] s left$'
expect '^working \.\.\. [34] s$'
[ "$(grep -c . "$log")" = 3 ] || complain 'the log has not all that was printed'

# Without Ninja's counts, the time.
step configuring bash -c 'sleep 2.5'
expect '^configuring \.\.\. [12] s so far$'

step short bash -c 'echo "[1/1] all"'
expect_not 'left|so far'
expect '^short \.\.\. [01] s$'

step failing bash -c 'echo "[1/2] one"; echo "FAILED: two"; exit 3'
[ $status = 3 ] || complain "status $status, not 3"
expect '^failing \.\.\. failed$'

step idle echo 'ninja: no work to do.'
[ ! -s "$root/said" ] || complain 'nothing was done, and something said'

# On a terminal one line is rewritten, and nothing stays of a step that had nothing to do.
if command -v script >/dev/null; then
  printf '. %q\nroot=%q log=%q\nprogress working bash -c '\''echo "[1/4] one"; sleep 2.5'\''\n' \
    "$here/progress.sh" "$root" "$log" >"$root/on_terminal"
  script -qec "bash $root/on_terminal" /dev/null </dev/null | tr '\r' '\n' >"$root/said"
  expect 'working \.\.\. 1/4, about [0-9]+ s left$'
  [ "$(tr -d '\n' <"$root/said" | grep -c .)" = 1 ] || complain 'no single line'
fi
exit $bad
