"""deploy/nginx.conf in front of real servers, by a real nginx."""

import os
import re
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager

from clips import ROOT

ORIGINAL = "server 127.0.0.1:8080 max_fails=3 fail_timeout=5s;"
NAME = "clips.example.org"
LETSENCRYPT = f"/etc/letsencrypt/live/{NAME}"


def certificate(folder):
    """A key and a certificate of our own for the name and for this machine; the certificate's path."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem", "-subj", f"/CN={NAME}",
         "-addext", f"subjectAltName=DNS:{NAME},IP:127.0.0.1"], check=True, capture_output=True)
    return folder / "fullchain.pem"


def replaced(text, *pairs):
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def clear(text):
    """Without TLS and without the limits for one address, since all that tests ask comes from one. All else stays."""
    text = re.sub(r"    (ssl_|limit_conn |limit_req |proxy_hide_header Strict|add_header Strict|    add_header Strict|listen \[::\]:443).*\n", "", text)
    assert "ssl_" not in text and "limit_conn " not in text
    return replaced(text, (" ssl http2;", ";"))


def start(folder, text):
    """The process and its ports, once it listens. Another program may take a port between the look and the start: then on
    others."""
    program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    for tries in range(4):
        with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as other:
            port, plain = one.getsockname()[1], other.getsockname()[1]
        (folder / "clipfeed.conf").write_text(
            replaced(text, ("127.0.0.1:PORT", f"127.0.0.1:{port}"), ("127.0.0.1:PLAIN", f"127.0.0.1:{plain}")))
        process = subprocess.Popen([program, "-e", folder / "error.log", "-c", folder / "nginx.conf"])
        end = time.monotonic() + 120
        # Written when it listens: whoever answers at the port may be somebody else.
        while not (folder / "pid").exists() and process.poll() is None:
            if time.monotonic() > end:
                process.kill()
            time.sleep(0.02)
        if process.poll() is None:
            return process, port, plain
        said = (folder / "error.log").read_text()
        assert "Address already in use" in said and tries < 3, said
    raise AssertionError("unreachable")


@contextmanager
def nginx(folder, *ports, forget="5s", tls=False, change=()):
    """The configuration as it is, with other ports and another folder; its address. `tls`: with TLS and all limits, by a
    certificate of our own in that folder; else what is behind both, for clients that know only http. `change`: what else
    stands instead of what."""
    folder.mkdir()
    text = (ROOT / "deploy/nginx.conf").read_text()
    servers = "\n".join(ORIGINAL.replace("8080", str(one)).replace("5s", forget) for one in ports)
    text = replaced(
        text, (ORIGINAL, servers), ("/var/cache/nginx/clipfeed", f"{folder}/cache"),
        ("listen 80;", "listen 127.0.0.1:PLAIN;"), ("    listen [::]:80;\n", ""), *change)
    if tls:
        certificate(folder)
        text = replaced(
            text, (LETSENCRYPT, str(folder)), ("    listen [::]:443 ssl http2;\n", ""), ("/var/www/html", f"{folder}/acme"))
        (folder / "acme").mkdir()
    else:
        text = clear(text)
    text = replaced(text, ("listen 443", "listen 127.0.0.1:PORT"))
    paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; user root; events {{}}"
        f"http {{ access_log off; {paths} include {folder}/clipfeed.conf; }}")
    process, port, plain = start(folder, text)
    try:
        yield Address(f"{'https' if tls else 'http'}://127.0.0.1:{port}", f"http://127.0.0.1:{plain}")
    finally:
        process.terminate()
        process.wait(60)


class Address(str):
    """The site's; `plain` is the one that sends people there."""

    def __new__(cls, text, plain):
        made = super().__new__(cls, text)
        made.plain = plain
        return made
