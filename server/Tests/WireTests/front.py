"""deploy/nginx.conf in front of real servers, by a real nginx."""

import os
import shutil
import socket
import subprocess
import time
from contextlib import contextmanager

from clips import ROOT

ORIGINAL = "server 127.0.0.1:8080 max_fails=3 fail_timeout=5s;"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


@contextmanager
def nginx(folder, *ports, forget="5s"):
    """The configuration as it is, with other ports and another folder; its address."""
    port = free_port()
    folder.mkdir()
    text = (ROOT / "deploy/nginx.conf").read_text()
    servers = "\n".join(ORIGINAL.replace("8080", str(one)).replace("5s", forget) for one in ports)
    for old, new in ((ORIGINAL, servers), ("/var/cache/nginx/clipfeed", f"{folder}/cache"),
                     ("listen 80;", f"listen 127.0.0.1:{port};"), ("    listen [::]:80;\n", "")):
        assert old in text
        text = text.replace(old, new)
    (folder / "clipfeed.conf").write_text(text)
    paths = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; user root; events {{}}"
        f"http {{ access_log off; {paths} include {folder}/clipfeed.conf; }}")
    program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    process = subprocess.Popen([program, "-e", folder / "error.log", "-c", folder / "nginx.conf"])
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                assert process.poll() is None, (folder / "error.log").read_text()
                time.sleep(0.02)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)
