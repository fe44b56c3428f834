#!/usr/bin/env bash
# Clips made by machine through the real pipeline: 200 of all kinds, and lengths from 0.1 to 3 s at every rate with
# and without sound. None may be refused that ffmpeg plays whole. `make test` does the same with thirty of them.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
export CLIPFEED_CLIPS=all
swift test --package-path server --filter 'GoodClipTests|SourceStructureTests' 2>&1 | bash scripts/lib/progress.sh
