#!/usr/bin/env bash
# What 5,000 idle live connections cost in memory, and how soon an event reaches them all. See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/built.sh
. scripts/lib/python.sh
exec "$python" benchmarks/live.py "$@"
