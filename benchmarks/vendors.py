"""A server in the place of those who make videos, for `make proof-generation` and `make bench-generation`: it looks at
whoever asks as the real ones do (dialects.py), has so much room, takes its time, and fails as often as it is told.

All vendors are behind one port, told apart by the first part of the path. Each process that asks has a port of its own, so
that it is known which of them did. Times are of `time.monotonic`."""

import asyncio
import json
import math
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit


@dataclass
class Rules:
    seed: int = 1
    # Videos at the same time; further ones are refused.
    room: int = 4
    # Seconds for one, evenly between the two; infinite: none is ever done.
    takes: tuple = (2.0, 4.0)
    # Parts of one: of videos that fail, of those that are against the rules, and of requests that get a wrong answer.
    fails: float = 0.0
    refuses: float = 0.0
    troubles: float = 0.0
    # What is made: a file of MP4.
    clip: bytes = b""


@dataclass
class Video:
    id: str
    prompt: str
    key: str | None
    begun: float
    takes: float
    # "made", "failed" or "refused".
    fate: str
    # How many answers to whoever fetches it are wrong.
    wrong: int = 0
    # Requests to begin it; more than one where they had one key.
    asks: int = 1
    # When it was last asked about; None: never, or without an answer.
    polled: float | None = None
    # When its end was last told.
    told: float | None = None
    # How often all of it was sent.
    fetched: int = 0
    cancelled: bool = False

    def is_open(self, now):
        return not self.cancelled and now < self.begun + self.takes

    def share(self, now):
        return 0.5 if math.isinf(self.takes) else min(1.0, (now - self.begun) / self.takes)


@dataclass
class Request:
    method: str
    # The vendor's name, and what follows it, without a slash in front.
    name: str
    path: str
    query: dict
    headers: dict
    body: bytes
    # All of it as it came.
    raw: bytes
    # Which process asks, and what it calls this server.
    caller: str
    origin: str

    def json(self):
        """None: no object, or not as JSON."""
        if self.headers.get("content-type") != "application/json":
            return None
        try:
            value = json.loads(self.body)
        except ValueError:
            return None
        return value if isinstance(value, dict) else None


@dataclass
class Answer:
    status: int = 200
    body: bytes = b""
    type: str = "application/json"
    headers: dict = field(default_factory=dict)
    # So many bytes of the body are sent, then the connection ends; None: all.
    sends: int | None = None
    # Whose content it is.
    video: Video | None = None
    # What has happened once it is sent.
    moment: str | None = None

    @staticmethod
    def json(value, status=200, headers=None, moment=None):
        return Answer(status, json.dumps(value).encode(), headers=headers or {}, moment=moment)


class Refusal(Exception):
    """`fault`: what is wrong about the caller; None: nothing."""

    def __init__(self, answer, fault=None):
        super().__init__(fault)
        self.answer, self.fault = answer, fault


class Hangup(Exception):
    """The connection ends without an answer."""


class Moments:
    """Where somebody may act in the middle of an exchange, once, at one moment at a time."""

    def __init__(self):
        self._lock = threading.Lock()
        self._name = self._act = None

    def arm(self, name, act):
        """`act` gets the name of the process that asks; the exchange waits for it."""
        with self._lock:
            self._name, self._act = name, act

    def disarm(self):
        """False: it has come meanwhile."""
        with self._lock:
            was_armed = self._name is not None
            self._name = self._act = None
        return was_armed

    async def reached(self, name, caller):
        """True: somebody acted."""
        if self._name != name:
            return False
        with self._lock:
            if self._name != name:
                return False
            act = self._act
            self._name = self._act = None
        await asyncio.get_running_loop().run_in_executor(None, act, caller)
        return True


class Vendor:
    """What vendors have in common. A dialect adds `check_key`, `respond`, `complaint` and `identifier`."""

    kind = ""
    # In front of its paths.
    version = "v1"
    # Seconds between two questions about one video, at least.
    pause = 5.0

    def __init__(self, name, key, rules):
        self.name, self.key, self.rules = name, key, rules
        self.videos, self.by_key = {}, {}
        self.chance = random.Random(f"{rules.seed} {name}")
        # The most videos at the same time, how often there was no room, and questions about videos.
        self.most = self.full = self.questions = 0
        self.faults, self.begins, self.troubles = [], [], Counter()
        # Set by whoever serves it.
        self.moments, self.elsewhere = Moments(), []

    def settings(self, origin):
        """What an operator writes down, by the ends of names."""
        return {
            "kind": self.kind, "address": f"{origin}/{self.name}/{self.version}", "key": self.key,
            "at-once": str(self.rules.room)}

    def find(self, remote):
        """The video that the server knows by this id; None: there is none."""
        return self.videos.get(remote.rsplit("/", 1)[-1])

    async def answer(self, request):
        try:
            self.check_key(request)
            return await self.respond(request)
        except Refusal as refusal:
            if refusal.fault:
                self.faults.append(f"{self.name}: {request.method} {request.path}: {refusal.fault}")
            return refusal.answer

    def refusal(self, status, mark, fault):
        return Refusal(self.complaint(status, mark, fault), fault)

    def video(self, id):
        video = self.videos.get(id)
        if video is None:
            raise self.refusal(404, "NOT_FOUND", f"{id} is not known")
        if video.cancelled:
            raise Refusal(self.complaint(404, "NOT_FOUND", "it was cancelled"))
        return video

    def gossip(self):
        """What no vendor should say: the key of whoever asks."""
        return f"Worker lost. The key was {self.key}, see https://x.test/log?key={self.key}"

    # What is wrong now and then

    def trouble(self, *kinds):
        """None: none."""
        if self.chance.random() >= self.rules.troubles:
            return None
        kind = self.chance.choice(kinds)
        self.troubles[kind] += 1
        return kind

    def wrong(self, kind):
        if kind == "elsewhere":
            return Answer(302, headers={"location": self.chance.choice(self.elsewhere)})
        if kind == "page":
            return Answer(body=b"<!doctype html><title>Sorry</title>", type="text/html; charset=utf-8")
        if kind == "busy":
            return self.complaint(503, "UNAVAILABLE", "overloaded")
        if kind == "limited":
            answer = self.complaint(429, "RESOURCE_EXHAUSTED", "slow down")
            answer.headers["retry-after"] = "1"
            return answer
        return self.complaint(500, "INTERNAL", self.gossip())

    # What it does

    async def begin(self, request, prompt, key=None):
        """A video, one for each key."""
        self.begins.append(request.raw)
        if await self.moments.reached("it is asked", request.caller):
            raise Hangup
        video = self.by_key.get(key)
        if video:
            video.asks += 1
            if video.prompt != prompt:
                self.faults.append(f"{self.name}: two prompts under the key {key}")
        else:
            trouble = self.trouble("busy", "limited", "broken", "page", "lost")
            if trouble and trouble != "lost":
                raise Refusal(self.wrong(trouble))
            video = self.make(prompt, key)
            if trouble:
                raise Hangup
        if await self.moments.reached("it has begun", request.caller):
            raise Hangup
        return video

    def make(self, prompt, key):
        now = time.monotonic()
        busy = sum(video.is_open(now) for video in self.videos.values())
        if busy >= self.rules.room:
            self.full += 1
            raise Refusal(self.wrong("limited"))
        self.most = max(self.most, busy + 1)
        least, longest = self.rules.takes
        draw = self.chance.random()
        refused = draw < self.rules.refuses
        failed = draw < self.rules.refuses + self.rules.fails
        video = Video(
            self.identifier(len(self.videos) + 1), prompt, key, now,
            least if least == longest else self.chance.uniform(least, longest),
            "refused" if refused else "failed" if failed else "made")
        if self.chance.random() < self.rules.troubles:
            video.wrong = self.chance.randrange(1, 3)
        self.videos[video.id] = video
        if key:
            self.by_key[key] = video
        return video

    async def progress(self, request, video):
        """How much of it is done, 0 to 1, and what has happened once that is answered."""
        now = time.monotonic()
        self.questions += 1
        if video.told is None and video.polled is not None and now - video.polled < self.pause - 0.3:
            self.faults.append(f"{self.name}: asked again after {now - video.polled:.2f} s")
        video.polled = None
        if await self.moments.reached("it is polled", request.caller):
            raise Hangup
        trouble = None
        if video.told is None:
            trouble = self.trouble("broken", "limited", "page", "elsewhere", "hangup")
        if trouble == "hangup":
            raise Hangup
        video.polled = now
        if trouble:
            raise Refusal(self.wrong(trouble))
        share = video.share(now)
        if share < 1:
            return share, "progress is told"
        video.told = now
        return share, "its end is told"

    async def content(self, request, video):
        if video.told is None or video.fate != "made":
            raise self.refusal(404, "NOT_FOUND", f"content of {video.id}, which is not done")
        if await self.moments.reached("it is fetched", request.caller):
            raise Hangup
        file = self.file(video)
        if video.wrong:
            video.wrong -= 1
            kind = self.chance.choice(("elsewhere", "page", "cut", "broken"))
            self.troubles[f"{kind}, of content"] += 1
            return Answer(body=file, type="video/mp4", sends=len(file) // 2) if kind == "cut" else self.wrong(kind)
        return Answer(body=file, type="video/mp4", video=video)

    def file(self, video):
        """Bytes of its own for each: readers of MP4 skip a box of type "free"."""
        return self.rules.clip + free_box(f"{self.name} {video.id}")


def free_box(text):
    content = text.encode()
    return (8 + len(content)).to_bytes(4, "big") + b"free" + content


class Vendors:
    """Serves them from here on, each of these processes at a port of its own, until this program ends."""

    def __init__(self, vendors, callers=("server",)):
        self.all = {vendor.name: vendor for vendor in vendors}
        self.moments = Moments()
        self.ports, self.faults = {}, []
        # Who came to where nobody may be asked: what vendors name in place of their own addresses.
        self.trapped = []
        self._loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self._run, args=(callers, ready), daemon=True).start()
        if not ready.wait(20):
            raise RuntimeError("the vendors do not listen")

    def settings(self, caller):
        """As this process is told them, by names of the environment."""
        origin = f"http://127.0.0.1:{self.ports[caller]}"
        return {
            provider_variable(vendor.name, end): value
            for vendor in self.all.values() for end, value in vendor.settings(origin).items()}

    def all_faults(self):
        return self.faults + [fault for vendor in self.all.values() for fault in vendor.faults]

    def _run(self, callers, ready):
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen(callers))
        ready.set()
        self._loop.run_forever()

    async def _listen(self, callers):
        self._servers = []
        for caller in callers:
            server = await asyncio.start_server(
                lambda reader, writer, caller=caller: self._serve(caller, reader, writer), "127.0.0.1", 0,
                limit=1 << 20, backlog=1024)
            self._servers.append(server)
            self.ports[caller] = server.sockets[0].getsockname()[1]
        trap = await asyncio.start_server(self._trap, "127.0.0.1", 0)
        self._servers.append(trap)
        port = trap.sockets[0].getsockname()[1]
        for vendor in self.all.values():
            vendor.moments = self.moments
            vendor.elsewhere = [
                f"http://127.0.0.1:{port}/inside", f"http://localhost:{port}/inside", f"https://127.0.0.1:{port}/inside",
                f"http://[::ffff:127.0.0.1]:{port}/inside", f"http://user:word@127.0.0.1:{port}/inside",
                "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd"]

    async def _trap(self, reader, writer):
        first = b""
        try:
            first = await asyncio.wait_for(reader.read(200), 5)
        except (OSError, asyncio.TimeoutError):
            pass
        self.trapped.append(repr(first))
        writer.close()

    async def _serve(self, caller, reader, writer):
        try:
            while (request := await self._read(caller, reader)) is not None:
                vendor = self.all.get(request.name)
                if vendor is None:
                    self.faults.append(f"{request.method} {request.name}/{request.path}: nobody is there")
                    break
                if not await self._send(request, await vendor.answer(request), writer):
                    break
        except (OSError, asyncio.IncompleteReadError, Hangup):
            pass
        except Exception as error:  # A mistake in here must not look like one of the server's.
            self.faults.append(f"the vendors themselves: {error!r}")
        finally:
            writer.close()

    @staticmethod
    async def _read(caller, reader):
        """None: nothing more comes."""
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return None
        lines = head.decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ")
        headers = {}
        for line in filter(None, lines[1:]):
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        parts = urlsplit(target)
        name, _, path = parts.path.lstrip("/").partition("/")
        return Request(
            method, name, path, dict(parse_qsl(parts.query)), headers, body, head + body, caller,
            f"http://{headers.get('host', '')}")

    async def _send(self, request, answer, writer):
        """False: the connection ends."""
        fields = {"content-type": answer.type, "content-length": str(len(answer.body))} | answer.headers
        head = f"HTTP/1.1 {answer.status} X\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        writer.write(head.encode() + b"\r\n")
        body = answer.body
        if answer.sends is not None:
            writer.write(body[:answer.sends])
            await writer.drain()
            return False
        if answer.video:
            half = len(body) // 2
            writer.write(body[:half])
            await writer.drain()
            if await self.moments.reached("half of it is there", request.caller):
                return False
            writer.write(body[half:])
            await writer.drain()
            answer.video.fetched += 1
            await self.moments.reached("all of it is there", request.caller)
        else:
            writer.write(body)
            await writer.drain()
        if answer.moment:
            await self.moments.reached(answer.moment, request.caller)
        return request.headers.get("connection", "").lower() != "close"


def provider_variable(name, end):
    return f"CLIPFEED_GENERATION_PROVIDER_{name}_{end}".upper().replace("-", "_")
