#!/usr/bin/env bash
# How long comments take on both databases under a clip that has few and one that has many. See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/packages.sh
need_packages wrk postgresql-15
. scripts/lib/swift.sh
. scripts/lib/optimized.sh
exec python3 benchmarks/comments.py "$@"
