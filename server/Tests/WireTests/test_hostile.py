"""What no browser sends: framing, headers and addresses that mean one thing to a proxy and another to a server."""

import re
import socket

import pytest
import requests

# As long as a test waits for a first answer, and for a second one that must not come.
ANSWER, PATIENCE = 30, 5
LIKE = "PUT /api/v1/clips/{clip}/like HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"


def exchange(server, data):
    """Everything that comes back for these bytes."""
    answer = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=ANSWER) as line:
        try:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            while piece := line.recv(65536):
                answer += piece
                line.settimeout(PATIENCE)
        except (ConnectionError, TimeoutError):
            pass
    return answer


def statuses(answer):
    return [int(code) for code in re.findall(rb"^HTTP/1\.[01] (\d{3}) ", answer, re.MULTILINE)]


def request(target="/api/v1/feed?limit=1", method="GET", version="HTTP/1.1", host="Host: x\r\n", headers="", body=""):
    return f"{method} {target} {version}\r\n{host}{headers}\r\n{body}".encode("latin-1")


def likes(server, clip):
    return requests.get(f"{server.url}/api/v1/clips/{clip}", timeout=20).json()["counts"]["likes"]


POST = {"method": "POST", "target": "/api/v1/events"}
# What frames a body in two ways, or in none; what stands behind it would be another request for who reads it the other way.
FRAMINGS = {
    "two lengths": "Content-Length: 0\r\nContent-Length: {size}\r\n",
    "a list of lengths": "Content-Length: 0, {size}\r\n",
    "length and chunks": "Content-Length: {size}\r\nTransfer-Encoding: chunked\r\n",
    "chunks and length": "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n",
    "an unknown coding": "Transfer-Encoding: xchunked\r\n",
    "chunked twice": "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    "chunked not last": "Transfer-Encoding: chunked, identity\r\n",
    "a space before the colon": "Content-Length : {size}\r\n",
    "a tab in the coding": "Transfer-Encoding:\tchunked\x0b\r\n",
    "a negative length": "Content-Length: -1\r\n",
    "a signed length": "Content-Length: +{size}\r\n",
    "a length in hexadecimal": "Content-Length: 0x10\r\n",
    "a length of two words": "Content-Length: 1 1\r\n",
    "an endless length": "Content-Length: 99999999999999999999999\r\n",
    "a folded header": "X-Folded: a\r\n Content-Length: {size}\r\n",
    "a null": "X-Null: a\0b\r\n",
    "a bare carriage return": "X-Bare: a\rContent-Length: {size}\r\n",
    "a header without a name": ": a\r\n",
    "a header without a colon": "Content-Length\r\n",
}


@pytest.mark.parametrize("name", FRAMINGS)
def test_a_body_has_one_end_and_what_stands_behind_it_is_no_request(running, name):
    clip = running.clips[0]
    hidden = LIKE.format(clip=clip)
    before = likes(running, clip)
    headers = "Content-Type: application/json\r\n" + FRAMINGS[name].format(size=len(hidden) + 5)
    answer = exchange(running, request(headers=headers, body="0\r\n\r\n" + hidden, **POST))
    got = statuses(answer)
    assert all(code < 500 or code == 501 for code in got), answer[:300]
    assert likes(running, clip) == before, answer[:600]


CHUNKS = ["ffffffffffffffffffff\r\n", "-1\r\n", "0x1\r\na\r\n0\r\n\r\n", "1\r\nab\r\n", "1;" + "x" * 200_000 + "\r\n", "g\r\n", "\r\n"]


@pytest.mark.parametrize("chunks", CHUNKS, ids=range(len(CHUNKS)))
def test_chunks_that_are_none_end_the_connection(running, chunks):
    clip = running.clips[0]
    before = likes(running, clip)
    headers = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    got = statuses(exchange(running, request(headers=headers, body=chunks + LIKE.format(clip=clip), **POST)))
    assert all(code < 500 for code in got)
    assert likes(running, clip) == before


ODD = {
    "no host": request(host=""),
    "two hosts": request(host="Host: x\r\nHost: evil.example\r\n"),
    "a host with an address in it": request(host="Host: x/../evil\r\n"),
    "an empty host": request(host="Host:\r\n"),
    "absolute": request(target="http://evil.example/api/v1/feed?limit=1"),
    "absolute, of an account": request(target="http://evil.example/api/v1/account"),
    "authority": request(target="evil.example:443", method="CONNECT"),
    "asterisk": request(target="*", method="OPTIONS"),
    "asterisk read": request(target="*"),
    "an unknown method": request(method="FROB"),
    "a small method": request(method="get"),
    "a long method": request(method="A" * 70_000),
    "trace": request(method="TRACE"),
    "version 0.9": b"GET /api/v1/feed\r\n\r\n",
    "version 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "version 9": request(version="HTTP/9.9"),
    "no version": request(version=""),
    "tls": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 64,
    "nonsense": b"\0\xff\xfe\r\n\r\n",
    "blank lines": b"\r\n" * 500,
    "a large header": request(headers=f"X-Large: {'a' * 1_000_000}\r\n"),
    "many headers": request(headers="".join(f"X-{number}: a\r\n" for number in range(20_000))),
    "a long address": request(target="/api/v1/feed?" + "a" * 1_000_000),
    "many parameters": request(target="/api/v1/feed?" + "a=b&" * 20_000),
    "a large cookie": request(headers=f"Cookie: {'clipfeed_access=a; ' * 20_000}\r\n"),
    "many cookies": request(headers="".join(f"Cookie: a{n}=b\r\n" for n in range(5000))),
    "bytes in a header": request(headers="X-Request-Id: \xff\xfe\xfd\r\n"),
    "bytes in an address": request(target="/api/v1/clips/\xff\xfe/like"),
    "a range of many": request(headers="Range: bytes=" + ",".join(f"{n}-{n}" for n in range(5000)) + "\r\n"),
    "upgrade": request(headers="Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"),
    "an expectation": request(headers="Expect: 200-maybe\r\n"),
}


@pytest.mark.parametrize("name", ODD)
def test_what_no_browser_sends_is_refused_or_harmless(running, name):
    answer = exchange(running, ODD[name])
    assert all(code < 500 or code in (501, 505) for code in statuses(answer)), answer[:300]
    # Nothing of what was sent becomes a header of the answer.
    head = answer.split(b"\r\n\r\n")[0].lower()
    assert b"evil.example" not in head
    assert requests.get(f"{running.url}/healthz", timeout=20).status_code == 200


@pytest.mark.parametrize("target", [
    "/api/v1/account", "/api/v1//account", "//api/v1/account", "/api/v1/./account", "/api/v1/x/../account",
    "/api/v1/account/", "/api/v1/account%2f", "/api/v1%2faccount", "/%61pi/v1/account", "/api/v1/%61ccount",
    "/api/v1/account;a=b", "/api/v1/account%00", "/api/v1/account%20", "/api/v1/account?x", "/api/v1/account#x",
    "/API/V1/ACCOUNT", "/api/v1/feed/../account", "/api/v1/feed%2f..%2faccount", "/healthz/../api/v1/account",
    "/api\\v1\\account", "/./api/v1/account", "/..;/api/v1/account",
])
def test_no_way_of_writing_an_address_leads_past_who_may(running, target):
    answer = exchange(running, request(target=target))
    assert statuses(answer) and statuses(answer)[0] in (400, 401, 404), answer[:300]


@pytest.mark.parametrize("target", [
    "/../clipfeed.sqlite", "/..%2fclipfeed.sqlite", "/%2e%2e/%2e%2e/etc/passwd", "/..%5c..%5cetc/passwd",
    "/....//....//etc/passwd", "/app/%2e%2e/%2e%2e/Makefile", "/app/..%2f..%2fMakefile", "//etc/passwd", "/%2fetc%2fpasswd",
    "/media/..%2f..%2fclipfeed.sqlite", "/media/%2e%2e/%2e%2e/clipfeed.sqlite", "/c/..%2f..%2fMakefile", "/e/%2e%2e%2f",
    "/sealed/../../clipfeed.sqlite", "/app/main.js%00.png", "/%c0%ae%c0%ae/etc/passwd", "/%252e%252e/etc/passwd",
    "/.git/config", "/app/.%2e/tests/fake-core.mjs", "/file:///etc/passwd",
])
def test_no_address_leads_out_of_its_folder(running, target):
    answer = exchange(running, request(target=target))
    assert statuses(answer) and statuses(answer)[0] in (400, 404), answer[:300]
    assert b"root:" not in answer and b"SQLite format" not in answer and b"wasm:" not in answer


@pytest.mark.parametrize("text", ["a%0d%0aSet-Cookie:%20a=b", "a%0aX-Evil:%201", "a\u560d\u560aX-Evil:%201", "a%E5%98%8D%E5%98%8AX-Evil:1"])
def test_no_line_of_an_answer_is_the_callers(running, text):
    for target in (f"/c/{text}", f"/e/{text}", f"/api/v1/clips/{text}", f"/oembed?url=http://x/c/{text}", f"/media/{text}",
                   f"/api/v1/feed?cursor={text}"):
        answer = requests.get(running.url + target, timeout=20, allow_redirects=False)
        assert answer.status_code < 500
        assert "X-Evil" not in answer.headers and "Set-Cookie" not in answer.headers


def test_two_answers_to_one_name_do_not_mix(running):
    """A cookie that comes twice, a parameter that comes twice: one of them counts, and it is never a fault."""
    for headers in ({"Cookie": "clipfeed_guest=a; clipfeed_guest=b"}, {"Cookie": ";;;=;clipfeed_access"}, {"Authorization": "Bearer  "}):
        answer = requests.get(f"{running.url}/api/v1/feed", headers=headers, timeout=20)
        assert answer.status_code in (200, 401)
    for query in ("limit=1&limit=2", "limit=1&limit=x", "cursor=&cursor=x", "limit[]=1", "limit=1;limit=2"):
        assert requests.get(f"{running.url}/api/v1/feed?{query}", timeout=20).status_code in (200, 400)
