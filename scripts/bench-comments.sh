#!/usr/bin/env bash
# How long comments take on both databases under a clip that has few and one that has many. See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/packages.sh
need_packages wrk postgresql-15
. scripts/lib/swift.sh
if [ -z "${CLIPFEED_SERVER:-}" ]; then
  swift build --package-path server -c release --product clipfeed 2>&1 | bash scripts/lib/progress.sh >&2
  export CLIPFEED_SERVER=server/.build/release/clipfeed
fi
exec python3 benchmarks/comments.py "$@"
