#!/usr/bin/env bash
# What needs neither server, browser nor ffmpeg: for the hand, again and again. `make test` begins with it, without its last
# step (--but-server), since it builds the server's tests beside others.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/packages.sh
. scripts/lib/server-tests.sh
need_packages "${build_packages[@]}"
. scripts/lib/temporary.sh
step() { begin_stage "$1" && printf '\n=== %s (%d s so far)\n' "$1" "$SECONDS"; }

step "core.wasm"
bash scripts/build-wasm.sh
step "lint"
bash scripts/lint.sh
# Optimised, since a decision on a download plays out hundreds of futures.
for package in core simulator; do
  step "$package: tests"
  swift test -c release --package-path "$package" 2>&1 | bash scripts/lib/progress.sh
done
step "ranking: tests"
swift test --package-path ranking 2>&1 | bash scripts/lib/progress.sh
step "contract: tests"
swift test --package-path contract 2>&1 | bash scripts/lib/progress.sh
step "core.wasm and web modules in Node"
node --test web/tests/*.test.mjs
[ "${1:-}" != --but-server ] || exit 0
step "server: tests of modules by themselves"
swift build --build-tests --package-path server 2>&1 | bash scripts/lib/progress.sh
"${server_tests[@]}" --skip "$beside_servers" 2>&1 | bash scripts/lib/progress.sh
