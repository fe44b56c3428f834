#!/usr/bin/env bash
# Kills a worker with -9 at fifty moments spread over its job: no clip may be lost or half visible, and the sweep must
# leave no blob that nothing refers to. The same with a process that learns what people like and keeps snapshots of it: the next one
# knows all that was acknowledged, and nothing twice. `make test` does both with six. Another number: CLIPFEED_KILLS=200.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
export CLIPFEED_KILLS=${CLIPFEED_KILLS:-50}
swift test --package-path server --filter KillTests 2>&1 | bash scripts/lib/progress.sh
