#!/usr/bin/env bash
# The real server against clients that others wrote, over hostile links. Builds nothing.
# Arguments go to pytest. CLIPFEED_PROOF=full takes a file of 50 MB and cuts it twenty times, and asks what is wrong of both
# database engines.
# Two at a time, a file each: a client mostly waits. Proofs have the machine for themselves.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib/built.sh
. scripts/lib/temporary.sh
. scripts/lib/python.sh
[ -n "${CLIPFEED_PROOF:-}" ] || set -- -n 2 --dist loadfile "$@"
bash scripts/lib/postgres-server.sh bash scripts/lib/redis-server.sh \
  "$python" -m pytest -q -p no:cacheprovider server/Tests/WireTests "$@"
