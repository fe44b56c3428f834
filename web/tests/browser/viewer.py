"""A person in front of the page: what they do, and what they see on the screen."""

import base64
import io
import time

from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Error as PlaywrightError

from clips import clip_in

PATIENCE = 20  # seconds until something that has to come counts as not coming

# Whether the current clip (that clip, if `id` is given) rests in its place, shown by an element that
# moves. Two looks at the element are needed to see it move.
PLAYING = """(id) => {
  const page = document.querySelector('.page[aria-current]');
  if (!page || (id && page.dataset.clip !== id)) return false;
  const video = document.querySelector(`video[data-clip="${page.dataset.clip}"][data-shown]`);
  if (!video || video.paused || video.seeking) return false;
  const stage = document.getElementById('stage').getBoundingClientRect();
  for (const element of [page, video]) {
    if (Math.abs(element.getBoundingClientRect().top - stage.top) > 1) return false;
  }
  const { seen } = window;
  if (seen?.clip !== page.dataset.clip) { window.seen = { clip: page.dataset.clip, at: video.currentTime }; return false; }
  return Math.abs(video.currentTime - seen.at) > 0.05;
}"""


def luma(image, box=None):
    return ImageStat.Stat((image.crop(box) if box else image).convert("L")).mean[0]


def differ(one, other):
    """Mean difference of two pictures, 0 to 255."""
    return ImageStat.Stat(ImageChops.difference(one.convert("RGB"), other.convert("RGB")).convert("L")).mean[0]


def darkest_strip(image, strips=10):
    """Mean luma of the darkest of the horizontal strips: a black page that passes by darkens one."""
    step = image.height // strips
    return min(luma(image, (0, i * step, image.width, (i + 1) * step)) for i in range(strips))


class Viewer:
    def __init__(self, page, server):
        self.page = page
        self.server = server
        self.complaints = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        self.cdp = page.context.new_cdp_session(page)

    def open(self):
        self.page.goto(self.server.url)
        return self

    def reload_feed(self):
        """The feed anew, from its first clip; a plain reload begins with the clip whose address the page has by then,
        and asks for that clip by itself."""
        self.page.evaluate("""() => {
          history.replaceState(history.state, '', '/');
          // A page that is still about to give itself its clip's address must not do so before it is gone.
          history.replaceState = () => {};
        }""")
        self.page.reload()
        return self

    # What they do

    def press(self, key):
        self.page.keyboard.press(key)

    def tap(self, x, y, times=1):
        """Within one moment of the page's clock: a driven mouse may take longer than a double tap allows."""
        self.page.evaluate("""([clientX, clientY, times]) => {
          const under = document.elementFromPoint(clientX, clientY);
          for (let i = 0; i < times; i += 1) for (const kind of ['pointerdown', 'pointerup']) {
            under.dispatchEvent(new PointerEvent(kind, { bubbles: true, isPrimary: true, pointerId: 7, clientX, clientY }));
          }
        }""", [x, y, times])

    def touch(self, path, seconds, x=None):
        """A finger along these heights (px), taking that long by its own clock."""
        began = time.time() - seconds
        x = x or self.page.viewport_size["width"] / 2
        for i, y in enumerate(path):
            at = began + seconds * i / (len(path) - 1)
            kind = "touchStart" if i == 0 else "touchMove"
            self._dispatch("Touch", type=kind, touchPoints=[{"x": x, "y": y}], timestamp=at)
        self._dispatch("Touch", type="touchEnd", touchPoints=[], timestamp=began + seconds)

    def drag(self, path, seconds):
        """The same with a mouse."""
        began = time.time() - seconds
        x = self.page.viewport_size["width"] / 2
        for i, y in enumerate(path):
            at = began + seconds * i / (len(path) - 1)
            kind = "mousePressed" if i == 0 else "mouseMoved"
            self._dispatch("Mouse", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1, timestamp=at)
        self._dispatch(
            "Mouse", type="mouseReleased", x=x, y=path[-1], button="left", clickCount=1, timestamp=began + seconds)

    def _dispatch(self, kind, **event):
        self.cdp.send(f"Input.dispatch{kind}Event", event)

    def slow_down(self, bytes_per_second, latency_ms):
        self.cdp.send("Network.enable")
        self.cdp.send("Network.emulateNetworkConditions", {
            "offline": False, "latency": latency_ms,
            "downloadThroughput": bytes_per_second, "uploadThroughput": bytes_per_second})

    # What they see

    def capture(self):
        return Image.open(io.BytesIO(self.page.locator("#stage").screenshot(animations="allow"))).convert("RGB")

    def expect_playing(self, clip=None):
        """Awaits that the clip (of the API) plays in its place, and that its picture is on the screen."""
        self.page.evaluate("window.seen = null")
        self.page.wait_for_function(PLAYING, arg=clip and clip["id"], timeout=PATIENCE * 1000)
        # What hears keys and pointers comes beside the first clip, maybe behind it.
        self.page.evaluate("import('/app/feed/gestures.js').then(() => {})")
        if clip:
            number = int(clip["caption"].split()[-1])
            self.until(lambda: clip_in(self.capture()) == number, f"the picture of clip {number}")

    def expect_known(self, count):
        """Awaits that so many clips of the feed have come: from the last of them a swipe springs back."""
        self.page.wait_for_function("(count) => clipfeed.clips() >= count", arg=count, timeout=PATIENCE * 1000)

    def expect_state(self, state):
        self.page.wait_for_function(
            "(state) => document.documentElement.dataset.state === state", arg=state, timeout=PATIENCE * 1000)

    def until(self, seen, what, patience=PATIENCE):
        end = time.monotonic() + patience
        while not seen():
            assert time.monotonic() < end, f"{what} does not come; the page is {self.facts()}"
            self.page.evaluate("new Promise(requestAnimationFrame)")

    def moves(self):
        """Whether the picture changes while one looks at it for some frames."""
        first = self.capture()
        self.page.evaluate("""async () => {
          for (let i = 0; i < 12; i += 1) await new Promise(requestAnimationFrame);
        }""")
        return differ(first, self.capture()) > 0.3

    def current(self):
        return self.page.evaluate("document.querySelector('.page[aria-current]')?.dataset.clip ?? null")

    def facts(self):
        return self.page.evaluate("""() => ({
          state: document.documentElement.dataset.state,
          current: document.querySelector('.page[aria-current]')?.dataset.clip,
          track: document.getElementById('track').style.transform,
          videos: [...document.querySelectorAll('video')].map((v) => ({
            clip: v.dataset.clip, shown: 'shown' in v.dataset, ready: v.readyState, paused: v.paused,
            at: v.currentTime, error: v.error?.message, top: v.style.top,
            buffered: Array.from(v.buffered, (_, i) => [v.buffered.start(i), v.buffered.end(i)]) })),
        })""") | {"complaints": self.complaints}

    def last_facts(self):
        """What a test that failed leaves behind: the facts, if the page can still tell them."""
        try:
            return self.facts()
        except PlaywrightError as error:
            return f"no facts: {error}"


class Film:
    """Every picture that the browser presents while something is done."""

    def __init__(self, viewer):
        self.cdp = viewer.cdp
        self.frames = []

    def __enter__(self):
        self.cdp.on("Page.screencastFrame", self._take)
        self.cdp.send("Page.startScreencast", {"format": "jpeg", "quality": 60, "everyNthFrame": 1})
        return self

    def __exit__(self, *_):
        self.cdp.send("Page.stopScreencast")
        self.cdp.remove_listener("Page.screencastFrame", self._take)

    def _take(self, event):
        self.frames.append(Image.open(io.BytesIO(base64.b64decode(event["data"]))))
        self.cdp.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})
