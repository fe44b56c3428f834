#!/usr/bin/env bash
# Bytes, round trips and time from opening the page to the first moving frame.
# See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/built.sh
. scripts/lib/python.sh
exec "$python" benchmarks/start.py "$@"
