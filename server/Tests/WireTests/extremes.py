"""Requests in which one field that some code reads holds what numbers and texts are at their ends, byte by byte over a
plain socket: no library tidies them up."""

import http.client
import json
import re
import socket
from collections import Counter
from urllib.parse import quote, urlsplit

from clips import ROOT
from described import path_of, put

GATEWAY = ROOT / "server/Sources/Gateway"
HTTP = [GATEWAY, ROOT / "server/Sources/HTTPServer"]
# Numbers at the ends of what machines hold, what is none, letters that join with those beside them, and a heap.
VALUES = [
    b"0", b"-1", b"2147483648", b"9007199254740992", b"9223372036854775807", b"9223372036854775808",
    b"-9223372036854775808", b"18446744073709551615", b"12345678901234567890", b"1e308", b"NaN", b"inf", b"",
    "٣".encode(), b"+1", b"1 1", b"\t", "\u0d4e7".encode(), "7\u0301".encode(), "\u0d4e,\u0d4e;\u0d4e=\u0d4e\"".encode(),
    b"a" * 80_000, ("a" + "\u0316\u0301" * 20_000).encode(),
]
# What one header says in front of a number.
SHAPES = {
    "range": ["bytes={}-{}", "bytes=0-{}", "bytes=-{}", "bytes={}-"], "authorization": ["Bearer {}", "{}"],
    "upload-metadata": ["caption {}", "{} YQ=="], "upload-checksum": ["sha1 {}"], "content-type": ["application/json; charset={}", "{}"],
    "cookie": ["{}"], "x-forwarded-for": ["{}", "203.0.113.9{}, {}"], "if-none-match": ['"{}"', "W/{}"],
    "upload-complete": ["?{}"], "content-length": ["{}"],
}
# What a body's end hangs on: whoever says it wrong may be hung up on without a word.
FRAMING = {"content-length", "transfer-encoding", "expect", "connection", "upgrade", "host", "te", "trailer"}
# Read nowhere by name, and yet by every server.
ALWAYS = {"host", "content-length", "transfer-encoding", "connection", "expect", "cookie", "accept-encoding"}
# Of pages and media, which the description leaves out.
OTHERS = [
    ("GET", "/"), ("GET", "/media/{id}"), ("HEAD", "/media/{id}"), ("GET", "/sealed/{id}/{id}/{id}"), ("GET", "/c/{id}"),
    ("GET", "/e/{id}"), ("GET", "/healthz"), ("GET", "/readyz"), ("GET", "/sign-in/{id}"), ("GET", "/app/main.js"),
]
PARAMETERS = ["cursor", "limit", "url", "format", "maxwidth", "maxheight", "label", "state", "code"]


def headers():
    """The names of all headers that the code of the gateway and of its HTTP server reads, found in the code."""
    text = "\n".join(file.read_text() for folder in HTTP for file in folder.rglob("*.swift"))
    own = dict(re.findall(r'static let (\w+) = HTTPField\.Name\("([^"]+)"\)', text))
    read = set(re.findall(r"headers\[(?:values: )?\.(\w+)\]", text))
    return sorted(ALWAYS | {own.get(name, re.sub("([A-Z])", r"-\1", name)).lower() for name in read})


def cookies():
    names = re.findall(r'case \.\w+: "(clipfeed_\w+)"', (GATEWAY / "Calls/Cookie.swift").read_text())
    assert len(names) > 4
    return [prefix + name for name in names for prefix in ("", "__Secure-", "__Host-")]


class Request:
    def __init__(self, what, method, path, headers=(), body=b""):
        self.what, self.method, self.path, self.headers, self.body = what, method, path, list(headers), body
        said = {name.lower() for name, _ in self.headers}
        self.framing = not said.isdisjoint(FRAMING)
        # Whose token or cookie it is belongs to what is tried.
        self.names_somebody = not said.isdisjoint({"authorization", "cookie"})

    def bytes(self, others):
        said = {name.lower() for name, _ in self.headers}
        lines = [f"{self.method} {self.path} HTTP/1.1".encode()]
        if self.body and "content-length" not in said:
            lines.append(b"Content-Length: %d" % len(self.body))
        lines += [name.encode() + b": " + value for name, value in others.items() if name.lower() not in said]
        lines += [name.encode() + b": " + value for name, value in self.headers]
        return b"\r\n".join(lines) + b"\r\n\r\n" + self.body


def short(value):
    return repr(value[:24])


def requests(table, address):
    """Every operation with every field, each holding every value."""
    names, jars = headers(), cookies()
    known = [(method, path, operation) for path, method, operation in table.operations()]
    for method, path, operation in known + [(method, path, {}) for method, path in OTHERS]:
        place = address(path)
        bodies = [(media, content["schema"]) for media, content in operation.get("requestBody", {}).get("content", {}).items()
                  if media.endswith("json")]
        sample = json.dumps(table.sample(bodies[0][1])).encode() if bodies else b""
        typed = [("Content-Type", bodies[0][0].encode())] if bodies else []

        def plain(what, path=place, more=()):
            said = {name.lower() for name, _ in more}
            return Request(
                f"{method} {path[:60]} {what}", method, path,
                [pair for pair in typed if pair[0].lower() not in said] + list(more), sample)

        for value in VALUES:
            text = quote(value)[:60_000]
            for name in names:
                for shape in SHAPES.get(name, ["{}"]):
                    yield plain(f"{name}: {shape} {short(value)}", more=[(name, shape.encode().replace(b"{}", value))])
            for name in jars:
                yield plain(f"cookie {name}={short(value)}", more=[("Cookie", name.encode() + b"=" + value)])
            described = [one["name"] for one in operation.get("parameters", []) if one["in"] == "query"]
            for name in described or PARAMETERS:
                yield plain(f"?{name}={short(value)}", path=f"{place}?{name}={text}")
            for part in re.findall(r"\{\w+\}", path):
                yield plain(f"{part} {short(value)}", path=address(path.replace(part, text, 1)))
        for media, schema in bodies:
            for field, _, _ in table.places(schema):
                for value in VALUES:
                    said = value.decode()
                    written = [json.dumps(said), json.dumps(said, ensure_ascii=False)]
                    written += [said] if re.fullmatch(r"-?[0-9]+(e[0-9]+)?", said) else []
                    for text in written:
                        mark = json.dumps("the place of a value")
                        body = json.dumps(put(table.sample(schema), field, "the place of a value")).replace(mark, text)
                        yield Request(
                            f"{method} {place} {path_of(field)} = {short(value)}", method, place,
                            [("Content-Type", media.encode())], body.encode())


class Attacker:
    """Sends them, and asks for something sane behind each."""

    # What an answer says whose token is no longer good.
    OVER = re.compile(rb'"code":"(?:session_ended|access_token_\w+)"')

    def __init__(self, server, url, accounts, sign_up):
        """`accounts`: how many take turns, so that the limits of one are not all that is met. `sign_up`: makes one, by its
        handle and from this address, and answers its access token."""
        self.server, self.sign_up, self.signed_up = server, sign_up, 0
        self.tokens = [self.new_token() for _ in range(accounts)]
        place = urlsplit(url)
        self.host, self.port = place.hostname, place.port
        self.sane = http.client.HTTPConnection(self.host, self.port, timeout=20)
        # `limited`: of what there were too many, and how many.
        self.count, self.limited, self.faults = 0, Counter(), []

    def new_token(self):
        number = self.signed_up
        self.signed_up += 1
        return self.sign_up(f"person{number}", f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}")

    def send(self, request):
        self.count += 1
        answer = self.said(request)
        # Tokens end, and some requests end a session or an account: what was to be tried is tried with a new one.
        if answer.startswith(b"HTTP/1.1 401") and self.OVER.search(answer) and not request.names_somebody:
            self.tokens[self.count % len(self.tokens)] = self.new_token()
            answer = self.said(request)
        status = re.match(rb"HTTP/1\.1 (\d{3})", answer)
        if status:
            if status[1] == b"429":
                code = re.search(rb'"code":"(\w+)"', answer)
                self.limited[f"{request.method} {request.path[:40]} {code[1].decode() if code else ''}"] += 1
            if status[1] >= b"500" and status[1] != b"501":
                self.faults.append(f"{request.what}: {answer[:300]!r}")
        elif answer or not (request.framing or len(request.bytes({})) > 60_000):
            self.faults.append(f"{request.what}: no answer, but {answer[:100]!r}")
        self.ask_sanely(request)

    def said(self, request):
        """What the server says to it."""
        number = self.count
        # Each from another network, or limits by address would be all that is met: the server's, which is told, and nginx's, which sees.
        network = f"{number % 80 + 11}.{number // 80 % 256}"
        return self.exchange(request.bytes({
            "Host": b"127.0.0.1", "Connection": b"close", "Idempotency-Key": b"extreme-key-%d" % number, "X-No-Interim": b"1",
            "X-Forwarded-For": f"{network}.{number // 20_480 % 256}.9".encode(),
            "Authorization": b"Bearer " + self.tokens[number % len(self.tokens)].encode(),
        }), request.framing, f"127.{network}.9")

    def exchange(self, data, ends, address):
        """`ends`: nothing more comes, said for bodies whose end is a lie. nginx takes it for a client that has gone."""
        with socket.create_connection((self.host, self.port), timeout=20, source_address=(address, 0)) as connection:
            try:
                connection.sendall(data)
                if ends:
                    connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # Refused before it was all said.
            answer = b""
            try:
                while piece := connection.recv(65_536):
                    answer += piece
                    if b"text/event-stream" in answer or len(answer) > 1 << 20:
                        break
            except ConnectionResetError:
                pass
            return answer

    def ask_sanely(self, request):
        path = "/api/v1/feed?limit=2" if self.count % 50 == 0 else "/healthz"
        for attempt in range(2):
            try:
                self.sane.request("GET", path)
                answer = self.sane.getresponse()
                answer.read()
                assert answer.status == 200, f"behind {request.what}: {answer.status}"
                break
            except (http.client.HTTPException, OSError):
                # A kept connection may have ended meanwhile.
                self.sane.close()
                assert attempt == 0, f"the server is gone behind {request.what}"
        assert self.server.lives(), f"the server ended behind {request.what}"
