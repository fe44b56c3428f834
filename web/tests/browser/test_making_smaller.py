"""A video that is merely large is made smaller on the device where that saves time: by its codecs, or by playing it."""

import subprocess

import pytest
from PIL import Image

from preparing import BARE, PLAYER, X264, busy_server, cancel, data, folder, length, marked, megabytes, pictures, probed, rotate, shape, sound
from upload import MB, UploadScreen
from viewer import differ

pytestmark = pytest.mark.long


def linked(bits_per_second):
    """So fast was the last upload."""
    return f"localStorage.setItem('clipfeed.uplink', '{bits_per_second}');"


SLOW, FAST = linked(300_000), linked(10**12)


@pytest.fixture(scope="module")
def heavy(folder):
    """Too many bytes for what is seen, on its side."""
    file = folder / "heavy.mov"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=8,noise=alls=8:allf=t", "-f", "lavfi", "-i",
         "sine=d=8", *X264, "-bf", "2", "-qp", "9", "-c:a", "aac", file], check=True, timeout=100)
    rotate(file)
    assert 12 * MB < file.stat().st_size < 50 * MB
    return file


def test_a_large_file_is_made_smaller_where_that_saves_time(open_page, busy_server, data, heavy):
    others = set((data / "uploads").iterdir())
    screen = UploadScreen(open_page(busy_server, script=SLOW)).open()
    screen.choose(heavy).expect("compressing")
    screen.root.get_by_text("Making it smaller…").wait_for()
    screen.expect("complete", patience=90)
    assert 5 < megabytes(screen) <= 10
    screen.expect_facts("360 × 640")
    [source] = set((data / "uploads").iterdir()) - others
    # The same pictures at the same times, and the very same sound.
    said = subprocess.run(
        ["ffmpeg", "-hide_banner", "-i", source, "-i", heavy, "-lavfi", "[0:v][1:v]psnr", "-f", "null", "-"],
        check=True, timeout=100, capture_output=True, text=True).stderr
    assert float(said.split("average:")[1].split()[0]) > 30
    assert len(pictures(source)) == 240 and shape(source) == shape(heavy) == (640, 360, [90])
    digest = ["-map", "0:a", "-c", "copy", "-f", "streamhash", "-"]
    assert len({subprocess.check_output(["ffmpeg", "-v", "error", "-i", file, *digest]) for file in [source, heavy]}) == 1
    screen.tap("Publish")
    screen.expect("published", patience=60)
    assert abs(screen.clip()["playback"]["duration_ms"] - 8_000) < 100


@pytest.mark.parametrize("script", [SLOW, SLOW + PLAYER], ids=["encoded", "played"])
def test_what_a_file_says_of_ai_stays_where_it_is_made_smaller(open_page, busy_server, data, heavy, folder, script):
    others = set((data / "uploads").iterdir())
    screen = UploadScreen(open_page(busy_server, script=script)).open()
    screen.choose(marked(heavy, folder / "marked.mov")).expect("compressing")
    made_by_playing(screen, folder / "marked.mov", [])
    [source] = set((data / "uploads").iterdir()) - others
    assert b"trainedAlgorithmicMedia" not in source.read_bytes()
    # NB: what is public may be the clip of another test by now.
    screen.describe(unlisted=True)
    screen.tap("Publish")
    screen.expect("published", patience=60)
    assert screen.clip()["ai_generated"] is True
    screen.tap("Watch it")
    screen.expect_closed()
    screen.page.locator(".page .ai-label").get_by_text("Made with AI").wait_for()
    assert screen.viewer.complaints == []


def test_a_file_that_says_nothing_of_ai_is_not_labelled(open_page, busy_server, heavy):
    screen = UploadScreen(open_page(busy_server, script=SLOW)).open()
    with screen.page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/uploads"), timeout=90_000) as created:
        screen.choose(heavy).expect("complete", patience=90)
    assert "digital_source_type" not in created.value.post_data_json
    cancel(screen)


def test_what_a_minute_has_no_bits_for_has_fewer_lines(open_page, busy_server, folder):
    file = folder / "minute.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=3:d=58,noise=alls=8:allf=t", *X264, "-qp", "27", file],
        check=True, timeout=200)
    assert 12 * MB < file.stat().st_size < 50 * MB
    screen = UploadScreen(open_page(busy_server, script=SLOW)).open()
    screen.choose(file).expect("complete", patience=120)
    assert megabytes(screen) <= 10
    screen.expect_facts("1280 × 720")


# Pictures come out of it one every thirty milliseconds, and it is through when the last is out.
TIRED = """{
  let last = 0;
  const { VideoDecoder } = globalThis;
  globalThis.VideoDecoder = class extends VideoDecoder {
    constructor({ output, error }) {
      super({ error, output: (frame) => {
        last = Math.max(last + 30, performance.now());
        setTimeout(() => output(frame), last - performance.now());
      } });
    }
    async flush() {
      await super.flush();
      await new Promise((resolve) => { setTimeout(resolve, last - performance.now()); });
    }
  };
}"""
# What it holds when it is through never comes out.
FORGETFUL = """{
  const { VideoDecoder } = globalThis;
  globalThis.VideoDecoder = class extends VideoDecoder {
    constructor({ output, error }) {
      super({ error, output: (frame) => (frame.timestamp < 4e6 ? output(frame) : frame.close()) });
    }
  };
}"""
BROKEN = "VideoDecoder.prototype.configure = () => { throw new Error('no such decoder'); };"


# It begins to record when a second has gone by.
LATE = """{
  const { resume } = MediaRecorder.prototype;
  MediaRecorder.prototype.resume = function () { setTimeout(() => resume.call(this), 1000); };
}"""
# It waits for data that never comes.
STUCK = "HTMLVideoElement.prototype.requestVideoFrameCallback = () => 0;"


@pytest.mark.parametrize(
    "script", [FAST + TIRED, SLOW + BROKEN, SLOW + FORGETFUL, SLOW + BARE, FAST + PLAYER, SLOW + PLAYER + STUCK,
               SLOW + PLAYER + LATE],
    ids=["no-time-saved", "broken", "pictures-lost", "no-encoder", "no-time-to-play", "stuck", "too-short"])
def test_where_it_saves_no_time_or_cannot_be_done_the_file_goes_as_it_is(open_page, busy_server, heavy, script):
    screen = UploadScreen(open_page(busy_server, script=script)).open()
    screen.choose(heavy).expect("complete", patience=60)
    assert abs(megabytes(screen) - heavy.stat().st_size / MB) < 0.1
    cancel(screen)


def test_making_it_smaller_ends_when_it_is_cancelled(open_page, busy_server, heavy):
    screen = UploadScreen(open_page(busy_server, script=SLOW + TIRED)).open()
    screen.choose(heavy).expect("compressing")
    screen.tap("Cancel")
    screen.expect("empty")
    assert screen.created == 0 and screen.stored() == []
    assert screen.viewer.complaints == []


# What is connected to the loudspeaker, and each video whose sound goes elsewhere.
HEARD = """
globalThis.loud = 0;
const { connect } = AudioNode.prototype;
AudioNode.prototype.connect = function (to, ...rest) {
  if (to instanceof AudioDestinationNode) loud += 1;
  return connect.call(this, to, ...rest);
};
"""


def picture_at(file, seconds, folder):
    picture = folder / f"{file.name}-{seconds}.png"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-i", file, "-ss", str(seconds), "-frames:v", "1", "-s", "360x640", picture], check=True, timeout=60)
    return Image.open(picture)


def made_by_playing(screen, file, kinds):
    """What a busy machine plays with gaps goes as it is: chosen again, until there is a moment of quiet."""
    for _ in range(8):
        screen.expect("complete", patience=60)
        if megabytes(screen) < file.stat().st_size / MB - 0.1:
            return
        cancel(screen)
        kinds.clear()
        screen.choose(file)


def test_where_nothing_encodes_but_what_plays_it_is_made_smaller_by_playing(open_page, busy_server, data, heavy, tmp_path):
    others = set((data / "uploads").iterdir())
    screen = UploadScreen(open_page(busy_server, script=SLOW + PLAYER + HEARD)).open()
    kinds = []
    screen.page.on("request", lambda request: kinds.append(request.post_data_json["type"])
                   if request.method == "POST" and request.url.endswith("/uploads") else None)
    # Noted by the page: what is given up at once for its gaps says nothing of the time.
    screen.page.evaluate("""() => {
      const line = document.querySelector('#uploader [data-part=line]');
      const look = () => { window.wasTold ||= /^Making it smaller.* s left/.test(line.textContent); };
      new MutationObserver(look).observe(line, { childList: true });
    }""")
    screen.choose(heavy).expect("compressing")
    made_by_playing(screen, heavy, kinds)
    assert screen.page.evaluate("window.wasTold")
    # A machine that is busy plays fewer pictures, which are fewer bytes.
    assert 1 < megabytes(screen) <= 10.5
    screen.expect_facts("360 × 640")
    assert screen.page.evaluate("loud") == 0
    [source] = set((data / "uploads").iterdir()) - others
    said = probed(source)
    assert kinds == ["video/webm" if "webm" in said["format"]["format_name"] else "video/mp4"]
    assert abs(length(source) - 8) < 0.4
    # Upright, with the pictures where they were, and its sound.
    assert [(one["width"], one["height"]) for one in said["streams"] if one["codec_type"] == "video"] == [(360, 640)]
    for at in (2, 6):
        now = picture_at(source, at, tmp_path)
        # The first of them may be missed, or shown for longer, by as much as the length may be off.
        near = [differ(now, picture_at(heavy, at + frames / 30, tmp_path)) for frames in range(-12, 13)]
        far = [differ(now, picture_at(heavy, at + frames / 30, tmp_path)) for frames in (-50, 50)]
        assert min(near) < 0.75 * min(far), (near, far)
    assert max(sound(source)) > 1_000
    screen.tap("Publish")
    screen.expect("published", patience=60)
    assert abs(screen.clip()["playback"]["duration_ms"] - 8_000) < 400
    assert screen.viewer.complaints == []


def test_playing_rests_while_nobody_sees_the_page(open_page, busy_server, data, heavy):
    others = set((data / "uploads").iterdir())
    screen = UploadScreen(open_page(busy_server, script=SLOW + PLAYER)).open()
    screen.choose(heavy).expect("compressing")
    screen.expect_share(25)
    screen.page.evaluate("""() => {
      window.away = true;
      Object.defineProperty(document, 'hidden', { get: () => window.away });
      document.dispatchEvent(new Event('visibilitychange'));
    }""")

    def rests():
        share = screen.share()
        screen.page.wait_for_timeout(1500)
        return screen.share() == share

    # A picture that was on its way may still come.
    screen.viewer.until(rests, "a rest")
    assert screen.share() < 90
    screen.page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'));")
    screen.expect("complete", patience=60)
    [source] = set((data / "uploads").iterdir()) - others
    # What was waited is not in it.
    assert abs(length(source) - 8) < 0.6
    cancel(screen)


def test_playing_ends_when_it_is_cancelled(open_page, busy_server, heavy):
    """And nothing of it goes on: no recorder, no sound."""
    script = """
    globalThis.made = [];
    for (const name of ['MediaRecorder', 'AudioContext']) {
      globalThis[name] = class extends globalThis[name] { constructor(...all) { super(...all); made.push(this); } };
    }"""
    screen = UploadScreen(open_page(busy_server, script=SLOW + PLAYER + script)).open()
    screen.choose(heavy).expect("compressing")
    screen.expect_share(10)
    screen.tap("Cancel")
    screen.expect("empty")
    screen.page.wait_for_function("() => made.length === 2 && made.every(({ state }) => state === 'inactive' || state === 'closed')")
    assert screen.created == 0 and screen.stored() == []
    assert screen.viewer.complaints == []
