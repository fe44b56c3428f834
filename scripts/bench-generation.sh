#!/usr/bin/env bash
# Clips from words: what we add to a vendor's own time, the error of the forecast, memory with 10,000 that wait, and how many one
# worker asks after in a second. See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/packages.sh
need_packages ffmpeg
. scripts/lib/swift.sh
. scripts/lib/optimized.sh
exec python3 benchmarks/generation.py "$@"
