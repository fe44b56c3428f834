#!/usr/bin/env bash
# Runs a command beside a real Redis on a free port of loopback, in a folder of its own, gone when the command has
# ended.   bash scripts/lib/redis-server.sh COMMAND…
#
# The command finds CLIPFEED_TEST_REDIS in its environment: the address, redis://127.0.0.1:PORT.
set -euo pipefail
[ $# -gt 0 ] || { echo "redis-server.sh: say which command to run beside the server" >&2; exit 2; }
command -v redis-server >/dev/null || { echo "redis-server.sh: redis-server is missing; make test installs it" >&2; exit 1; }

home=$(mktemp -d "${TMPDIR:-/tmp}/clipfeed-redis.XXXXXX")
server=
stop() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$home"
}
trap stop EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

# Another program may take the port between the look and the start: then with another.
for ((tries = 0; ; tries++)); do
  port=$(/usr/bin/python3 -c '
import socket
with socket.socket() as one:
    one.bind(("127.0.0.1", 0))
    print(one.getsockname()[1])')
  redis-server --bind 127.0.0.1 --port "$port" --dir "$home" --save '' --appendonly no >"$home/log" 2>&1 &
  server=$!
  for ((looks = 0; looks < 300; looks++)); do
    redis-cli -h 127.0.0.1 -p "$port" ping 2>/dev/null | grep -q PONG && break 2
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  [ "$tries" -lt 3 ] || { echo "redis-server.sh: Redis did not start:" >&2; tail -n 20 "$home/log" >&2; exit 1; }
  kill "$server" 2>/dev/null || true
done
export CLIPFEED_TEST_REDIS=redis://127.0.0.1:$port
# Not exec: the server is stopped after it.
"$@"
