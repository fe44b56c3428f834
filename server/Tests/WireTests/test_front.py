"""deploy/nginx.conf as it is, with TLS by a certificate of our own: what it refuses, and what it lets through to the server."""

import http.client
import os
import socket
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
import requests

import front
from blobs import put_blob
from conftest import MEDIA, PASSWORD
from server import Server
from test_limits import make

ORIGIN = f"https://{front.NAME}"


@pytest.fixture
def behind(tmp_path):
    """A server that is told what deploy/nginx.conf says."""
    running = Server(tmp_path / "data", environment={"CLIPFEED_PROXIES": "1", "CLIPFEED_ORIGIN": ORIGIN})
    yield running
    running.stop()


@pytest.fixture
def site(behind, tmp_path):
    with front.nginx(tmp_path / "nginx", behind.port, tls=True) as address:
        yield Site(address, tmp_path / "nginx/fullchain.pem")


class Site:
    def __init__(self, address, certificate):
        self.address, self.certificate = address, certificate

    def ask(self, method, path, **more):
        return requests.request(
            method, self.address + path, verify=self.certificate, timeout=20, allow_redirects=False, **more)

    def raw(self, target, **headers):
        """The target as it is written: `requests` would tidy it up."""
        parts = urlsplit(self.address)
        connection = http.client.HTTPSConnection(
            parts.hostname, parts.port, timeout=20, context=ssl.create_default_context(cafile=self.certificate))
        connection.putrequest("GET", target, skip_host=True)
        for name, value in {"Host": front.NAME, **headers}.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()


@pytest.fixture
def blob(behind):
    return put_blob(behind, MEDIA, public=True)


def test_who_comes_without_tls_is_sent_to_where_there_is_some(site, tmp_path):
    answer = requests.get(
        site.address.plain + "/c/a?b=c", headers={"Host": "evil.example"}, allow_redirects=False, timeout=20)
    assert answer.status_code == 301 and answer.headers["Location"] == f"{ORIGIN}/c/a?b=c"
    challenge = tmp_path / "nginx/acme/.well-known/acme-challenge/token"
    challenge.parent.mkdir(parents=True)
    challenge.write_text("proof")
    assert requests.get(site.address.plain + "/.well-known/acme-challenge/token", timeout=20).text == "proof"


def test_every_answer_keeps_browsers_with_tls_and_says_so_once(site, blob):
    for path, status in (("/", 200), (blob, 200), ("/nothing", 404), ("/api/v1/feed", 200), ("/a/../b", 400)):
        answer = site.raw(path)
        assert answer[0] == status
        assert answer[1]["Strict-Transport-Security"] == "max-age=31536000"


def test_old_versions_of_tls_are_refused(site):
    context = ssl.create_default_context(cafile=site.certificate)
    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.maximum_version = ssl.TLSVersion.TLSv1_1
    parts = urlsplit(site.address)
    with pytest.raises(ssl.SSLError), socket.create_connection((parts.hostname, parts.port), timeout=20) as plain:
        context.wrap_socket(plain, server_hostname="127.0.0.1")


@pytest.mark.parametrize("path", ["/api/v1/uploads", "/api/v1/feed", "/sealed/a/b/c.mp4", "/media/c.mp4", "/"])
def test_what_a_client_says_of_tls_does_not_count(tmp_path, path):
    """Behind a proxy without TLS: a client's own `X-Forwarded-Proto` must not make the server believe that there is some."""
    with_proxy = Server(tmp_path / "data", environment={"CLIPFEED_PROXIES": "1"})
    try:
        said = {"X-Forwarded-Proto": "https"}
        assert "Strict-Transport-Security" in requests.get(with_proxy.url + "/healthz", headers=said, timeout=20).headers
        with front.nginx(tmp_path / "nginx", with_proxy.port) as address:
            answer = requests.get(address + path, headers=said, timeout=20)
            assert answer.headers["X-Request-Id"] and "Strict-Transport-Security" not in answer.headers
    finally:
        with_proxy.stop()


@pytest.mark.parametrize("target", [
    "/x/../media/{name}", "/./media/{name}", "/x/%2e%2e/media/{name}", "/x/.%2E/media/{name}", "/x%2f../media/{name}",
    "/media/{name}/..", "/media/.", "/a/..?b", "/%2e/a"])
def test_dot_segments_go_no_further(site, blob, target):
    assert site.raw(target.replace("{name}", blob[7:]))[0] == 400
    assert site.raw(blob)[0] == 200


def test_dots_elsewhere_are_no_segments(site):
    for target in ("/a..b", "/.well", "/a?b=/../c", "/..a", "/a.."):
        assert site.raw(target)[0] == 404


@pytest.mark.parametrize("target", ["/media%2F{name}", "//media/{name}", "/media/%{hex}{rest}", "/media/{name}/"])
def test_an_answer_is_kept_for_the_spelling_that_the_server_saw_alone(site, behind, blob, target):
    name = blob[7:]
    odd = (target.replace("{name}", name).replace("{hex}", f"{ord(name[0]):x}").replace("{rest}", name[1:]))
    for _ in range(2):
        status, headers, _ = site.raw(odd)
        assert headers.get("X-Cache", "BYPASS") == "BYPASS"
    cached = [path for path in (behind.data.parent / "nginx/cache").rglob("*") if path.is_file()]
    assert not cached
    status, headers, body = site.raw(blob)
    assert status == 200 and body == MEDIA and headers["X-Cache"] == "MISS"
    assert site.raw(blob + "?x")[1]["X-Cache"] == "HIT"


@pytest.mark.parametrize("path", ["/readyz", "/readyz/", "//readyz", "/readyz?x", "/metrics"])
def test_how_the_instance_is_is_for_the_operator_alone(behind, tmp_path, path):
    allowed = ("        allow 127.0.0.1;\n", "")
    with front.nginx(tmp_path / "stranger", behind.port, tls=True, change=[allowed]) as address:
        assert Site(address, tmp_path / "stranger/fullchain.pem").raw(path)[0] == 403
    with front.nginx(tmp_path / "operator", behind.port, tls=True) as address:
        site = Site(address, tmp_path / "operator/fullchain.pem")
        # 503 is an answer as well: this machine may be too busy to be ready.
        assert site.raw(path)[0] in ((404,) if path == "/metrics" else (200, 503))


def test_an_address_that_floods_is_held_back(behind, tmp_path):
    # Slower than this machine asks, however busy it is.
    rate = ("rate=100r/s;", "rate=1r/m;")
    with front.nginx(tmp_path / "nginx", behind.port, tls=True, change=[rate]) as address:
        site = Site(address, tmp_path / "nginx/fullchain.pem")
        with ThreadPoolExecutor(8) as many:
            answers = list(many.map(lambda _: site.ask("GET", "/nothing").status_code, range(400)))
    assert answers.count(404) > 300 and 429 in answers


def test_connections_of_one_address_have_an_end(behind, tmp_path):
    few = ("limit_conn clipfeed_connections 200;", "limit_conn clipfeed_connections 3;")
    slow = ("client_body_timeout 30s;", "client_body_timeout 5s;")
    with front.nginx(tmp_path / "nginx", behind.port, tls=True, change=[few, slow]) as address:
        site = Site(address, tmp_path / "nginx/fullchain.pem")
        held = [begun(site, "/api/v1/sessions") for _ in range(3)]

        def is_full():
            # A machine may take so long for three that the first is given up: then there is one more.
            held.append(begun(site, "/api/v1/sessions"))
            return site.ask("GET", "/healthz").status_code == 429
        assert wait(is_full)
        # Bodies that do not come are given up, and there is room again.
        assert wait(lambda: site.ask("GET", "/healthz").status_code == 200)
        for connection in held:
            connection.close()


def begun(site, path):
    """A request whose body does not come."""
    parts = urlsplit(site.address)
    connection = ssl.create_default_context(cafile=site.certificate).wrap_socket(
        socket.create_connection((parts.hostname, parts.port), timeout=20), server_hostname="127.0.0.1")
    connection.sendall(
        f"POST {path} HTTP/1.1\r\nHost: {front.NAME}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{{".encode())
    return connection


def wait(condition):
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def test_an_upload_and_a_stream_of_events_pass(site, behind):
    data = b"\0\0\0\x18ftypmp42" + os.urandom(3_000_000)
    upload = make(behind, data).json()["id"]
    answer = site.ask(
        "PATCH", f"/api/v1/uploads/{upload}", data=data,
        headers={"Tus-Resumable": "1.0.0", "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"})
    assert answer.status_code == 204, answer.text
    assert site.ask("POST", f"/api/v1/uploads/{upload}/commit").json()["state"] == "processing"
    token = site.ask(
        "POST", "/api/v1/accounts", json={"handle": "mara", "password": PASSWORD, "transport": "token"}
    ).json()["access_token"]
    with site.ask("GET", "/api/v1/live", headers={"Authorization": f"Bearer {token}"}, stream=True) as events:
        assert events.headers["Content-Type"] == "text/event-stream"
        assert b"event: ready" in next(events.iter_content(None))


def test_a_browsers_cookies_hold_by_their_names(site):
    answer = site.ask(
        "POST", "/api/v1/accounts", json={"handle": "mara", "password": PASSWORD, "transport": "cookie"})
    assert answer.status_code == 201
    names = {cookie.name for cookie in answer.cookies}
    assert names == {"__Secure-clipfeed_access", "__Secure-clipfeed_refresh", "__Secure-clipfeed_device"}


def test_a_stranger_is_told_no_more_than_whether_it_is_ready(behind):
    def stranger():
        return requests.get(f"{behind.url}/readyz", headers={"X-Forwarded-For": "203.0.113.9"}, timeout=20)
    # This machine may be too busy to be ready.
    wait(lambda: stranger().status_code == 200)
    told = stranger()
    assert told.status_code == 200 and told.json() == {"status": "ok", "checks": {}}
    own = requests.get(f"{behind.url}/readyz", timeout=20).json()
    assert own["checks"]["database"] == "ok"
