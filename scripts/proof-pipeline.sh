#!/usr/bin/env bash
# What becomes of clips, picture by picture and second by second: colours, loudness, sync, metadata, sources of every structure
# and format, and other people's players. make test asks what publishes, refuses and closes; whoever changes the pipeline asks
# this as well.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/swift.sh
. scripts/lib/packages.sh
. scripts/lib/server-tests.sh
need_packages "${run_packages[@]}" "${test_packages[@]}"
. scripts/lib/temporary.sh
swift build --build-tests --package-path server 2>&1 | bash scripts/lib/progress.sh
bash scripts/lib/postgres-server.sh bash scripts/lib/redis-server.sh "${server_tests[@]}" --filter "$of_pipeline" 2>&1 |
  bash scripts/lib/progress.sh
