#!/usr/bin/env bash
# How long profiles, inboxes, conversations and notifications take on both databases among few rows and among many, and what it
# takes when somebody with 100,000 followers publishes. See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/packages.sh
need_packages wrk postgresql-15 ffmpeg
. scripts/lib/swift.sh
. scripts/lib/optimized.sh
exec python3 benchmarks/people.py "$@"
