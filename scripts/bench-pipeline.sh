#!/usr/bin/env bash
# Seconds per clip through the pipeline against the plain ffmpeg command.
# See benchmarks/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/built.sh
. scripts/lib/python.sh
exec "$python" benchmarks/pipeline.py "$@"
