#!/usr/bin/env bash
# From a fresh clone to a running feed: packages, core.wasm, server, demo clips. Each step is
# skipped when there is nothing to do. CLIPFEED_PORT and CLIPFEED_DATA change port and data folder.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/packages.sh

need_packages "${run_packages[@]}"
if [ ! -f web/core.wasm ] || [ -n "$(find core/Sources scripts/build-wasm.sh -newer web/core.wasm -print -quit)" ]; then
  echo "Building the core for the browser (half a minute)…"
  bash scripts/build-wasm.sh
fi
if [ -x server/.build/release/clipfeed ]; then
  echo "Building what has changed in the server…"
else
  echo "Building the server (some minutes the first time)…"
fi
swift build --package-path server -c release --product clipfeed 2>&1 | bash scripts/lib/progress.sh
exec server/.build/release/clipfeed serve --data "${CLIPFEED_DATA:-var}" --web web \
  --host 127.0.0.1 --port "${CLIPFEED_PORT:-8080}" --demo
