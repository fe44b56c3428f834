#!/usr/bin/env bash
# Time from a fresh clone to the first moving frame by `make run`. See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/python.sh
exec "$python" benchmarks/fresh.py
