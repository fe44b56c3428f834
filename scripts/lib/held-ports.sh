# Free ports of loopback that nobody else gets: held to the end, bound and not listening, which leaves them to a server that says
# SO_REUSEADDR, as servers do, and to it alone.   . scripts/lib/held-ports.sh; hold_ports COUNT; … "${held_ports[@]}"
#
# $HOLDER_PID holds them. Whoever waits for all its children ends it first.
# shellcheck shell=bash
hold_ports() {
  coproc HOLDER { exec /usr/bin/python3 -c '
import socket, sys
held = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in held:
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in held), flush=True)
sys.stdin.read()' "$1"; }
  read -ra held_ports <&"${HOLDER[0]}"
}
