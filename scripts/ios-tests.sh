#!/usr/bin/env bash
# The tests of the Kit's targets that import no framework of Apple's, but those that need a server (ios-journeys.sh).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/temporary.sh
swift test --package-path ios/Kit --skip JourneyTests "$@"
