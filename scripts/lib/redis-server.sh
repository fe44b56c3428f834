#!/usr/bin/env bash
# Runs a command beside a real Redis on a free port of loopback, in a folder of its own, gone when the command has
# ended.   bash scripts/lib/redis-server.sh COMMAND…
#
# The command finds CLIPFEED_TEST_REDIS in its environment: the address, redis://127.0.0.1:PORT.
set -euo pipefail
[ $# -gt 0 ] || { echo "redis-server.sh: say which command to run beside the server" >&2; exit 2; }
command -v redis-server >/dev/null || { echo "redis-server.sh: redis-server is missing; make test installs it" >&2; exit 1; }

. "$(dirname "${BASH_SOURCE[0]}")/held-ports.sh"

home=$(mktemp -d "${TMPDIR:-/tmp}/clipfeed-redis.XXXXXX")
server=
stop() {
  kill ${server:+"$server"} ${HOLDER_PID:+"$HOLDER_PID"} 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$home"
}
trap stop EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

hold_ports 1
port=${held_ports[0]}
redis-server --bind 127.0.0.1 --port "$port" --dir "$home" --save '' --appendonly no >"$home/log" 2>&1 &
server=$!
for ((looks = 0; ; looks++)); do
  redis-cli -h 127.0.0.1 -p "$port" ping 2>/dev/null | grep -q PONG && break
  kill -0 "$server" 2>/dev/null && [ "$looks" -lt 300 ] && { sleep 0.1; continue; }
  echo "redis-server.sh: Redis did not start:" >&2
  tail -n 20 "$home/log" >&2
  exit 1
done
export CLIPFEED_TEST_REDIS=redis://127.0.0.1:$port
# Not exec: the server is stopped after it.
"$@"
