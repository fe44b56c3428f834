#!/usr/bin/env bash
# How long a search takes on both databases with few and with many clips. See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/packages.sh
need_packages wrk postgresql-15
. scripts/lib/swift.sh
. scripts/lib/optimized.sh
exec python3 benchmarks/search.py "$@"
