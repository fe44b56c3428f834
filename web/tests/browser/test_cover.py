"""The picture that stands for a clip: chosen from the file, or from what the server made of it."""

import io
import subprocess
import urllib.error
import urllib.request
from urllib.parse import urljoin

import pytest
from PIL import Image

import clips
from server import Server
from upload import MB, UploadScreen, padded
from viewer import PATIENCE

pytestmark = pytest.mark.long

RATE = 30
SECONDS = 4
WIDTH, HEIGHT = 360, 640


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Makes clips of what it is sent."""
    folder = tmp_path_factory.mktemp("covers")
    data = folder / "data"
    clips.add(data, clips.sources([0]))
    server = Server(data, workers=1)
    yield server
    server.stop()


def telling(to, seed, *encoding):
    """A clip whose picture tells the number of each frame: eight upright bars, the lowest bit on the left. `seed`
    makes it another clip."""
    bars = "format=gray,geq=lum='255*mod(floor(N/pow(2,X)),2)'"
    picture = f"nullsrc=s=8x2:r={RATE}:d={SECONDS},{bars},scale={WIDTH}:{HEIGHT}:flags=neighbor,setsar=1"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"{picture},drawbox=h={seed}:color=gray:t=fill",
         "-pix_fmt", "yuv420p", *encoding, to], check=True, timeout=60)
    return to


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    return telling(tmp_path_factory.mktemp("films") / "film.mp4", 2, "-c:v", "libx264", "-g", "10")


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """A video that this browser cannot play and the server can."""
    return telling(tmp_path_factory.mktemp("films") / "film.ts", 4, "-c:v", "mpeg2video", "-q:v", "2")


def told(image):
    return sum(
        (image.getpixel(((2 * bit + 1) * image.width // 16, image.height // 2)) > 127) << bit for bit in range(8))


def fetched(server, url):
    with urllib.request.urlopen(urljoin(server.url, url), timeout=10) as answer:
        return answer.read()


class Strip:
    def __init__(self, screen):
        self.page = screen.page
        self.slider = screen.root.get_by_role("slider", name="Cover", exact=True)
        self.viewer = screen.viewer

    def wait(self, seconds=PATIENCE):
        self.page.locator("#uploader .cover input:enabled").wait_for(timeout=seconds * 1000)

    def shown(self):
        """The number of the frame that the chosen picture shows."""
        return self._told("#uploader .strip > canvas")

    def row(self):
        """Those of all the pictures in the strip."""
        count = self.page.locator("#uploader .tiles canvas").count()
        return [self._told(f"#uploader .tiles canvas:nth-child({number + 1})") for number in range(count)]

    def last(self):
        """That of the last one; −1 as long as there is no row: it is laid out a frame later."""
        return [-1, *self.row()][-1]

    def expect(self, frame):
        try:
            self.viewer.until(lambda: self.shown() == frame, f"frame {frame}")
        except AssertionError as error:
            raise AssertionError(f"it shows {self.shown()}") from error

    def _told(self, selector):
        return self.page.evaluate(
            """(selector) => {
              const canvas = document.querySelector(selector);
              const { data } = canvas.getContext('2d').getImageData(0, canvas.height / 2, canvas.width, 1);
              return [...Array(8).keys()].reduce((number, bit) =>
                number | (data[4 * Math.floor((2 * bit + 1) * canvas.width / 16)] > 127 ? 1 << bit : 0), 0);
            }""", selector)


def cover_of(screen):
    """Once the server has made it."""
    def there():
        return screen.clip().get("cover")
    screen.viewer.until(there, "the cover")
    return there()


def frame_of_cover(server, screen):
    """The number of the frame that the server shows now; None if that picture is gone for another one meanwhile."""
    try:
        return told(Image.open(io.BytesIO(fetched(server, cover_of(screen)["url"]))).convert("L"))
    except urllib.error.HTTPError:
        return None


def test_a_cover_is_chosen_from_the_file_by_keys_alone_before_the_clip_is_there(open_page, server, film):
    viewer = open_page(server)
    loaded = []
    viewer.page.on("request", lambda request: loaded.append(request.url))
    screen = UploadScreen(viewer).open()
    assert not [url for url in loaded if "/cover/" in url]
    screen.choose(film)
    strip = Strip(screen)
    strip.wait()
    assert strip.slider.get_attribute("aria-valuetext") == "first picture"
    strip.expect(0)
    strip.slider.focus()
    strip.slider.press("End")
    strip.expect(117)
    strip.slider.press("Home")
    for _ in range(15):
        strip.slider.press("ArrowRight")
    assert strip.slider.get_attribute("aria-valuetext") == "1.5 s"
    strip.expect(45)
    # From the first picture to the last, as they follow each other.
    viewer.until(lambda: strip.last() == 117, "the row")
    row = strip.row()
    assert row[0] == 0 and row == sorted(row) and len(row) >= 4
    screen.expect("complete")
    screen.tap("Publish")
    screen.expect("published", patience=60)
    cover = cover_of(screen)
    assert (cover["width"], cover["height"]) == (WIDTH, HEIGHT) and cover["placeholder"]
    assert told(Image.open(io.BytesIO(fetched(server, cover["url"]))).convert("L")) == 45
    poster = screen.clip()["poster"]["url"]
    assert told(Image.open(io.BytesIO(fetched(server, poster))).convert("L")) == 0
    # And another one, now that everybody can see it.
    strip.slider.press("Home")
    strip.slider.press("ArrowRight")
    viewer.until(lambda: cover_of(screen)["url"] != cover["url"], "another cover")
    assert told(Image.open(io.BytesIO(fetched(server, cover_of(screen)["url"]))).convert("L")) == 3
    assert viewer.complaints == []


def test_a_file_that_the_browser_cannot_play_has_its_cover_from_the_servers_pictures(open_page, server, foreign):
    viewer = open_page(server)
    screen = UploadScreen(viewer).open()
    screen.choose(foreign)
    screen.expect("complete")
    strip = Strip(screen)
    strip.slider.wait_for(state="hidden")
    screen.tap("Publish")
    screen.expect("published", patience=60)
    strip.wait(60)
    strip.expect(0)
    assert screen.clip().get("cover") is None
    strip.slider.focus()
    for _ in range(6):
        strip.slider.press("ArrowRight")
    assert strip.slider.get_attribute("aria-valuetext") == "1.5 s"
    strip.expect(45)
    # The server is told of each step on the way, one after the other.
    viewer.until(lambda: frame_of_cover(server, screen) == 45, "the cover of the last step")
    strip.slider.press("Home")
    viewer.until(lambda: screen.clip().get("cover") is None, "no cover any more")


def test_a_finger_chooses_as_well_and_what_was_chosen_outlives_the_page(open_page, server, film, tmp_path):
    viewer = open_page(server)
    screen = UploadScreen(viewer).open()
    screen.slow(MB // 2)
    screen.choose(padded(film, tmp_path / "large.mp4", 8 * MB))
    strip = Strip(screen)
    strip.wait()
    box = strip.slider.bounding_box()
    viewer.page.mouse.move(box["x"] + 20, box["y"] + 30)
    viewer.page.mouse.down()
    viewer.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30, steps=5)
    viewer.page.mouse.up()
    value = int(strip.slider.input_value())
    assert 1500 <= value <= 2500
    strip.expect(value * RATE // 1000)
    viewer.until(lambda: screen.stored() == ["file", "row"], "the file on the disk")
    viewer.page.goto("about:blank")
    viewer.open()
    screen.pill.click()
    strip.wait()
    assert int(strip.slider.input_value()) == value
    strip.expect(value * RATE // 1000)


# One question for a picture of the file is never answered: the `forgets`-th from now.
FORGETFUL = """{
  const { addEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (name, ...rest) {
    if (name === 'seeked' && window.forgets && !--window.forgets) return;
    addEventListener.call(this, name, ...rest);
  };
}"""


def test_a_picture_that_does_not_come_is_asked_for_again(open_page, server, film):
    screen = UploadScreen(open_page(server, script=FORGETFUL)).open()
    screen.choose(film)
    strip = Strip(screen)
    strip.wait()
    screen.viewer.until(lambda: strip.last() > 100, "the last of the strip")
    screen.page.evaluate("window.forgets = 1")
    strip.slider.press("ArrowRight")
    strip.expect(int(strip.slider.input_value()) * RATE // 1000)
    assert screen.page.evaluate("window.forgets") == 0


def test_a_picture_of_the_strip_that_does_not_come_is_asked_for_again(open_page, server, film):
    screen = UploadScreen(open_page(server, script=FORGETFUL)).open()
    screen.choose(film)
    strip = Strip(screen)
    strip.wait()
    screen.viewer.until(lambda: strip.last() == 117, "the last of the strip")
    # A strip of another width is drawn anew: first what is chosen, then the pictures behind it. The second of those.
    screen.page.evaluate("window.forgets = 3")
    size = screen.page.viewport_size
    screen.page.set_viewport_size({"width": size["width"] - 40, "height": size["height"]})
    screen.viewer.until(lambda: screen.page.evaluate("window.forgets") == 0, "a question that is not answered")
    screen.viewer.until(lambda: strip.last() == 117, "the last of the strip")
    row = strip.row()
    assert row[0] == 0 and row[1] > 0 and row == sorted(row)


def test_a_browser_reads_every_cue_of_a_storyboard(open_page, server):
    [*_, clip] = server.feed()
    board = clip["playback"]["storyboard"]
    viewer = open_page(server)
    cues, size = viewer.page.evaluate(
        """async ([vtt, image]) => {
          const video = document.createElement('video');
          const track = Object.assign(document.createElement('track'), { kind: 'metadata', src: vtt });
          video.append(track);
          document.body.append(video);
          track.track.mode = 'hidden';
          await new Promise((resolve, reject) => { track.onload = resolve; track.onerror = reject; });
          const cues = [...track.track.cues].map(({ startTime, endTime, text }) =>
            [startTime, endTime, new URL(text, track.src).href]);
          video.remove();
          const picture = Object.assign(new Image(), { src: image });
          await picture.decode();
          return [cues, [picture.naturalWidth, picture.naturalHeight]];
        }""", [board["vtt_url"], board["url"]])
    assert len(cues) == board["count"]
    length = clip["playback"]["duration_ms"] / 1000
    ends = [0] + [end for _, end, _ in cues]
    assert [start for start, _, _ in cues] == ends[:-1] and abs(ends[-1] - length) < 0.002
    for number, (_, _, place) in enumerate(cues):
        address, box = place.split("#xywh=")
        assert address == urljoin(server.url, board["url"])
        x, y, width, height = map(int, box.split(","))
        assert (x, y) == (number % board["columns"] * width, number // board["columns"] * height)
        assert (width, height) == (board["tile_width"], board["tile_height"])
        assert x + width <= size[0] and y + height <= size[1]
