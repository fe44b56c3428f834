"""Two hundred clients who mean harm, each from a loopback address of its own, all in one process that mostly waits: it runs at nice
19, and says at its end how much it sent and how much processor time it took.

    python attackers.py PLAN    PLAN: JSON with port, seconds, clients, media, clips, handles, uploads, token, files (paths of hostile
                                media), only (kinds of attack, with commas between; none: all)"""

import asyncio
import itertools
import json
import os
import random
import resource
import socket
import sys
import time
from collections import Counter

JSON = b"Content-Type: application/json\r\n"
TUS = b"Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream\r\n"


def marks(size):
    return ("a" + "\u0301\u0316" * (size // 4)).encode()


class Client:
    def __init__(self, plan, number, told):
        self.plan, self.told, self.number = plan, told, number
        self.address = f"127.0.{number // 250}.{number % 250 + 2}"
        self.chance = random.Random(number)
        self.end = time.monotonic() + plan["seconds"]

    @property
    def is_on(self):
        return time.monotonic() < self.end

    async def connect(self, window=None):
        """`window`: of what it takes in, for who reads nothing."""
        sock = socket.socket()
        sock.setblocking(False)
        sock.bind((self.address, 0))
        if window:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        await asyncio.wait_for(asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", self.plan["port"])), 20)
        self.told["connections"] += 1
        return sock

    async def put(self, sock, data):
        await asyncio.wait_for(asyncio.get_running_loop().sock_sendall(sock, data), 30)

    async def get(self, sock, size=65_536):
        return await asyncio.wait_for(asyncio.get_running_loop().sock_recv(sock, size), 30)

    def head(self, method, path, fields=b"", length=None):
        size = b"" if length is None else b"Content-Length: %d\r\n" % length
        return b"%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s%s" % (method, path.encode(), size, fields)

    async def ask(self, method, path, fields=b"", body=b"", most=1 << 20):
        """One request on a connection of its own; the status, and what came."""
        sock = await self.connect()
        try:
            await self.put(sock, self.head(method, path, b"Connection: close\r\n" + fields, len(body)) + b"\r\n" + body)
            answer = b""
            while len(answer) < most and (piece := await self.get(sock)):
                answer += piece
            status = answer[9:12].decode("latin-1") or "none"
            self.told[f"{self.kind} {status}"] += 1
            return status, answer
        finally:
            sock.close()

    async def run(self, kind):
        """Again and again until the end, whatever comes of it."""
        self.kind = kind.__name__
        await asyncio.sleep(self.chance.random() * 2)
        while self.is_on:
            try:
                await kind(self)
            except (OSError, asyncio.TimeoutError) as error:
                self.told[f"{self.kind} {type(error).__name__}"] += 1
                await asyncio.sleep(1)


async def dribble(client, first, piece, pause, connections=8):
    """So many connections that begin and go on by a few bytes."""
    socks = [await client.connect() for _ in range(connections)]
    try:
        for sock in socks:
            await client.put(sock, first)
        while socks and client.is_on:
            await asyncio.sleep(pause)
            for sock in list(socks):
                try:
                    await client.put(sock, piece)
                except OSError:
                    client.told[f"{client.kind} hung up"] += 1
                    sock.close()
                    socks.remove(sock)
    finally:
        for sock in socks:
            sock.close()


async def slow_heads(client):
    await dribble(client, b"GET /api/v1/feed HTTP/1.1\r\nHost: x\r\nX-A: ", b"a", 2)


async def slow_bodies(client):
    await dribble(client, client.head(b"POST", "/api/v1/sessions", JSON, 60_000) + b'\r\n{"handle":"', b"a", 2)


async def streams_without_reader(client):
    """Media asked for a hundred times, live events, and nothing of it is ever taken."""
    socks = []
    try:
        token = b"Authorization: Bearer " + client.plan["token"].encode() + b"\r\n"
        for number in range(8):
            sock = await client.connect(window=2048)
            socks.append(sock)
            if number % 2:
                await client.put(sock, client.head(b"GET", "/api/v1/live", token) + b"\r\n")
            else:
                path = client.chance.choice(client.plan["media"])
                await client.put(sock, (client.head(b"GET", path) + b"\r\n") * 100)
        await asyncio.sleep(min(90, max(1, client.end - time.monotonic())))
    finally:
        for sock in socks:
            sock.close()


async def long_heads(client):
    what = client.chance.choice(["User-Agent", "Cookie", "Origin", "Accept-Encoding", "X-Forwarded-Proto", "If-None-Match"])
    value = client.chance.choice([marks(78_000), b"a=b; " * 15_600, b"a" * 78_000])
    method, path = client.chance.choice([(b"GET", "/"), (b"GET", "/api/v1/feed"), (b"POST", "/api/v1/sessions")])
    await client.ask(method, path, what.encode() + b": " + value + b"\r\n")
    await asyncio.sleep(1)


async def caption_bombs(client):
    upload = client.chance.choice(client.plan["uploads"])
    cue = marks(client.chance.choice([16_000, 250_000]))
    body = b"WEBVTT\n\n" + b"".join(b"00:%02d.000 --> 00:%02d.000\n%s\n\n" % (n, n + 1, cue) for n in range(15))
    await client.ask(b"PUT", f"/api/v1/uploads/{upload}/captions/en", b"Content-Type: text/vtt\r\n", body[:262_000])
    await asyncio.sleep(1)


async def guesses(client):
    handle = client.chance.choice(client.plan["handles"] + ["nobody", "somebody"])
    forged = b"X-Forwarded-For: %d.%d.%d.%d\r\n" % tuple(client.chance.randrange(1, 250) for _ in range(4))
    body = json.dumps({"handle": handle, "password": f"guess {client.chance.random()}", "transport": "token"}).encode()
    await client.ask(b"POST", "/api/v1/sessions", JSON + forged, body)
    await asyncio.sleep(0.5)


async def endless_uploads(client):
    """Fast enough to be a weak link, and never at an end."""
    fields = b"Tus-Resumable: 1.0.0\r\nUpload-Length: 40000000\r\n"
    status, answer = await client.ask(b"POST", "/api/v1/uploads", fields)
    if status != "201":
        await asyncio.sleep(5)
        return
    place = next(line for line in answer.split(b"\r\n") if line.lower().startswith(b"location:"))[9:].strip().decode()
    sock = await client.connect()
    try:
        await client.put(sock, client.head(b"PATCH", place, TUS + b"Upload-Offset: 0\r\n", 40_000_000) + b"\r\n")
        while client.is_on:
            await client.put(sock, os.urandom(1500))
            await asyncio.sleep(2)
    finally:
        sock.close()


async def huge_ranges(client):
    said = client.chance.choice(["0-9223372036854775807", "-9223372036854775807", ",".join(["0-"] * 5000), "1-1,2-2,3-3,0-99999999"])
    await client.ask(b"GET", client.chance.choice(client.plan["media"]), f"Range: bytes={said}\r\n".encode())
    await asyncio.sleep(1)


async def json_bombs(client):
    body = client.chance.choice([
        b'{"' + marks(60_000) + b'":1}', b"[" * 60_000, b"{" + b",".join(b'"k%d":1' % n for n in range(6000)) + b"}",
        b'{"handle":"' + marks(60_000) + b'","password":"x","transport":"token"}', b"[" + b"1," * 30_000 + b"1]"])
    clip = client.chance.choice(client.plan["clips"])
    path = client.chance.choice(["/api/v1/sessions", "/api/v1/events", f"/api/v1/clips/{clip}/comments"])
    await client.ask(b"POST", path, JSON + b"Idempotency-Key: %032x\r\n" % client.chance.getrandbits(128), body)
    await asyncio.sleep(1)


async def hostile_media(client):
    with open(client.chance.choice(client.plan["files"]), "rb") as file:
        # A box that nobody reads makes it a content of its own.
        body = file.read() + b"\0\0\0\x18free" + os.urandom(16)
    fields = b"Upload-Length: %d\r\n" % len(body) + TUS
    await client.ask(b"POST", "/api/v1/uploads", fields, body)
    await asyncio.sleep(6)


KINDS = [
    slow_heads, slow_bodies, streams_without_reader, long_heads, caption_bombs, guesses, endless_uploads, huge_ranges, json_bombs,
    hostile_media,
]


async def attack(plan):
    told = Counter()
    kinds = itertools.cycle(kind for kind in KINDS if kind.__name__ in plan["only"].split(",") or not plan["only"])
    await asyncio.gather(*(Client(plan, number, told).run(next(kinds)) for number in range(plan["clients"])))
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {"processor_s": used.ru_utime + used.ru_stime, "told": dict(sorted(told.items()))}


if __name__ == "__main__":
    os.nice(19)
    with open(sys.argv[1]) as file:
        print(json.dumps(asyncio.run(attack(json.load(file)))))
