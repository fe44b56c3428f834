"""What idle live connections cost: resident memory of the server with none and with thousands of them, and how long one
event takes to reach them all. The connections are real, each of an account of its own."""

import argparse
import asyncio
import json
import os
import resource
import sqlite3
import sys
import tempfile
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "web/tests/browser"))
from load_seed import guest_token  # noqa: E402
from server import Server  # noqa: E402


def memory(pid):
    """Resident bytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024


class Connection:
    def __init__(self, viewer):
        self.viewer = viewer

    async def open(self, port, secret, number):
        # One address would be slowed down, and rightly so.
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port, limit=4096)
        self.writer.write(
            f"GET /api/v1/live HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: {address}\r\n"
            f"Authorization: Bearer {guest_token(self.viewer, secret)}\r\n\r\n".encode())
        await self.until(b"event: ready")

    async def until(self, text):
        while True:
            line = await self.reader.readline()
            if not line:
                raise ConnectionError("the stream has ended")
            if text in line:
                return


async def measure(count, server, database):
    keys = database.execute("SELECT value FROM settings WHERE name = 'guest_secret'").fetchone()[0]
    # The newest first, each with the time at which it was made (KeyRing).
    secret = keys.split()[0].split("@")[0]
    warm = [Connection(str(uuid.uuid4())) for _ in range(20)]
    for number, connection in enumerate(warm):
        await connection.open(server.port, secret, number)
    await asyncio.sleep(2)
    before = memory(server.pid)
    connections = [Connection(str(uuid.uuid4())) for _ in range(count)]
    began = time.monotonic()
    for start in range(0, count, 100):
        await asyncio.gather(*(
            connection.open(server.port, secret, 100 + start + place)
            for place, connection in enumerate(connections[start:start + 100])))
    opened = time.monotonic() - began
    # Two signs of life, so that what they need is there too.
    await asyncio.sleep(45)
    after = memory(server.pid)
    cpu = Path(f"/proc/{server.pid}/stat").read_text().rsplit(")", 1)[1].split()
    ticks = int(cpu[11]) + int(cpu[12])
    await asyncio.sleep(20)
    cpu = Path(f"/proc/{server.pid}/stat").read_text().rsplit(")", 1)[1].split()
    busy = (int(cpu[11]) + int(cpu[12]) - ticks) / os.sysconf("SC_CLK_TCK") / 20
    # One event for each, written behind the server's back: it has to find them by looking.
    now = int(time.time() * 1000)
    rows = [
        (c.viewer, f"{now >> 16:08x}-{now & 0xffff:04x}-7000-8000-{place:012x}", "x", "like", "somebody", "c", now)
        for place, c in enumerate(connections)]
    heard = [asyncio.create_task(connection.until(b"event: like")) for connection in connections]
    began = time.monotonic()
    with database:
        database.executemany(
            "INSERT INTO live_events (account, id, about, kind, actor_id, clip_id, created_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?)",
            rows)
    await asyncio.gather(*heard)
    return {
        "connections": count, "opened_per_second": round(count / opened), "before_bytes": before,
        "bytes_per_connection": round((after - before) / count), "processor_idle": round(busy, 4),
        "all_heard_seconds": round(time.monotonic() - began, 2), "after_event_bytes": memory(server.pid)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--connections", type=int, default=5000)
    parser.add_argument("--limit", type=int, default=48 * 1024, help="bytes of a connection that fail the run")
    options = parser.parse_args()
    need = options.connections + 200
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(need, 8192)), hard))
    if hard < need:
        sys.exit(f"{need} descriptors are needed, {hard} are allowed (ulimit -Hn)")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "var", environment={"CLIPFEED_PROXIES": "1"})
        try:
            database = sqlite3.connect(Path(folder) / "var" / "clipfeed.sqlite", timeout=30)
            figures = asyncio.run(measure(options.connections, server, database))
        finally:
            server.stop()
    print(json.dumps(figures, indent=1))
    if figures["bytes_per_connection"] > options.limit:
        sys.exit(f"a connection holds {figures['bytes_per_connection']} bytes, more than {options.limit}")


main()
