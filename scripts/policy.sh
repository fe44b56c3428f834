#!/usr/bin/env bash
# Builds clipfeed-policy, which answers an outside simulator's questions; its path is the last line.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
swift build -c release --package-path simulator --product clipfeed-policy 2>&1 | bash scripts/lib/progress.sh
echo "$PWD/simulator/.build/release/clipfeed-policy"
