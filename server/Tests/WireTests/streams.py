"""Streams that others serve: what ffmpeg makes of a picture that moves, and a server that hands out whatever it is told to."""

import json
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def make_stream(folder, number, *more, seconds=2, size="180x320", rate=300):
    """A playlist and its pieces. Each number is another picture."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"testsrc2=s={size}:r=30,hue=h={number * 40}", "-f", "lavfi", "-i",
         f"sine=f={300 + 50 * number}:r=48000", "-t", str(seconds), "-c:v", "libx264", "-preset", "ultrafast", "-b:v", f"{rate}k",
         "-g", "30", "-pix_fmt", "yuv420p", "-c:a", "aac", "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod",
         *more, folder / "media.m3u8"], check=True, timeout=120)
    return folder


def make_apart(folder, number):
    """A stream whose sound is in pieces of its own."""
    whole = make_stream(folder, number, "-hls_segment_type", "fmp4")
    for name, kept in (("picture", "0:v"), ("sound", "0:a")):
        (folder / name).mkdir()
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", whole / "media.m3u8", "-map", kept, "-c", "copy", "-f", "hls", "-hls_time", "1",
             "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4", folder / name / "media.m3u8"], check=True, timeout=120)
    return folder


def master(*variants):
    """A master playlist of (address, short side, bits per second)."""
    lines = ["#EXTM3U"]
    for address, side, rate in variants:
        lines += [f"#EXT-X-STREAM-INF:BANDWIDTH={rate},RESOLUTION={side}x{side * 16 // 9}", address]
    return "\n".join(lines) + "\n"


class Streams:
    """Answers on one address of this machine. `said` has an answer for each path: bytes, a text, something for JSON, a
    status with headers, or a function that writes to the connection; what is not there is a file of `folder`. `certificate`,
    the files of a certificate and its key, makes it speak TLS, under the name `name`."""

    def __init__(self, folder, address="127.0.0.1", certificate=None, name=None):
        self.said, self.asked = {}, []
        streams = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                streams.asked.append((self.path, self.headers.get("Range")))
                answer = streams.said.get(self.path)
                if callable(answer):
                    self.close_connection = True
                    try:
                        answer(self)
                    except OSError:
                        pass
                    return
                status, headers = 200, {}
                if isinstance(answer, tuple):
                    (status, headers), answer = answer, b""
                elif answer is None:
                    file = folder / self.path.split("?")[0].lstrip("/")
                    if not file.is_file():
                        status, answer = 404, b""
                    else:
                        answer = file.read_bytes()
                elif isinstance(answer, str):
                    answer = answer.encode()
                elif not isinstance(answer, bytes):
                    answer = json.dumps(answer).encode()
                if status == 200 and (range_ := self.headers.get("Range")) and self.path not in streams.rangeless:
                    first, last = map(int, range_.removeprefix("bytes=").split("-"))
                    headers["Content-Range"] = f"bytes {first}-{min(last, len(answer) - 1)}/{len(answer)}"
                    status, answer = 206, answer[first:last + 1]
                self.send_response(status)
                for name, value in {"Content-Length": str(len(answer)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)

        self.rangeless = set()
        self.host = name or address
        self.scheme = "https" if certificate else "http"
        self._server = ThreadingHTTPServer((address, 0), Handler)
        self._server.daemon_threads = True
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            # The handshake is made by the first read, in the thread of its connection.
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self._server.server_port

    @property
    def url(self):
        return f"{self.scheme}://{self.host}:{self.port}"

    def paths(self):
        return [path for path, _ in self.asked]

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def endless(begin, more):
    """A body that goes on for as long as anybody reads."""

    def answer(handler):
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(begin)
        while True:
            handler.wfile.write(more)

    return answer
