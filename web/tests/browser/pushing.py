"""The push service of a Chromium that is told to ask us instead of Google (RFC 8030 in front, Google's protocol behind it).

Behind: a browser checks in, registers each subscription, and keeps one connection (MCS) on which messages come to it, encrypted as they were
sent. In front: whoever has a subscription's address posts a message there. What is encrypted for a browser that browser alone can read."""

import base64
import contextlib
import http.server
import json
import re
import socket
import socketserver
import ssl
import subprocess
import threading
import time
import urllib.parse

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

MCS_VERSION = 41
LOGIN_REQUEST, LOGIN_RESPONSE, DATA_MESSAGE = 2, 3, 8
# As the real ones have it: the page's subscription says one of these, whatever the switches are.
REAL = r"https://(fcm\.googleapis|jmt17\.google)\.com/(fcm/send|wp)/"


def varint(number):
    out = b""
    while True:
        number, low = number >> 7, number & 0x7F
        out += bytes([low | (0x80 if number else 0)])
        if not number:
            return out


def field(number, value):
    """A field of a protocol buffer: text or bytes, a number, or a fixed number of 64 bits as (number,)."""
    if isinstance(value, tuple):
        return varint(number << 3 | 1) + value[0].to_bytes(8, "little")
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class PushService:
    def __init__(self, folder):
        self.folder = folder
        # By token: what the browser registered it with.
        self.subscriptions = {}
        # What came for browsers, and why others were refused.
        self.pushes, self.refusals = [], []
        self._browsers = []
        self._changed = threading.Condition()
        self._servers = [self._serve(Front(self)), self._serve(Connections(self))]
        self.url, self.port = f"http://127.0.0.1:{self._servers[0].server_address[1]}", self._servers[0].server_address[1]

    @property
    def arguments(self):
        """Of a browser that has this push service."""
        return [f"--gcm-checkin-url={self.url}/checkin", f"--gcm-registration-url={self.url}/register",
                f"--gcm-mcs-endpoint=https://127.0.0.1:{self._servers[1].server_address[1]}", "--ignore-certificate-errors"]

    def endpoint(self, real):
        """Where a subscription of such a browser is to be written to."""
        found = re.match(REAL, real)
        assert found, real
        return f"{self.url}/send/{real[found.end():]}"

    def stop(self):
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def wait(self, is_so, within=20):
        with self._changed:
            assert self._changed.wait_for(is_so, within), self.refusals

    @staticmethod
    def _serve(server):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    def certificate(self):
        key, certificate = self.folder / "push-key.pem", self.folder / "push-certificate.pem"
        if not key.exists():
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                            "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        return certificate, key

    # The side of browsers

    def register(self, form):
        token = f"{form.get('X-appid', 'app')}:{len(self.subscriptions)}-{int(time.time() * 1000)}"
        with self._changed:
            self.subscriptions[token] = form
            self._changed.notify_all()
        return token

    def attach(self, browser):
        with self._changed:
            self._browsers.append(browser)
            self._changed.notify_all()

    # The side of who sends

    def take(self, token, headers, body):
        """The status of the answer."""
        form = self.subscriptions.get(token)
        if form is None or form.get("gone"):
            return 410
        try:
            self.check(form, headers, body)
        except (AssertionError, InvalidSignature, KeyError, ValueError) as error:
            with self._changed:
                self.refusals.append(f"{type(error).__name__}: {error}")
                self._changed.notify_all()
            return 400
        with self._changed:
            assert self._changed.wait_for(lambda: self._browsers, 20), "no browser is connected"
            self.pushes.append((token, dict(headers), body))
            self._changed.notify_all()
        data = [("subtype", form["X-subtype"]), ("content-encoding", headers["Content-Encoding"])]
        message = field(3, form["sender"]) + field(5, form["app"])
        message += b"".join(field(7, field(1, key) + field(2, value)) for key, value in data)
        message += field(9, f"0:{len(self.pushes)}") + field(10, len(self.pushes) + 1) + field(17, int(headers["TTL"])) + field(21, body)
        self._browsers[-1].sendall(bytes([DATA_MESSAGE]) + varint(len(message)) + message)
        return 201

    def check(self, form, headers, body):
        """What RFC 8030 and RFC 8292 demand of who sends."""
        assert int(headers["TTL"]) >= 0 and len(body) <= 4096
        assert headers["Urgency"] in ("very-low", "low", "normal", "high")
        assert re.fullmatch("[A-Za-z0-9_-]{1,32}", headers["Topic"])
        assert headers["Content-Encoding"] == "aes128gcm"
        token, key = re.fullmatch(r"vapid t=(\S+), k=(\S+)", headers["Authorization"]).groups()
        head, claims, signature = token.split(".")
        # The key that the page subscribed with is whom the browser lets write.
        assert key == form["sender"].rstrip("="), f"{key} is not {form['sender']}"
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpadded(key))
        raw = unpadded(signature)
        der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
        said = json.loads(unpadded(claims))
        assert said["aud"] == self.url and time.time() < said["exp"] <= time.time() + 86_400 and said["sub"].startswith("mailto:"), said


class Front(http.server.ThreadingHTTPServer):
    """Check-in, registration, and the address of each subscription."""

    daemon_threads = True

    def __init__(self, service):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                path = urllib.parse.urlsplit(self.path).path
                status, answer = 200, b""
                if path == "/checkin":
                    answer = field(1, 1) + field(3, int(time.time() * 1000)) + field(7, (0x1234567890,)) + field(8, (0x9876543210,)) + field(9, 1)
                elif path == "/register":
                    answer = b"token=" + service.register(dict(urllib.parse.parse_qsl(body.decode()))).encode()
                else:
                    status = service.take(urllib.parse.unquote(path.removeprefix("/send/")), self.headers, body)
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)


class Connections(socketserver.ThreadingTCPServer):
    """On which messages come to a browser."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, service):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*service.certificate())

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                with contextlib.suppress(OSError, ssl.SSLError):
                    connection = context.wrap_socket(self.request, server_side=True)
                    assert self.read(connection, 2)[1] == LOGIN_REQUEST
                    self.read(connection, self.size(connection))
                    login = field(1, "login") + field(8, int(time.time() * 1000))
                    connection.sendall(bytes([MCS_VERSION, LOGIN_RESPONSE]) + varint(len(login)) + login)
                    service.attach(connection)
                    while connection.recv(4096):
                        pass

            @staticmethod
            def read(connection, count):
                data = b""
                while len(data) < count:
                    piece = connection.recv(count - len(data))
                    if not piece:
                        raise OSError("it is closed")
                    data += piece
                return data

            def size(self, connection):
                size, shift = 0, 0
                while True:
                    byte = self.read(connection, 1)[0]
                    size |= (byte & 0x7F) << shift
                    shift += 7
                    if byte < 0x80:
                        return size

        super().__init__(("127.0.0.1", 0), Handler)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
