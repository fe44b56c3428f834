"""Uploads: seconds for 50 MB beside a plain PUT to nginx, and the server's memory with 200 uploads on their way.

Our way is the whole of it: made, sent in parts of 16 MiB, committed, which reads the bytes again for their hash and waits
for the disk. nginx takes the same bytes in one request and writes them to its own folder."""

import argparse
import asyncio
import hashlib
import json
import os
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from common import CACHE, SERVER_PROGRAM, table
from delivery import Nginx, Ours, cpu_seconds

PART = 16 << 20
PIECE = 1 << 20
UPLOADS = 200


def body(size, seed):
    """Bytes that pass for an MP4 as far as its first box, another file for each seed."""
    return (b"\0\0\0\x18ftypmp42" + seed.to_bytes(8, "big") + os.urandom(1 << 20) * (size >> 20))[:size]


def request(connection, method, path, content=None, **headers):
    connection.request(method, path, content, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status >= 300:
        raise SystemExit(f"{method} {path}: {answer.status} {text[:300]}")
    return json.loads(text) if text else None


def make(connection, size, digest, person):
    new = {"size_bytes": size, "sha256": digest, "type": "video/mp4", "details": {}}
    return request(
        connection, "POST", "/api/v1/uploads", json.dumps(new), Content_Type="application/json",
        Idempotency_Key=f"{person:032x}", X_Forwarded_For=f"10.0.{person // 250}.{person % 250}")["id"]


def ours(connection, content, seed):
    """Seconds until the last byte was taken, and until the upload is proven and a clip."""
    digest = hashlib.sha256(content).hexdigest()
    began = time.monotonic()
    upload = make(connection, len(content), digest, seed)
    for offset in range(0, len(content), PART):
        request(connection, "PATCH", f"/api/v1/uploads/{upload}", content[offset:offset + PART],
                Content_Type="application/offset+octet-stream", Upload_Offset=str(offset))
    sent = time.monotonic()
    request(connection, "POST", f"/api/v1/uploads/{upload}/commit", "")
    return sent - began, time.monotonic() - began


def theirs(connection, content, seed):
    began = time.monotonic()
    request(connection, "PUT", f"/media/{seed}.mp4", content)
    return (time.monotonic() - began,)


def throughput(server, nginx, runs):
    spent = {"sent": [], "whole": [], "nginx": [], "cpu": [], "nginx cpu": []}
    for number in range(runs):
        content = body(50 << 20, number)
        for name in (("ours", "nginx") if number % 2 else ("nginx", "ours")):
            place = server if name == "ours" else nginx
            connection = HTTPConnection("127.0.0.1", place.port, timeout=120)
            before = cpu_seconds(place.ids)
            if name == "ours":
                sent, whole = ours(connection, content, number)
                spent["sent"].append(sent)
                spent["whole"].append(whole)
                spent["cpu"].append(cpu_seconds(place.ids) - before)
            else:
                spent["nginx"] += theirs(connection, content, number)
                spent["nginx cpu"].append(cpu_seconds(place.ids) - before)
            connection.close()
    middle = {name: median(values) for name, values in spent.items()}
    rows = [["a PUT to nginx", f"{middle['nginx'] * 1000:.0f}", "1.00", f"{middle['nginx cpu'] * 1000:.0f}"]]
    for name, key, cpu in (("all bytes taken", "sent", "–"), ("proven and a clip", "whole", f"{middle['cpu'] * 1000:.0f}")):
        rows.append([name, f"{middle[key] * 1000:.0f}", f"{middle[key] / middle['nginx']:.2f}", cpu])
    print(f"50 MB over loopback, median of {runs} in turn\n")
    print(table(["", "ms", "to nginx", "CPU ms"], rows))


def resident(server):
    """Bytes of the process that are its own; files that it maps are not counted."""
    fields = dict(line.split(":") for line in Path(f"/proc/{server.pid}/status").read_text().splitlines())
    return int(fields["RssAnon"].split()[0]) * 1024


async def hold(server, ids, content, pieces, gate):
    """Every upload sends so many pieces of its request at full speed, then stands still until the gate opens."""
    async def one(id):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(
            f"PATCH /api/v1/uploads/{id} HTTP/1.1\r\nHost: clipfeed\r\nContent-Length: {len(content)}\r\n"
            "Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\n\r\n".encode())
        for number in range(pieces):
            writer.write(content[number * PIECE:(number + 1) * PIECE])
            await writer.drain()
        arrived.release()
        await gate.wait()
        writer.write(content[pieces * PIECE:])
        await writer.drain()
        line = await reader.readline()
        if b" 204 " not in line:
            raise SystemExit(f"an upload was not taken: {line}")
        writer.close()

    arrived = asyncio.Semaphore(0)
    tasks = [asyncio.create_task(one(id)) for id in ids]
    for _ in ids:
        await arrived.acquire()
    return tasks


def memory(server, uploads, pieces):
    """What each upload adds, in bytes: while all send at once, while all stand still, and at the end."""
    content = body(4 << 20, 99)
    digest = hashlib.sha256(content).hexdigest()

    def made(count, first):
        connection = HTTPConnection("127.0.0.1", server.port, timeout=60)
        ids = [make(connection, len(content), digest, first + number) for number in range(count)]
        connection.close()
        return ids

    async def run(ids):
        gate = asyncio.Event()
        tasks = await hold(server, ids, content, pieces, gate)
        await asyncio.sleep(1)
        still = resident(server)
        gate.set()
        await asyncio.gather(*tasks)
        return still

    def watched(ids):
        most, ends = [0], threading.Event()

        def watch():
            while not ends.is_set():
                most[0] = max(most[0], resident(server))
                time.sleep(0.01)

        watcher = threading.Thread(target=watch)
        watcher.start()
        still = asyncio.run(run(ids))
        ends.set()
        watcher.join()
        return most[0], still

    # Once with few: code, tables and pools that are there from then on are the base.
    watched(made(8, 1000))
    base = resident(server)
    most, still = watched(made(uploads, 2000))
    after = resident(server)
    rows = [[name, f"{value / 1e6:.1f}", f"{(value - base) / uploads / 1024:.0f}"]
            for name, value in (("base", base), ("all sending at once, most", most), ("all standing still", still), ("after", after))]
    print(f"\n{uploads} uploads of 4 MB at once\n")
    print(table(["", "MB", "KiB per upload"], rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--uploads", type=int, default=UPLOADS)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    # Uploads come from as many addresses as there are people.
    os.environ |= {"CLIPFEED_PROXIES": "1", "CLIPFEED_UPLOAD_MB_PER_DAY": "1000000"}
    with TemporaryDirectory(dir=CACHE) as name:
        folder = Path(name)
        (folder / "data/media").mkdir(parents=True)
        server, nginx = Ours(folder / "data"), Nginx(folder / "data", folder, takes_files=True)
        try:
            if options.runs: throughput(server, nginx, 2 if options.quick else options.runs)
            memory(server, 20 if options.quick else options.uploads, 2)
        finally:
            server.stop()
            nginx.stop()
    print("\nrelease build" if "release" in str(SERVER_PROGRAM) else "\ndebug build")


if __name__ == "__main__":
    main()
