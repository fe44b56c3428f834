#!/usr/bin/env bash
# The server as people run it, whatever the optimizer made of it: over the wire, in real browsers, and under the iPhone's Kit.
# `make test` asks the same of the build for debugging.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/packages.sh
need_packages "${run_packages[@]}" "${test_packages[@]}"
. scripts/lib/optimized.sh
[ -f web/core.wasm ] || bash scripts/build-wasm.sh
bash scripts/wire-tests.sh
CLIPFEED_PROOF=browser bash scripts/e2e.sh
bash scripts/ios-journeys.sh
