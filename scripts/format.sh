#!/usr/bin/env bash
# Formats all Swift sources in place, by .swift-format.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
git ls-files -co --exclude-standard '*.swift' | xargs swift format --in-place --parallel
