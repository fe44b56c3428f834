#!/usr/bin/env bash
# Simulated people with hidden tastes under several rankers, and a ring of accounts that pushes a clip: tables on standard output.
# Options are handed on (scripts/sim-ranking.sh --help). See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
swift build -c release --package-path ranking --product rank-sim 2>&1 | bash scripts/lib/progress.sh >&2
exec ranking/.build/release/rank-sim "$@"
