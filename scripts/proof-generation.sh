#!/usr/bin/env bash
# Clips from words, with vendors that are played: server and worker killed with -9 a hundred times at every step of a job, 500 jobs
# of 50 people at a vendor that takes four at a time and fails a third, and keys looked for wherever they must not be. Against the
# newest build; an hour or so. Other numbers: --kills N --people N --each N --seed N, --parts kills, --keep DIR.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/packages.sh
need_packages ffmpeg
. scripts/lib/built.sh
exec python3 benchmarks/generation_proof.py "$@"
