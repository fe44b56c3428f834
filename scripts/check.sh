#!/usr/bin/env bash
# What needs neither server, browser nor ffmpeg: for the hand, again and again. `make test` begins with it.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/temporary.sh
step() { printf '\n=== %s (%d s so far)\n' "$1" "$SECONDS"; }

step "core.wasm"
bash scripts/build-wasm.sh
step "lint"
bash scripts/lint.sh
# Optimised, since a decision on a download plays out hundreds of futures.
for package in core simulator; do
  step "$package: tests"
  swift test -c release --package-path "$package" 2>&1 | bash scripts/lib/progress.sh
done
step "contract: tests"
swift test --package-path contract 2>&1 | bash scripts/lib/progress.sh
step "core.wasm and web modules in Node"
node --test web/tests/*.test.mjs
