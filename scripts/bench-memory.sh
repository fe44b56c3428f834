#!/usr/bin/env bash
# What the page holds after 100, 500 and 1,000 swipes; fails where that grows or exceeds its limit.
# See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/built.sh
. scripts/lib/python.sh
exec "$python" benchmarks/memory.py "$@"
