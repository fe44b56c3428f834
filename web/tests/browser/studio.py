"""A person in front of the record screen. The camera is Chromium's: a pie that turns on green, a beep."""

import json
import subprocess

from viewer import PATIENCE

ALLOWED = {"permissions": ["camera", "microphone"]}
# What is held of the things that must be given back.
NOTE_HOLDINGS = """
window.held = { addresses: new Set(), asked: null, tracks: [], contexts: [], sounds: [] };
const { createObjectURL, revokeObjectURL } = URL;
URL.createObjectURL = (blob) => {
  const address = createObjectURL.call(URL, blob);
  held.addresses.add(address);
  return address;
};
URL.revokeObjectURL = (address) => { held.addresses.delete(address); revokeObjectURL.call(URL, address); };
const ask = MediaDevices.prototype.getUserMedia;
MediaDevices.prototype.getUserMedia = async function (wish) {
  held.asked = wish;
  const stream = await ask.call(this, wish);
  held.tracks.push(...stream.getTracks());
  return stream;
};
const { getContext } = HTMLCanvasElement.prototype;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  const context = getContext.call(this, kind, ...rest);
  // NB: a context keeps its canvas, and that the whole screen.
  if (kind === 'webgl2' && context) held.contexts.push(new WeakRef(context));
  return context;
};
window.AudioContext = class extends AudioContext {
  constructor(...options) { super(...options); held.sounds.push(this); }
};
"""


class RecordScreen:
    def __init__(self, viewer):
        self.viewer = viewer
        self.page = viewer.page
        self.root = self.page.locator("#studio")
        self.shutter = self.page.locator("[data-part=shutter]")

    def open(self):
        self.page.get_by_role("button", name="Record a clip").click()
        return self.expect_ready()

    # What they do

    def record(self, seconds):
        """Taps, waits until the video is so much longer, taps again. Answers how long it is then (s)."""
        begin = self.length()
        self.tap_shutter()
        self.expect_stage("capturing")
        self.expect_length(begin + seconds)
        self.tap_shutter()
        self.expect_stage("ready")
        return self.length()

    def tap_shutter(self):
        """NB: a click that takes a busy browser 300 ms is a hold, which ends with it. This one takes no time."""
        self.shutter.hover()
        self.shutter.evaluate("""button => {
          for (const type of ['pointerdown', 'pointerup']) {
            button.dispatchEvent(new PointerEvent(type, { pointerId: 1, pointerType: 'mouse', isPrimary: true, bubbles: true }));
          }
        }""")

    def tap(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def choose(self, tray, name):
        self.tap(tray)
        self.page.get_by_role("radio", name=name, exact=True).check()
        self.tap(tray)

    def finish(self, file):
        """Makes the video and saves it as that file."""
        self.tap("Finish")
        self.expect_stage("finished", patience=60)
        with self.page.expect_download() as download:
            self.tap("Save video")
        download.value.save_as(file)
        return file

    # What they see

    def expect_stage(self, stage, patience=PATIENCE):
        # NB: not wait_for_selector, whose answer keeps the element alive.
        self.page.locator(f"#studio[data-stage={stage}]").wait_for(timeout=patience * 1000)

    def expect_ready(self):
        self.page.locator("#studio[data-stage=ready] [data-part=shutter][aria-disabled=false]").wait_for(
            timeout=PATIENCE * 1000)
        return self

    def expect_gone(self):
        self.root.wait_for(state="detached")
        self.page.wait_for_function("() => location.hash === '' && !document.querySelector('#stage > [inert]')")

    def expect_length(self, seconds):
        self.page.wait_for_function(
            "(s) => Number.parseFloat(document.querySelector('[data-part=length]').textContent) >= s",
            arg=seconds, timeout=PATIENCE * 1000)

    def length(self):
        """Seconds of the video, as the screen says."""
        text = self.page.locator("[data-part=length]").inner_text()
        return float(text.split()[0]) if text else 0

    def marks(self):
        return self.page.locator("[data-part=marks] i").count()

    def finder(self):
        """What the viewfinder draws, as a picture of its own size."""
        return self.page.locator("[data-part=finder]")

    # What is on the disk

    def stored(self):
        """The list of clips as it was written, and the clips of which there are pieces."""
        rows = self._rows()
        return {"list": rows["list"], "files": sorted(set(rows["pieces"]))}

    def expect_pieces(self, count, others):
        """Waits until so many pieces are stored of a clip that is none of the others."""
        self.viewer.until(lambda: sum(clip not in others for clip in self._rows()["pieces"]) >= count, f"piece {count}")

    def _rows(self):
        """Of each piece the clip that it is of."""
        return self.page.evaluate("""async () => {
          const answered = (request) => new Promise((resolve, reject) => {
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
          });
          const db = await answered(indexedDB.open('clipfeed-studio'));
          try {
            if (!db.objectStoreNames.length) return { list: null, pieces: [] };
            const transaction = db.transaction(['pieces', 'notes']);
            const [list, pieces] = await Promise.all([
              answered(transaction.objectStore('notes').get('list')),
              answered(transaction.objectStore('pieces').getAll()),
            ]);
            return { list: list?.clips ?? null, pieces: pieces.map(({ clip }) => clip) };
          } finally { db.close(); }
        }""")


def seconds_of(file):
    return float(_probe(file, "format=duration")["format"]["duration"])


def lasts(file, played):
    """Whether the file holds all that was played (s). It is recorded while it plays, so the pauses of a busy machine are in it
    too; a clip that is missing or at the wrong speed makes it a third shorter or half as long again."""
    return played * 0.9 < seconds_of(file) + 0.05 and seconds_of(file) < played * 1.4 + 0.05


def streams_of(file):
    return {stream["codec_type"]: stream for stream in _probe(file, "stream=codec_type,width,height")["streams"]}


def _probe(file, entries):
    done = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", entries, "-of", "json", file],
        capture_output=True, text=True, timeout=30, check=True)
    return json.loads(done.stdout)


def picture_of(file, to):
    """A picture out of the first second of a video."""
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-ss", "0.5", "-i", file, "-frames:v", "1", to], check=True, timeout=30)
    return to
