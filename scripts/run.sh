#!/usr/bin/env bash
# From a fresh clone to a running feed: packages, core.wasm, server, demo clips. Each step is
# skipped when there is nothing to do. CLIPFEED_PORT and CLIPFEED_DATA change port and data folder.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/packages.sh

# Whether a product is missing or older than what it is made of.
is_stale() { # product, sources…
  local product=$1
  shift
  [ ! -f "$product" ] || [ -n "$(find "$@" -newer "$product" -print -quit)" ]
}

need_packages "${run_packages[@]}"
if is_stale web/core.wasm core/Sources scripts/build-wasm.sh || [ ! -f web/studio.wasm ] || [ ! -f web/upload.wasm ] || [ ! -f web/activity.wasm ]; then
  echo "Building the core for the browser (half a minute)…"
  bash scripts/build-wasm.sh
fi
bash scripts/web-shell.sh
server=server/.build/release/clipfeed
if is_stale $server {server,contract,core,ranking}/{Package.swift,Sources}; then
  echo "Building the server (seven minutes the first time on two cores)…"
  swift build --package-path server -c release --product clipfeed 2>&1 | bash scripts/lib/progress.sh
  touch $server
fi
exec $server serve --data "${CLIPFEED_DATA:-var}" --web web \
  --host 127.0.0.1 --port "${CLIPFEED_PORT:-8080}" --demo
