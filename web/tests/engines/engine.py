"""A browser that is not Chromium, and a person in front of it. What each needs to be driven is in webkit.py and firefox.py."""

import io
import json
import sys
import time
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from clips import HEIGHT, WIDTH, clip_in  # noqa: E402
from viewer import PATIENCE, PLAYING, differ  # noqa: E402

# Whatever the page complains of from its first moment on.
COMPLAINTS = """
window.complaints ??= [];
addEventListener('error', ({ message }) => complaints.push(message));
addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)));
"""


class Engine:
    """`run(script, argument)` calls a function of JavaScript and awaits its answer, `png()` is the page as it is seen,
    `press(key)`, `click(x, y)` and `move(path)` are a person's; `open(url)` and `close()`."""

    name = ""

    def capture(self):
        return Image.open(io.BytesIO(self.png())).convert("RGB").resize((WIDTH, HEIGHT))

    def facts(self):
        return self.run("""() => ({
          state: document.documentElement.dataset.state,
          current: document.querySelector('.page[aria-current]')?.dataset.clip,
          videos: [...document.querySelectorAll('video')].map((v) => ({
            clip: v.dataset.clip, shown: 'shown' in v.dataset, ready: v.readyState, paused: v.paused, at: v.currentTime,
            error: v.error?.message, buffered: Array.from(v.buffered, (_, i) => [v.buffered.start(i), v.buffered.end(i)]) })),
        })""")

    def wait(self, condition, argument=None, what=None):
        """Until the function answers something that is true."""
        end = time.monotonic() + PATIENCE
        while not (answer := self.run(condition, argument)):
            assert time.monotonic() < end, f"{what or condition} does not come in {self.name}; the page is {json.dumps(self.facts())}"
            time.sleep(0.05)
        return answer

    def until(self, seen, what):
        end = time.monotonic() + PATIENCE
        while not seen():
            assert time.monotonic() < end, f"{what} does not come in {self.name}; the page is {json.dumps(self.facts())}"
            time.sleep(0.05)

    def expect_playing(self, clip=None):
        """Awaits that the clip (of the API) plays in its place, and that its picture is on the screen."""
        self.run("() => { window.seen = null; }")
        self.wait(PLAYING, clip and clip["id"], f"the playing of {clip and clip['caption']}")
        if clip:
            number = int(clip["caption"].split()[-1])
            self.until(lambda: clip_in(self.capture()) == number, f"the picture of clip {number}")

    def expect_state(self, state):
        self.wait("(state) => document.documentElement.dataset.state === state", state, f"the state {state}")

    def visible(self, selector):
        return self.run("(selector) => Boolean(document.querySelector(selector)?.checkVisibility())", selector)

    def tap(self, selector):
        """In its middle, once it rests."""
        self.click(*self.run("""async (selector) => {
          const look = () => new Promise((seen) => { setTimeout(() => {
            const { left, right, top, bottom } = document.querySelector(selector).getBoundingClientRect();
            seen([Math.round((left + right) / 2), Math.round((top + bottom) / 2)]);
          }, 60); });
          let [before, now] = [null, await look()];
          while (String(before) !== String(now)) [before, now] = [now, await look()];
          return now;
        }""", selector))

    def type(self, words):
        for key in words:
            self.press(key)

    def expect_moving(self):
        """Awaits that the picture changes while one looks at it."""
        first = self.capture()
        self.until(lambda: differ(first, self.capture()) > 0.3, "another picture")

    def complaints(self):
        return self.run("() => window.complaints ?? []")


def called(script, argument):
    """The text of an expression that calls a function with something that JSON can say."""
    return f"({script})({json.dumps(argument)})"
