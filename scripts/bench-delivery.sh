#!/usr/bin/env bash
# Ranges of media per second against nginx on the same files.
# See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/packages.sh
need_packages wrk nginx
. scripts/lib/built.sh
. scripts/lib/python.sh
exec "$python" benchmarks/delivery.py "$@"
