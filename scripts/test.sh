#!/usr/bin/env bash
# Checks and tests, the ones in a real browser too. What CI runs. Proofs that take longer have targets of their own.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/packages.sh
. scripts/lib/server-tests.sh

need_packages "${run_packages[@]}" "${test_packages[@]}"
. scripts/lib/temporary.sh
. scripts/lib/beside.sh
step() { look_beside && begin_stage "$1" && printf '\n=== %s (%d s so far)\n' "$1" "$SECONDS"; }

# Two processors, and stages that keep one of them busy or none: builds take what the stage in front leaves. Every test runs in
# front, and one at a time.
# One build for all that follows, with the checks of debugging. What the optimizer makes of it: make proof-optimized.
beside "server and its tests" swift build --build-tests --package-path server
# Checks work on one thing at a time, so a processor is left for longer than the server takes.
behind "server and its tests" "iPhone app" bash scripts/ios.sh --checks
step "what needs no server"
bash scripts/check.sh --but-server
await "server and its tests"

export CLIPFEED_SERVER=server/.build/debug/clipfeed
step "uploads by other people's clients"
bash scripts/wire-tests.sh
step "browser"
bash scripts/e2e.sh

# Stores are tested on SQLite and on PostgreSQL.
step "server: storage, beside an S3 server and PostgreSQL"
# By themselves: a storage that has to wait for the processor while ffmpeg works looks like one that is down.
bash scripts/lib/s3-server.sh bash scripts/lib/postgres-server.sh "${server_tests[@]}" --filter "$beside_storage" 2>&1 |
  bash scripts/lib/progress.sh
step "server: tests of modules by themselves"
"${server_tests[@]}" --skip "$beside_servers" 2>&1 | bash scripts/lib/progress.sh
step "server: end to end, beside PostgreSQL and Redis"
bash scripts/lib/postgres-server.sh bash scripts/lib/redis-server.sh \
  "${server_tests[@]}" --filter "$beside_servers" --skip "$beside_storage" --skip "$of_pipeline" 2>&1 |
  bash scripts/lib/progress.sh
await "iPhone app"
step "iPhone app: tests"
bash scripts/ios.sh --tests
step "iPhone app: journeys"
bash scripts/ios-journeys.sh
step "everything passed"
