#!/usr/bin/env bash
# Tries numbers of the product's objective out on simulated people, and looks for better ones. Options are handed
# on (scripts/fit.sh --help).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
swift build -c release --package-path simulator --product fit 2>&1 | bash scripts/lib/progress.sh >&2
fit=simulator/.build/release/fit
[ $# -eq 0 ] || exec "$fit" "$@"
exec "$fit" --vary variation --vary outage --vary outageShare --vary switchPrice
