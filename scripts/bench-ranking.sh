#!/usr/bin/env bash
# Processor time of an impression and of a page over a made-up catalogue: bench-ranking.sh [CLIPS [VIEWERS]].
# See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
swift build -c release --package-path ranking --product rank-bench 2>&1 | bash scripts/lib/progress.sh >&2
exec ranking/.build/release/rank-bench "$@"
