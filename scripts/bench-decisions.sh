#!/usr/bin/env bash
# How long the core takes to decide on a download: as WebAssembly in Node, and natively in the simulator.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f web/core.wasm ] || bash scripts/build-wasm.sh >&2
node benchmarks/decisions.mjs "$@"
people=12
[ "${1:-}" != --quick ] || people=1
echo
bash scripts/sim.sh --policy ours --people "$people" --jobs 1 | tail -1
