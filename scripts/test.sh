#!/usr/bin/env bash
# All checks and tests, the ones in a real browser too. What CI runs.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/packages.sh
. scripts/lib/server-tests.sh

need_packages "${run_packages[@]}" "${test_packages[@]}"
. scripts/lib/temporary.sh
step() { printf '\n=== %s (%d s so far)\n' "$1" "$SECONDS"; }

# It builds the server's tests, and runs those of modules by themselves.
bash scripts/check.sh
step "iPhone app"
bash scripts/ios.sh
tests=(swift test --skip-build --package-path server)
# Stores are tested on SQLite and on PostgreSQL.
step "server: storage, beside an S3 server and PostgreSQL"
# By themselves: a storage that has to wait for the processor while ffmpeg works looks like one that is down.
bash scripts/lib/s3-server.sh bash scripts/lib/postgres-server.sh "${tests[@]}" --filter "$beside_storage" 2>&1 |
  bash scripts/lib/progress.sh
step "server: end to end, beside PostgreSQL and Redis"
bash scripts/lib/postgres-server.sh bash scripts/lib/redis-server.sh \
  "${tests[@]}" --filter "$beside_servers" --skip "$beside_storage" 2>&1 | bash scripts/lib/progress.sh
# As people run it: what the optimizer makes of it is what must hold, over the wire and in the browser.
step "server: optimized"
swift build -c release --package-path server --product clipfeed 2>&1 | bash scripts/lib/progress.sh
touch server/.build/release/clipfeed
step "iPhone app: journeys"
bash scripts/ios-journeys.sh
step "uploads by other people's clients"
bash scripts/wire-tests.sh
step "browser"
bash scripts/e2e.sh
step "everything passed"
