#!/usr/bin/env bash
# Draws the iPhone app's icon anew: our own picture, made by ios/Tools/Sources/IconDrawing.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
swift run --package-path ios/Tools -c release IconDrawing ios/App/Clipfeed/Assets.xcassets/AppIcon.appiconset
