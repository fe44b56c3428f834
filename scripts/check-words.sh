#!/usr/bin/env bash
# Holds the web client's sentences in other languages (web/words) to those in its code, and finds English that nothing puts into another
# language; exceptions stand in scripts/words.txt (docs/design/words.md).
set -euo pipefail
cd "$(dirname "$0")/.."
node scripts/lib/words.mjs
