#!/usr/bin/env bash
# Simulated people on simulated links under all policies: tables on standard output, a plot of the first
# person's session for each link and policy in simulator/out. Options are handed on (scripts/sim.sh --help).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
swift build -c release --package-path simulator --product simulate 2>&1 | bash scripts/lib/progress.sh >&2
simulate=simulator/.build/release/simulate
[ $# -eq 0 ] || exec "$simulate" "$@"
exec "$simulate" --people 40 --minutes 3 --plots simulator/out
