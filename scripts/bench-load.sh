#!/usr/bin/env bash
# Requests a second and their times on both databases with few and with many clips, against Hummingbird's own hello.
# See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/packages.sh
need_packages wrk postgresql-15
. scripts/lib/swift.sh
swift build --package-path benchmarks/hello -c release --product hello 2>&1 | bash scripts/lib/progress.sh >&2
. scripts/lib/optimized.sh
exec python3 benchmarks/load.py "$@"
