"""Two-second ranges of media from this server and from nginx, on the same files: requests per second, and processor time
for each gigabyte. wrk asks for one segment after the other of a clip's four renditions, over 1 and over 64 connections;
the two take turns in one run."""

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import pipeline
from common import CACHE, SERVER_PROGRAM, Server, digest, table

TICKS = os.sysconf("SC_CLK_TCK")


def library():
    """The clip of the pipeline's benchmark, imported once."""
    source = pipeline.source()
    data = CACHE / f"delivery-{digest(source.read_bytes())}"
    if not data.exists():
        fresh = data.with_suffix(".new")
        shutil.rmtree(fresh, ignore_errors=True)
        subprocess.run([SERVER_PROGRAM, "import", "--data", fresh, source], check=True, timeout=900)
        fresh.rename(data)
    return data


def segments(clip):
    """Path and Range of every segment, the renditions taking turns."""
    lists = [[(rendition["url"], part) for part in rendition["segments"]] for rendition in clip["playback"]["renditions"]]
    return [(url, f"bytes={part['offset']}-{part['offset'] + part['size'] - 1}") for row in zip(*lists) for url, part in row]


def script(parts, file):
    lines = ["local parts = {"] + [f'  {{"{path}", "{part}"}},' for path, part in parts] + ["}", "local next = 0"]
    lines += ["request = function()", "  next = next % #parts + 1",
              '  return wrk.format("GET", parts[next][1], {Range = parts[next][2]})', "end"]
    file.write_text("\n".join(lines))


class Nginx:
    """Its defaults for static files, sendfile on, as many workers as cores; `takes_files`: takes them by PUT as well."""

    name = "nginx"

    def __init__(self, data, folder, takes_files=False):
        media = folder / "media"
        media.mkdir()
        for file in (data / "media").glob("*/*.*"):
            (media / file.name).symlink_to(file.resolve())
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        put = "dav_methods PUT; client_max_body_size 100m;" if takes_files else ""
        config = folder / "nginx.conf"
        config.write_text(f"""
            user root; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes auto; daemon off;
            events {{ worker_connections 1024; }}
            http {{
              types {{ video/mp4 mp4; }}
              access_log off; sendfile on; keepalive_requests 100000000; aio off;
              client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
              uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
              server {{ listen 127.0.0.1:{self.port}; location /media/ {{ root {folder}; {put} }} }}
            }}""")
        self.process = subprocess.Popen(["nginx", "-c", config, "-e", folder / "error.log"])
        time.sleep(1)
        self.ids = [self.process.pid, *map(int, Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
                                           .read_text().split())]

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Ours(Server):
    name = "clipfeed"

    @property
    def ids(self):
        return [self.pid]


def cpu_seconds(ids):
    fields = (Path(f"/proc/{id}/stat").read_text().rsplit(")", 1)[1].split() for id in ids)
    return sum(int(row[11]) + int(row[12]) for row in fields) / TICKS


UNITS = {"B": 1, "KB": 1024, "MB": 1 << 20, "GB": 1 << 30}


def measure(server, lua, connections, seconds):
    """Requests per second, and processor seconds for each gigabyte."""
    began = cpu_seconds(server.ids)
    said = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", lua, f"http://127.0.0.1:{server.port}"],
        check=True, capture_output=True, text=True, timeout=seconds + 60).stdout
    spent = cpu_seconds(server.ids) - began
    if "Non-2xx" in said or "Socket errors" in said:
        raise SystemExit(f"{server.name} did not answer all:\n{said}")
    amount, unit = re.search(r"requests in [^,]*, ([\d.]+)([KMG]?B) read", said).groups()
    return float(re.search(r"Requests/sec:\s+([\d.]+)", said)[1]), spent / (float(amount) * UNITS[unit] / 1e9)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=6)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    rounds, seconds = (1, 2) if options.quick else (options.rounds, options.seconds)
    data = library()
    with TemporaryDirectory() as name:
        folder = Path(name)
        servers = [Ours(data), Nginx(data, folder)]
        try:
            parts = segments(servers[0].feed()[0])
            sizes = [int(part.split("-")[1]) - int(part[6:].split("-")[0]) + 1 for _, part in parts]
            smallest = [part for part in parts if part[0] == parts[0][0]]
            rows = []
            for what, chosen in (("all four renditions", parts), ("the smallest", smallest)):
                lua = folder / "ranges.lua"
                script(chosen, lua)
                for connections in (1, 64):
                    got = {server.name: [] for server in servers}
                    for number in range(rounds):
                        for server in servers[::1 if number % 2 else -1]:
                            got[server.name].append(measure(server, lua, connections, seconds))
                    (ours, our_cpu), (theirs, their_cpu) = (
                        [median(column) for column in zip(*got[server.name])] for server in servers)
                    rows.append([what, connections, f"{ours:.0f}", f"{theirs:.0f}", f"{ours / theirs:.2f}",
                                 f"{our_cpu:.3f}", f"{their_cpu:.3f}", f"{our_cpu / their_cpu:.2f}"])
        finally:
            for server in servers:
                server.stop()
    build = "release" if "release" in str(SERVER_PROGRAM) else "debug"
    print(f"Segments of 2 s: {min(sizes) / 1e3:.0f} to {max(sizes) / 1e3:.0f} kB, {sum(sizes) / len(sizes) / 1e3:.0f} in the "
          f"mean; median of {rounds} rounds of {seconds} s in turn, {build} build\n")
    print(table(["segments of", "connections", "requests/s", "nginx", "ratio", "CPU s per GB", "nginx", "ratio"], rows))


if __name__ == "__main__":
    main()
