"""A link that does to a connection what bad networks do: cuts it, stalls it, slows it, sends its bytes twice."""

import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass

PIECE = 16_384


@dataclass
class Fault:
    """What happens to one connection once so many bytes went up on it, or since its last fault."""
    after: int
    # "cut": nothing more arrives; "stall": nothing for a while; "slow": from then on; "twice": once it has ended, all
    # of its bytes come again on a connection of their own.
    kind: str = "cut"


class HostileLink:
    """Passes connections on to a port of this machine. `faults` are used up in their order, by whichever connection
    first has carried enough for the next one."""

    def __init__(self, port, faults=()):
        self.target = port
        self.faults = list(faults)
        self.bytes_up = 0
        self.cuts = 0
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def close(self):
        self._listener.close()

    def _accept(self):
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client):
        try:
            server = socket.create_connection(("127.0.0.1", self.target), timeout=30)
        except OSError:
            # The server is down: that is what the client sees too.
            client.close()
            return
        down = threading.Thread(target=self._down, args=(server, client), daemon=True)
        down.start()
        self._up(client, server, down)
        for end in (client, server):
            with suppress(OSError):
                end.close()

    def _down(self, server, client):
        with suppress(OSError):
            while piece := server.recv(65_536):
                client.sendall(piece)
            client.shutdown(socket.SHUT_WR)

    def _up(self, client, server, down):
        gone, since, slow, twice, kept = 0, 0, False, False, []
        with suppress(OSError):
            while piece := client.recv(PIECE):
                fault = None
                with self._lock:
                    self.bytes_up += len(piece)
                    if self.faults and gone - since + len(piece) > self.faults[0].after:
                        fault = self.faults.pop(0)
                        self.cuts += fault.kind == "cut"
                if fault:
                    if fault.kind == "cut":
                        server.sendall(piece[: max(0, fault.after + since - gone)])
                        return
                    if fault.kind == "stall":
                        time.sleep(1.5)
                    slow = slow or fault.kind == "slow"
                    twice = twice or fault.kind == "twice"
                    since = gone
                if slow:
                    time.sleep(len(piece) / 2_000_000)
                server.sendall(piece)
                kept.append(piece)
                gone += len(piece)
            server.shutdown(socket.SHUT_WR)
        down.join(30)
        if twice:
            self._again(b"".join(kept))

    def _again(self, request):
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.target), timeout=30) as server:
            server.sendall(request)
            server.shutdown(socket.SHUT_WR)
            while server.recv(65_536):
                pass
