#!/usr/bin/env bash
# The iPhone's host beside a plain pool of three players on the server's own HLS: the same person, feed and shaped link, one
# after the other. Fails where the host waits longer than a third of the pool's p95 on 3G, or brings more bytes for nothing.
# Options: --link wifi|4g|3g|dying|all, --swipes N, --seed N, --pace X.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/phone-server.sh
"$phone" compare --server "$url" --data "$temporary/phone" --swipes 60 "$@"
