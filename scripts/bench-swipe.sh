#!/usr/bin/env bash
# Swipe to first frame, stalls, waste and quality on shaped links; --quick for a smoke run.
# See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/built.sh
. scripts/lib/python.sh
exec "$python" benchmarks/swipe.py "$@"
