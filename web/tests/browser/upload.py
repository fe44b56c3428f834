"""A person in front of the upload screen, and what the network and the server saw of it."""

import json
import os
import struct
import subprocess
import urllib.error
import urllib.request

from playwright.sync_api import expect

import clips
from viewer import PATIENCE

MB = 1 << 20


def padded(source, to, size):
    """The same clip as a file of that size: behind it stands a box that players skip."""
    content = source.read_bytes()
    room = size - len(content)
    to.write_bytes(content + struct.pack(">I4s", room, b"free") + os.urandom(room - 8))
    return to


def lasting(seconds, to):
    """A small picture that lasts that long."""
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"color=c=teal:s=64x64:r=1:d={seconds}",
         "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", to], check=True, timeout=60)
    return to


class UploadScreen:
    def __init__(self, viewer):
        self.viewer = viewer
        self.page = viewer.page
        self.root = self.page.locator("#uploader")
        self.pill = self.page.locator("#uploading")
        self.id = None
        # Each request with bytes: where they began and how many there were.
        self.sent = []
        self.created = 0
        self.page.on("request", self._note_request)
        self.page.on("response", self._note_response)

    def open(self):
        """By the key, which is heard when the page has all it plays with."""
        def opened():
            self.page.keyboard.press("u")
            return self.root.count() > 0
        self.viewer.until(opened, "the upload screen")
        return self.expect("empty")

    # What they do

    def choose(self, file):
        self.page.locator("#uploader [data-part=input]").set_input_files(file)
        return self

    def describe(self, caption=None, tags=None, unlisted=False):
        if caption is not None:
            self.root.get_by_role("textbox", name="Caption").fill(caption)
        if tags is not None:
            self.root.get_by_role("textbox", name="Tags").fill(tags)
        if unlisted:
            self.root.get_by_role("radio", name="Unlisted").check()

    def tap(self, name):
        self.root.get_by_role("button", name=name, exact=True).click()

    def slow(self, bytes_per_second):
        self.viewer.slow_down(bytes_per_second, latency_ms=0)

    def drop(self, file, target="#stage"):
        """Out of a folder, onto the page."""
        self.page.evaluate(
            """([target, name, bytes]) => {
              const dataTransfer = new DataTransfer();
              dataTransfer.items.add(new File([Uint8Array.from(bytes)], name, { type: 'video/mp4' }));
              for (const kind of ['dragover', 'drop']) {
                document.querySelector(target).dispatchEvent(
                  new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
              }
            }""", [target, file.name, list(file.read_bytes())])

    # What they see

    def expect(self, *phases, patience=PATIENCE):
        choice = ", ".join(f"#uploader[data-phase={phase}]" for phase in phases)
        self.page.locator(choice).wait_for(timeout=patience * 1000)
        return self

    def expect_closed(self):
        self.root.wait_for(state="detached")
        self.page.wait_for_function("() => location.hash === '' && !document.querySelector('#stage > [inert]')")

    def share(self):
        return float(self.root.get_by_role("progressbar").get_attribute("aria-valuenow"))

    def expect_share(self, percent):
        self.viewer.until(lambda: self.share() >= percent, f"{percent} %")

    def trouble(self):
        alert = self.page.locator("#uploader [data-part=trouble]")
        alert.wait_for()
        return alert.inner_text()

    def expect_facts(self, text):
        """Length and pixels of the file come with its preview, which may be behind all that is sent."""
        expect(self.page.locator("#uploader [data-part=facts]")).to_contain_text(text, timeout=PATIENCE * 1000)

    def asks_to_stay(self):
        """Whether the page would ask before it is left."""
        return self.page.evaluate("""() => {
          const event = new Event('beforeunload', { cancelable: true });
          dispatchEvent(event);
          return event.defaultPrevented;
        }""")

    # What the server has

    def status(self):
        with urllib.request.urlopen(f"{self.viewer.server.url}/api/v1/uploads/{self.id}", timeout=10) as answer:
            return json.load(answer)

    def settled_offset(self):
        """How far the server is, once nobody else adds to it."""
        request = urllib.request.Request(f"{self.viewer.server.url}/api/v1/uploads/{self.id}", method="HEAD")
        with urllib.request.urlopen(request, timeout=10) as answer:
            return int(answer.headers["Upload-Offset"])

    def is_known(self):
        try:
            self.status()
            return True
        except urllib.error.HTTPError as error:
            assert error.code in (404, 410)
            return False

    def clip(self):
        clip = self.status()["clip"]["id"]
        with urllib.request.urlopen(f"{self.viewer.server.url}/api/v1/clips/{clip}", timeout=10) as answer:
            return json.load(answer)

    # What is on the disk

    def stored(self):
        """The keys of what waits for another page."""
        return self.page.evaluate("""async () => {
          const answered = (request) => new Promise((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
          });
          const db = await answered(indexedDB.open('clipfeed-upload'));
          try {
            return db.objectStoreNames.length ? await answered(db.transaction('notes').objectStore('notes').getAllKeys()) : [];
          } finally { db.close(); }
        }""")

    def _note_request(self, request):
        if "/api/v1/uploads" not in request.url:
            return
        if request.method == "POST" and request.url.endswith("/uploads"):
            self.created += 1
        if request.method == "PATCH" and "upload-offset" in request.headers:
            self.sent.append(int(request.headers["upload-offset"]))

    def _note_response(self, response):
        if response.status == 201 and response.url.endswith("/uploads"):
            self.id = response.headers["location"].rsplit("/", 1)[-1]


def source(number):
    return clips.sources([number])[0]
