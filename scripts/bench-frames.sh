#!/usr/bin/env bash
# How evenly frames come while clips are swiped, comments open and a profile scrolls, beside a bare page that moves alike;
# --quick for a smoke run. See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/built.sh
. scripts/lib/python.sh
exec "$python" benchmarks/frames.py "$@"
