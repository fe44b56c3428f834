#!/usr/bin/env bash
# Seconds for an upload of 50 MB against a PUT to nginx, and the server's memory with 200 at once.
# See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/packages.sh
need_packages nginx
. scripts/lib/built.sh
. scripts/lib/python.sh
exec "$python" benchmarks/uploads.py "$@"
