#!/usr/bin/env bash
# The worst requests that are known, one at a time, while the server tells what held an event loop or its database; then two hundred
# clients who mean harm beside ten honest people. Against the newest build: make it a release build first.
# --minutes N: of the attack (10); the quiet before it takes half as long. CLIPFEED_ATTACK_ONLY=guesses,long_heads: of these kinds alone.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = --minutes ]; then
  export CLIPFEED_ATTACK_MINUTES=$2
  shift 2
fi
CLIPFEED_PROOF=attack exec bash scripts/wire-tests.sh -k "holds or attack" -s "$@"
