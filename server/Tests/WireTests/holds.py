"""The requests that hold a server for longest, by what is in them, and how long each held an event loop or the database."""

import base64
import json
import re
import socket
import time
from urllib.parse import quote, urlsplit

import requests

import extremes
from described import path_of, put


def heap(size):
    """Marks that stand the wrong way round: bringing so many into order takes time by the square of how many there are."""
    return "a" + "\u0301\u0316" * ((size - 1) // 4)


class Watch:
    """How long, in milliseconds, a loop was late and a transaction was open, since the last look. As the server tells it."""

    NAMES = {
        "loop": "clipfeed_loop_delay_max_seconds",
        "write": 'clipfeed_database_held_max_seconds{kind="write"}',
        "read": 'clipfeed_database_held_max_seconds{kind="read"}',
    }
    # Of the loops; what is late is told with the next tick.
    TICK = 0.01

    def __init__(self, server):
        assert server.says("Metrics: ")
        line = next(line for line in server.log if "Metrics: " in line)
        self.url = re.search(r"http://\S+", line)[0]
        self.asking = requests.Session()

    def text(self):
        return self.asking.get(self.url, timeout=60).text

    def peaks(self):
        text = self.text()
        values = {}
        for kind, name in self.NAMES.items():
            found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)
            values[kind] = float(found[1]) * 1000 if found else 0.0
        return values


class Sender:
    """Sends one request after the other, each from another network, so that limits by address hide nothing."""

    def __init__(self, server, tokens):
        place = urlsplit(server.url)
        self.place, self.tokens, self.number = (place.hostname, place.port), tokens, 0

    def send(self, method, path, headers=(), body=b"", signed=True):
        self.number += 1
        number = self.number
        fields = {
            "Host": b"127.0.0.1", "Connection": b"close", "Idempotency-Key": b"held-key-%d" % number, "X-No-Interim": b"1",
            "X-Forwarded-For": b"%d.%d.%d.8" % (11 + number % 80, number // 80 % 256, number // 20_480 % 256),
        }
        if signed:
            fields["Authorization"] = b"Bearer " + self.tokens[number % len(self.tokens)].encode()
        request = extremes.Request("", method, path, headers, body)
        with socket.create_connection(self.place, timeout=60) as connection:
            answer = b""
            try:
                connection.sendall(request.bytes(fields))
                connection.shutdown(socket.SHUT_WR)
                while piece := connection.recv(65_536):
                    answer += piece
                    if b"text/event-stream" in answer:
                        break
            except OSError:
                pass  # Refused before it was all said.
        status = re.match(rb"HTTP/1\.1 (\d{3})", answer)
        return int(status[1]) if status else 0


JSON = ("Content-Type", b"application/json")
TUS = [("Tus-Resumable", b"1.0.0"), ("Upload-Length", b"5000")]


def heads():
    """Every header and cookie that is read, each with a heap; and heads that are long in other ways."""
    marks = heap(75_000).encode()
    body = b'{"handle":"a","password":"b"}'
    for name in extremes.headers():
        if name in extremes.FRAMING - {"connection"}:
            continue
        yield f"{name}: marks", "GET", "/api/v1/feed", [(name, marks)], b""
        yield f"{name}: marks, posted", "POST", "/api/v1/sessions", [(name, marks), JSON], body
        yield f"{name}: marks, for a page", "GET", "/", [(name, marks)], b""
        yield f"{name}: marks, uploading", "POST", "/api/v1/uploads", [(name, marks), *TUS], b""
    for name in extremes.cookies():
        yield f"cookie {name}: marks", "GET", "/api/v1/feed", [("Cookie", name.encode() + b"=" + marks)], b""
    yield "15,000 cookies", "GET", "/api/v1/feed", [("Cookie", b"a=b; " * 15_000)], b""
    yield "75,000 empty cookies", "GET", "/api/v1/feed", [("Cookie", b";" * 75_000)], b""
    yield "8,000 codings", "GET", "/api/v1/feed", [("Accept-Encoding", b"gzip;q=0," * 8000)], b""
    yield "18,000 tags", "GET", "/", [("If-None-Match", b'"a",' * 18_000)], b""
    yield "18,000 ranges", "GET", "/app/main.js", [("Range", b"bytes=" + b"0-0," * 18_000)], b""
    yield "75,000 hops", "POST", "/api/v1/sessions", [("X-Forwarded-For", b"," * 75_000), JSON], body
    yield "a token of 70 KB", "GET", "/api/v1/feed", [("Authorization", b"Bearer eyJ" + b"A" * 40_000 + b"." + b"B" * 30_000 + b".c")], b""
    yield "7,000 metadata", "POST", "/api/v1/uploads", [*TUS, ("Upload-Metadata", b",".join(b"k%d YQ==" % n for n in range(7000)))], b""
    for name in ("filename", "caption", "tags", "visibility", "filetype"):
        value = base64.b64encode(heap(54_000).encode())
        yield f"metadata {name} of marks", "POST", "/api/v1/uploads", [*TUS, ("Upload-Metadata", name.encode() + b" " + value)], b""
    yield "metadata named by marks", "POST", "/api/v1/uploads", [*TUS, ("Upload-Metadata", marks + b" YQ==")], b""


def addresses(table, address):
    marks = quote(heap(26_000))
    for path, method, operation in table.operations():
        if method != "GET":
            continue
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "query":
                yield f"?{parameter['name']} of marks, {path}", method, f"{address(path)}?{parameter['name']}={marks}", [], b""
        for part in re.findall(r"\{\w+\}", path):
            yield f"{part} of marks, {path}", method, address(path.replace(part, marks, 1)), [], b""
    for path in ("/", "/c/", "/e/", "/media/", "/oembed?url=", "/sign-in/x?state="):
        yield f"{path} marks", "GET", path + marks, [], b""
    yield "a cursor of 75 KB", "GET", "/api/v1/feed?cursor=" + "QUJD" * 18_000, [], b""
    yield "9,000 parameters", "GET", "/api/v1/feed?" + "&".join(f"k{n}=1" for n in range(9000)), [], b""
    yield "19,000 times a parameter", "GET", "/api/v1/feed?" + "a=1&" * 19_000, [], b""
    yield "75,000 slashes", "GET", "/" * 75_000, [], b""
    yield "25,000 percent signs", "GET", "/" + "%25" * 25_000, [], b""


def bodies(table, address):
    """Every text field of every JSON body with marks, as letters and as escapes; and bodies that are long in other ways."""
    marks = heap(60_000)
    shapes = {
        "named by marks": '{"%s":1}' % marks, "escaped names": '{"%s":1}' % ("a" + r"\u0301\u0316" * 4900),
        "names of 2,000 marks": "{" + ",".join('"%d%s":1' % (n, heap(2000)) for n in range(30)) + "}",
        "6,000 names": "{" + ",".join('"k%d":1' % n for n in range(6000)) + "}",
        "a name in capitals": '{"%s":1}' % ("A" * 60_000), "a name of lines": '{"%s":1}' % ("_a" * 30_000),
        "30,000 items": "[" + ",".join(["1"] * 30_000) + "]", "20,000 objects": "[" + ",".join(["{}"] * 20_000) + "]",
        "60,000 digits": "[" + "1" * 60_000 + "]", "deep": "[" * 60_000,
    }
    for path, method, operation in table.operations():
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            if not media.endswith("json"):
                continue
            typed = [("Content-Type", media.encode())]
            place = address(path)
            for what, body in shapes.items():
                yield f"{method} {path}: {what}", method, place, typed, body.encode()
            sample = table.sample(content["schema"])
            for field, schema, _ in table.places(content["schema"]):
                named = f"{method} {path}: {path_of(field)}"
                types = table.types(table.resolved(schema))
                if "string" in types:
                    body = json.dumps(put(sample, field, marks), ensure_ascii=False)
                    yield f"{named} of marks", method, place, typed, body.encode()
                    body = json.dumps(put(sample, field, heap(20_000)))
                    yield f"{named} of escapes", method, place, typed, body.encode()
                    body = json.dumps(put(sample, field, "e\u0301 " * 15_000), ensure_ascii=False)
                    yield f"{named} of words", method, place, typed, body.encode()
                elif "array" in types:
                    item = table.sample(table.resolved(schema)["items"])
                    count = 60_000 // (len(json.dumps(item)) + 2)
                    body = json.dumps(put(sample, field, [item] * count))
                    yield f"{named}, {count} times", method, place, typed, body.encode()
    form = [("Content-Type", b"application/x-www-form-urlencoded")]
    yield "a form named by marks", "POST", "/sign-in/x", form, marks.encode() + b"=1"
    yield "a form of marks", "POST", "/sign-in/x", form, b"state=" + marks.encode()


def files(address):
    """Captions: one cue of marks, as many as there may be, and cues of nothing."""
    place = address("/api/v1/uploads/{id}/captions/{language}")
    typed = [("Content-Type", b"text/vtt")]

    def cues(count, text):
        lines = [f"{n // 60:02}:{n % 60:02}.000 --> {(n + 1) // 60:02}:{(n + 1) % 60:02}.000\n{text}\n" for n in range(count)]
        return ("WEBVTT\n\n" + "\n".join(lines)).encode()[:262_000]
    yield "a cue of marks", "PUT", place, typed, cues(1, heap(250_000))
    yield "15 cues of marks", "PUT", place, typed, cues(15, heap(16_000))
    yield "1,000 cues", "PUT", place, typed, cues(1000, "<b>x</b> " * 20)
    yield "1,000 cues of marks", "PUT", place, typed, cues(1000, heap(180))
    yield "a cue of blanks", "PUT", place, typed, cues(1, "\u00a0" * 120_000)


def measured(watch, send, attempts):
    """The least of so many attempts, by kind: what is in a request holds the server each time, what else the machine does
    only sometimes."""
    least = {}
    for _ in range(attempts):
        watch.peaks()
        send()
        time.sleep(3 * Watch.TICK)
        peaks = watch.peaks()
        least = {kind: min(value, least.get(kind, value)) for kind, value in peaks.items()}
    return least
