"""Which bytes of which clip came over the network, and which of them were ever on the screen."""

from urllib.parse import urlsplit


class Ledger:
    """Keeps account of a page's requests by the events of the browser's protocol."""

    def __init__(self, cdp):
        self._requests = {}
        self._wire = []  # (when, bytes) of all that came, headers too
        self._began = None
        cdp.on("Network.requestWillBeSent", self._sent)
        cdp.on("Network.responseReceived", self._answered)
        cdp.on("Network.dataReceived", self._received)

    def _sent(self, event):
        headers = {name.lower(): value for name, value in event["request"]["headers"].items()}
        start = headers.get("range", "bytes=0-").removeprefix("bytes=").split("-")[0]
        path = urlsplit(event["request"]["url"]).path
        self._requests[event["requestId"]] = {"path": path, "start": int(start or 0), "bytes": 0}
        self._requests[event["requestId"]]["sent"] = event["timestamp"]
        self._began = self._began or event["timestamp"]

    def _answered(self, event):
        self._wire.append((event["timestamp"], event["response"].get("encodedDataLength", 0)))

    def _received(self, event):
        request = self._requests.get(event["requestId"])
        # Nothing is encoded on the way when the bytes come from a cache.
        if request and event["encodedDataLength"] > 0:
            request["bytes"] += event["dataLength"]
        self._wire.append((event["timestamp"], event["encodedDataLength"]))

    def until(self, seconds):
        """(bytes on the wire, requests sent) in that time from the first request on."""
        end = self._began + seconds
        return (sum(size for at, size in self._wire if at <= end),
                sum(request["sent"] <= end for request in self._requests.values()))

    def ranges(self):
        """(path, start, end) of each request that brought bytes."""
        return [(r["path"], r["start"], r["start"] + r["bytes"]) for r in self._requests.values() if r["bytes"]]


def account(ranges, clips, episodes):
    """(media bytes that came, those among them that belong to segments that were shown)."""
    files = {}
    for clip in clips:
        for rendition in clip["playback"]["renditions"]:
            files[urlsplit(rendition["url"]).path] = (clip, rendition)
    shown = shown_parts(clips, episodes)
    came, useful = 0, 0
    for path in {path for path, _, _ in ranges} & files.keys():
        clip, rendition = files[path]
        mine = [(start, end) for other, start, end in ranges if other == path]
        came += sum(end - start for start, end in mine)
        edge = min(rendition["width"], rendition["height"])
        for start, end in union(mine):
            for part, (low, high) in parts(rendition).items():
                if (clip["id"], edge, part) in shown:
                    useful += max(0, min(end, high) - max(start, low))
    return came, useful


def shown_parts(clips, episodes):
    """(clip, short edge, segment) of every segment of which a frame was presented; −1: its init."""
    by_id = {clip["id"]: clip for clip in clips}
    shown = set()
    for episode in episodes:
        playback = by_id[episode["clip"]]["playback"]
        ends, at = [], 0
        for segment in playback["renditions"][0]["segments"]:
            at += segment["duration_ms"]
            ends.append(at)
        for _, media_time, edge in episode["frames"]:
            # Players that lay one turn of a loop behind the other count on.
            place = (media_time * 1000 + 1) % playback["duration_ms"]
            segment = next((i for i, end in enumerate(ends) if place < end), len(ends) - 1)
            shown |= {(episode["clip"], edge, segment), (episode["clip"], edge, -1)}
    return shown


def parts(rendition):
    init = rendition["init"]
    out = {-1: (init["offset"], init["offset"] + init["size"])}
    for i, segment in enumerate(rendition["segments"]):
        out[i] = (segment["offset"], segment["offset"] + segment["size"])
    return out


def union(ranges):
    """The same bytes, each once."""
    out = []
    for start, end in sorted(ranges):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], end)
        else:
            out.append([start, end])
    return out
