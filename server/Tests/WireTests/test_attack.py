"""Ten honest people beside two hundred clients who mean harm, on the server as it is installed. `make proof-attack`; nothing of it belongs to
`make test`, since it takes its minutes, and measures."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
import requests

import clips
import holds
import hostile_media
from conftest import published, signed_up
from server import Server

FULL = os.environ.get("CLIPFEED_PROOF") == "attack"
MINUTES = float(os.environ.get("CLIPFEED_ATTACK_MINUTES", "10"))
ATTACKERS, PEOPLE = 200, 10
HERE = Path(__file__).parent
# How much longer somebody may wait under attack, at the 99th percentile; and below what nobody notices, in milliseconds.
FACTOR, UNNOTICED = 1.5, 10
# So many waits are longer than the percentile that is compared: the longest of fifty uploads is chance.
LONGER = 5
# The server's own process, its conversions left out, in MB: what it takes in quiet, and 200 clients with eight connections each.
MEMORY = 256
TICKS = os.sysconf("SC_CLK_TCK")


class Sampler(threading.Thread):
    """Each second: what the server takes, and the longest that something held a loop or the writer."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.watch, self.samples, self.over = server, holds.Watch(server), [], threading.Event()

    def run(self):
        while not self.over.wait(1):
            family = self.family()
            memory = {pid: resident(pid) for pid in family}
            try:
                peaks = self.watch.peaks()
            except requests.RequestException:
                peaks = {"loop": 60_000, "write": 0, "read": 0}
            self.samples.append({
                "at": time.time(), "busy": busy(), "server": memory[self.server.pid], "worker": sum(memory.values()) - memory[self.server.pid],
                "descriptors": len(os.listdir(f"/proc/{self.server.pid}/fd")), **peaks})

    def family(self):
        """The server, and all that it began."""
        parents = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                pass
        family = {self.server.pid}
        while more := {pid for pid, parent in parents.items() if parent in family} - family:
            family |= more
        return family

    def processor(self):
        """Seconds of processor time so far: of the server's threads by their names, and of the programs that it began."""
        used = Counter()
        for pid in self.family():
            for task in Path(f"/proc/{pid}/task").glob("*"):
                try:
                    name, fields = (task / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
                except OSError:
                    continue
                user, system = fields.split()[11:13]
                used[re.sub(r"[#:-]*\d+$", "", name) if pid == self.server.pid else "workers"] += (int(user) + int(system)) / TICKS
        return used

    def highest(self, key, start, end):
        return max((one[key] for one in self.samples if start <= one["at"] < end), default=0)


def resident(pid):
    """In MB."""
    try:
        return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) / 1024
    except (OSError, TypeError):
        return 0


def busy():
    """Processor seconds that the whole machine has worked, whoever for."""
    fields = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / TICKS


def run(script, plan, folder):
    file = folder / f"{script}.json"
    file.write_text(json.dumps(plan))
    return subprocess.Popen([sys.executable, HERE / script, file], stdout=subprocess.PIPE, text=True)


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def media(server):
    """The addresses of the clips' media, and their ids."""
    names, ids = set(), []
    for clip in server.feed():
        ids.append(clip["id"])
        for address in re.findall(r'"(/media/[^"]+)"', json.dumps(clip)):
            if address.endswith(".m3u8"):
                text = requests.get(server.url + address, timeout=20).text
                names |= {"/media/" + name for name in re.findall(r"[0-9a-f]{64}\.mp4", text)}
            elif address.endswith(".mp4"):
                names.add(address)
    # The largest: parts of them are asked for.
    return sorted(names, key=lambda name: -size(server, name))[:8], ids


def size(server, address):
    return int(requests.head(server.url + address, timeout=20).headers["Content-Length"])


@pytest.mark.skipif(not FULL, reason="takes its minutes: make proof-attack")
def test_honest_people_lose_nothing_while_two_hundred_attack(tmp_path):
    data, video = tmp_path / "data", clips.sources([4])[0]
    clips.add(data, clips.sources(range(8)))
    server = Server(data, workers=1, environment={"CLIPFEED_METRICS_PORT": "0"})
    try:
        uploads = [
            published(server, video.read_bytes() + b"\0\0\0\x0cfree" + number.to_bytes(4, "big")) for number in range(4)]
        (tmp_path / "media").mkdir()
        files = []
        for number, (name, content) in enumerate(hostile_media.all_of(40, tmp_path / "media")):
            files.append(str(tmp_path / "media" / f"{number}"))
            Path(files[-1]).write_bytes(content)
        addresses, ids = media(server)
        assert len(addresses) > 3
        quiet, attack = MINUTES * 30, MINUTES * 60
        common = {"port": server.port, "media": addresses, "clips": ids}
        sampler = Sampler(server)
        sampler.start()
        honest = run("honest.py", common | {"seconds": quiet + attack, "people": PEOPLE, "video": str(video)}, tmp_path)
        # What begins is not counted: files that nobody has read yet, accounts.
        began = time.time() + 5
        time.sleep(quiet)
        attacked, used = time.time(), sampler.processor()
        attackers = run("attackers.py", common | {
            "only": os.environ.get("CLIPFEED_ATTACK_ONLY", ""), "seconds": attack - 5, "clients": ATTACKERS, "uploads": uploads, "files": files, "token": signed_up(server, "listener"),
            "handles": [f"honest{number}" for number in range(PEOPLE)]}, tmp_path)
        told = json.loads(attackers.communicate(timeout=attack + 120)[0])
        ended, used = time.time(), sampler.processor() - used
        print("processor, s under attack:", {name: round(seconds, 1) for name, seconds in used.most_common(12)})
        people = json.loads(honest.communicate(timeout=attack + 600)[0])
        # Streams and dribbles are hung up on, and what was kept for them is let go.
        time.sleep(30)
        over = time.time()
        sampler.over.wait(2)
        assert server.lives()
        texts = comments(server, ids)
        worse = shown(people, told, sampler, (began, attacked, ended, over))
        lost = [text for text in people["texts"] if text not in texts]
        assert not people["failures"], f"{len(people['failures'])} failures\n" + "\n".join(people["failures"][:40])
        assert not lost, f"{len(lost)} of {len(people['texts'])} comments are lost"
        assert not worse, worse
        assert sampler.highest("server", began, over) < MEMORY
        assert not any("runtime failure" in line or "Fatal error" in line for line in server.log)
    finally:
        server.stop()


def comments(server, ids):
    texts = set()
    for clip in ids:
        cursor = ""
        while cursor is not None:
            page = requests.get(f"{server.url}/api/v1/clips/{clip}/comments?limit=50{cursor}", timeout=60).json()
            texts |= {comment["text"] for comment in page["items"]}
            cursor = page["next_cursor"] and f"&cursor={page['next_cursor']}"
    return texts


def shown(people, told, sampler, times):
    """Prints the figures; answers with the kinds for which somebody waits too long."""
    began, attacked, ended, over = times
    worse = []
    print(f"\n{'':24} {'quiet':>6} {'p50':>8} {'p99':>8}   {'attack':>6} {'p50':>8} {'p99':>8}   p99, times   compared, times")
    for kind in sorted({kind for _, kind, _ in people["took"]} - {"sign up"}):
        before = [ms for at, one, ms in people["took"] if one == kind and began <= at < attacked]
        under = [ms for at, one, ms in people["took"] if one == kind and attacked <= at < ended]
        if not before or not under:
            continue
        quiet, attack = percentile(before, 0.99), percentile(under, 0.99)
        print(f"{kind:24} {len(before):6} {percentile(before, 0.5):8.1f} {quiet:8.1f}   "
              f"{len(under):6} {percentile(under, 0.5):8.1f} {attack:8.1f}   {attack / quiet:10.2f}", end="   ")
        part = max(0.5, min(0.99, 1 - LONGER / min(len(before), len(under))))
        quiet, attack = percentile(before, part), percentile(under, part)
        print(f"{attack / quiet:.2f} (p{100 * part:.0f})")
        if attack > FACTOR * max(quiet, UNNOTICED):
            worse.append(f"{kind}: {attack:.1f} ms at p{100 * part:.0f}, {quiet:.1f} in quiet")
    print(f"honest: {len(people['failures'])} failures, {people['published']} clips published, {len(people['texts'])} comments, "
          f"{people['reconnected']} connections ended while idle")
    print(f"attackers: {told['processor_s']:.0f} s of processor time in {ended - attacked:.0f} s; {json.dumps(told['told'])}")
    for what, start, end in (("quiet", began, attacked), ("attack", attacked, ended)):
        known = [one for one in sampler.samples if start <= one["at"] < end]
        share = (known[-1]["busy"] - known[0]["busy"]) / (known[-1]["at"] - known[0]["at"]) / os.cpu_count()
        print(f"{what}: the machine's {os.cpu_count()} processors were busy for {100 * share:.0f} %")
    for what, key in (("server, MB", "server"), ("its workers, MB", "worker"), ("descriptors", "descriptors"),
                      ("loop late at most, ms", "loop"), ("writer held at most, ms", "write"), ("a read at most, ms", "read")):
        print(f"{what:24} quiet {sampler.highest(key, began, attacked):8.0f}   attack {sampler.highest(key, attacked, ended):8.0f}"
              f"   after {sampler.highest(key, over - 3, over + 3):8.0f}")
    return worse
