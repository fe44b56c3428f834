#!/usr/bin/env bash
# Bytes and likeness of each rendition against one of a fixed bit rate.
# See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/built.sh
. scripts/lib/python.sh
exec "$python" benchmarks/ladder.py "$@"
