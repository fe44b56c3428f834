"""A video that is too much is prepared on the device: of one that is too long or too large goes up the part that the person
chooses, and one that is merely large is made smaller where that saves time."""

import array
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image

import clips
from server import Server
from upload import MB, UploadScreen
from viewer import differ

CUT = Path(__file__).parents[1] / "cut-file.mjs"
LONG = 70
SOUND = ["-f", "lavfi", "-i", f"aevalsrc='sin(2*PI*t*(200+20*t))':s=44100:d={LONG}"]
PICTURE = ["-f", "lavfi", "-i", f"testsrc2=s=160x120:r=30:d={LONG}"]
X264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "70"]
# What phones and programs write: frames out of order, open groups, sound that begins late or is missing, a time that does
# not begin at zero, a picture on its side, other codecs, samples that are not in turns, uneven frames.
FILES = {
    "b-frames": ("mp4", [*PICTURE, *SOUND, *X264, "-bf", "3", "-c:a", "aac"]),
    "open-groups": ("mp4", [*PICTURE, *X264, "-bf", "3", "-x264-params", "open-gop=1:b-adapt=0"]),
    "silent-mov": ("mov", [*PICTURE, *X264, "-bf", "0"]),
    "late-sound": ("mov", [*PICTURE, "-itsoffset", "4.25", *SOUND, *X264, "-bf", "2", "-c:a", "aac"]),
    "late-picture": ("mp4", ["-itsoffset", "0.5", *PICTURE, *SOUND, *X264, "-bf", "2", "-c:a", "aac"]),
    "rotated": ("mp4", [*PICTURE, *SOUND, *X264, "-c:a", "aac", "-movflags", "+faststart"]),
    "hevc": ("mov", [*PICTURE, *SOUND, "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", "-x265-params", "log-level=error", "-c:a", "aac"]),
    "vp9-opus": ("mp4", [*PICTURE, *SOUND, "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-g", "90", "-c:a", "libopus"]),
    "uneven": ("mp4", [*PICTURE, *SOUND, "-vf", "select='not(mod(n,7))+not(mod(n,5))'", "-fps_mode", "vfr", *X264, "-bf", "2", "-c:a", "aac"]),
    "negative-offsets": ("mp4", [*PICTURE, *SOUND, *X264, "-bf", "3", "-c:a", "aac", "-movflags", "+negative_cts_offsets"]),
    "one-after-the-other": ("mp4", [*PICTURE, *SOUND, *X264, "-c:a", "aac", "-max_interleave_delta", "0", "-chunk_duration", "90000000"]),
}
PARTS = [(0, 7.5), (12.34, 33.21), (65.02, LONG)]


def made(folder, name):
    kind, options = FILES[name]
    file = folder / f"{name}.{kind}"
    if not file.exists():
        subprocess.run(["ffmpeg", "-v", "error", "-y", *options, file], check=True, timeout=200)
        if name == "rotated":
            rotate(file)
    return file


def rotate(file):
    """It is written only where nothing is encoded."""
    upright = file.rename(file.with_stem("upright"))
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", upright, "-c", "copy", "-metadata:s:v:0", "rotate=90", file], check=True, timeout=60)


def shape(file):
    """Width and height of the stored pictures, and by how much they are turned."""
    said = json.loads(subprocess.check_output(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-show_streams", "-of", "json", file], timeout=30))["streams"][0]
    return said["width"], said["height"], [one["rotation"] for one in said.get("side_data_list", []) if "rotation" in one]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("long")


def cut(file, start, end, output):
    said = subprocess.run(["node", CUT, file, str(start), str(end), output], check=True, timeout=60, capture_output=True)
    return json.loads(said.stdout)


def pictures(file, *options):
    """The decoded pictures by their digests."""
    said = subprocess.run(
        ["ffmpeg", "-v", "error", *options, "-i", file, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"],
        check=True, timeout=100, capture_output=True, text=True)
    return [line.split(",")[-1].strip() for line in said.stdout.splitlines() if not line.startswith("#")]


def sound(file, *options):
    said = subprocess.run(
        ["ffmpeg", "-v", "error", *options, "-i", file, "-map", "0:a", "-af", "aresample=async=1:first_pts=0", "-ac", "1", "-ar", "16000",
         "-f", "s16le", "-"], check=True, timeout=100, capture_output=True)
    return array.array("h", said.stdout)


def length(file):
    said = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", file],
        check=True, timeout=30, capture_output=True, text=True)
    return float(said.stdout)


@pytest.mark.parametrize("name", FILES)
def test_a_part_has_the_very_pictures_and_the_sound_of_the_whole(folder, tmp_path, name):
    file = made(folder, name)
    for start, end in PARTS:
        output = tmp_path / file.name
        part = cut(file, start, end, output)
        assert start - 0.6 < part["from"] <= max(start, 0.6) and part["to"] <= end + 0.3
        assert abs(length(output) - (part["to"] - part["from"])) < 0.05
        assert shape(output) == shape(file)
        window = ["-ss", f"{part['from']:.6f}", "-t", f"{part['to'] - part['from'] - 0.001:.6f}"]
        assert pictures(output) == pictures(file, *window), (name, start)
        assert part["size"] <= part["most"] and part["halfSize"] <= part["most"] / 2 + 1
        if part["hasSound"]:
            ours, theirs = sound(output), sound(file, *window)
            count = min(len(ours), len(theirs))
            assert abs(len(ours) - len(theirs)) < 1_600
            error = sum(abs(a - b) for a, b in zip(ours[800:count], theirs[800:count]))
            assert error < 0.1 * sum(abs(b) for b in theirs[800:count]), (name, start)


@pytest.mark.parametrize("options, codec", [
    (X264, r"avc1\.42c0[0-9a-f]{2}"),
    (["-c:v", "libx265", "-tag:v", "hvc1", "-x265-params", "log-level=error"], r"hvc1\.1\.6\.L\d+\.90"),
    (["-c:v", "libvpx-vp9"], r"vp09\.00\.\d\d\.08"),
    (["-c:v", "libaom-av1", "-cpu-used", "8", "-pix_fmt", "yuv420p10le"], r"av01\.0\.\d\dM\.10"),
    # What would be lost if it were encoded again.
    ([*X264, "-color_trc", "smpte2084", "-color_primaries", "bt2020", "-colorspace", "bt2020nc"], "its range would be lost"),
    ([*X264, "-aspect", "2"], "its pixels are not square"),
])
def test_the_codec_is_known_by_its_name(tmp_path, options, codec):
    file = tmp_path / "short.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:d=0.5,format=yuv420p", *options, file], check=True, timeout=60)
    assert re.fullmatch(codec, cut(file, 0, 1, tmp_path / "part.mp4")["codec"])


@pytest.mark.parametrize("options", [
    ["-movflags", "frag_keyframe+empty_moov"],
    ["-f", "matroska"],
])
def test_what_cannot_be_cut_says_so(tmp_path, options):
    file = tmp_path / "short.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64:d=2", *X264, *options, file], check=True, timeout=60)
    with pytest.raises(subprocess.CalledProcessError):
        cut(file, 0, 1, tmp_path / "part.mp4")


# In the browser

# Such a browser encodes only what plays, and such a one nothing at all.
PLAYER = "delete globalThis.VideoEncoder; delete globalThis.VideoDecoder;"
BARE = PLAYER + "delete globalThis.MediaRecorder;"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return shutil.copytree(clips.library("small", [0, 10, 20, 30]), tmp_path_factory.mktemp("uploads") / "data")


@pytest.fixture(scope="module")
def busy_server(data):
    server = Server(data, workers=1)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def long(folder):
    """Teal for forty seconds, then orange."""
    file = folder / "teal-orange.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=teal:s=180x320:r=10:d=40", "-f", "lavfi", "-i",
         "color=orange:s=180x320:r=10:d=30", *SOUND, "-filter_complex", "[0][1]concat=n=2[v]", "-map", "[v]", "-map", "2:a",
         *X264, "-c:a", "aac", file], check=True, timeout=100)
    return file


@pytest.fixture
def screen(open_page, busy_server):
    """Of a browser that can make nothing smaller."""
    return UploadScreen(open_page(busy_server, script=BARE)).open()


def handle(screen, name):
    return screen.root.get_by_role("slider", name=name)


def expect_part(screen, text):
    screen.root.locator(".trim .facts").get_by_text(text).wait_for()


def test_a_long_video_goes_up_as_the_part_that_was_chosen(screen, long):
    screen.choose(long).expect("trimOffered")
    screen.root.get_by_text("This video lasts 1:10. A clip lasts 60 seconds at most.").wait_for()
    expect_part(screen, "0:00.0 to 1:00.0 · 1:00")
    assert not screen.root.get_by_role("button", name="Publish").is_visible() and screen.created == 0
    # The other handle follows.
    handle(screen, "End").press("End")
    for _ in range(10):
        handle(screen, "End").press("PageUp")
    expect_part(screen, "0:10.0 to 1:10.0 · 1:00")
    for _ in range(37):
        handle(screen, "Begin").press("PageUp")
    for _ in range(5):
        handle(screen, "End").press("ArrowLeft")
    expect_part(screen, "0:47.0 to 1:09.5 · 0:22")
    screen.tap("Use this part")
    screen.expect("complete")
    assert screen.root.locator(".trim").count() == 0 and "0:22" in screen.root.inner_text()
    screen.tap("Publish")
    screen.expect("published", patience=60)
    assert abs(screen.clip()["playback"]["duration_ms"] - 22_500) < 100
    screen.tap("Watch it")
    screen.expect_closed()
    viewer = screen.viewer
    viewer.expect_playing()
    red, _, blue = viewer.capture().getpixel((clips.WIDTH // 2, clips.HEIGHT // 2))[:3]
    assert red > 180 and blue < 90
    assert viewer.complaints == []


def test_a_part_is_moved_by_a_finger_and_played_over_and_over(screen, long):
    screen.choose(long).expect("trimOffered")
    for _ in range(50):
        handle(screen, "End").press("PageDown")
    expect_part(screen, "0:00.0 to 0:10.0")
    box = screen.root.locator(".trim .part").bounding_box()
    mouse = screen.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down()
    mouse.move(box["x"] + 400, box["y"] + box["height"] / 2, steps=8)
    mouse.up()
    expect_part(screen, "1:00.0 to 1:10.0 · 0:10")
    screen.page.wait_for_function("""() => {
      const video = document.querySelector('#uploader .trim video');
      return !video.paused && !video.seeking && video.currentTime >= 60;
    }""")
    screen.page.evaluate("document.querySelector('#uploader .trim video').currentTime = 69.8")
    screen.page.wait_for_function("() => document.querySelector('#uploader .trim video').currentTime < 62")
    screen.tap("Cancel")
    screen.expect("empty")
    assert screen.created == 0 and screen.stored() == []


def test_the_part_goes_on_after_a_reload(screen, folder):
    large = folder / "noise.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"color=gray:s=160x120:r=5:d={LONG},noise=alls=100:allf=t",
         *X264, "-qp", "12", large], check=True, timeout=100)
    assert large.stat().st_size > 4 * MB
    screen.choose(large).expect("trimOffered")
    screen.root.get_by_role("button", name="Use this part").wait_for()
    screen.slow(MB)
    screen.tap("Use this part")
    screen.expect("sending")
    screen.expect_share(20)
    screen.viewer.until(lambda: screen.stored() == ["file", "row"], "the part on the disk")
    upload = screen.id
    screen.page.goto("about:blank")
    screen.slow(-1)
    screen.viewer.open()
    screen.pill.get_by_text("Publish it?").wait_for()
    assert screen.id == upload


def test_a_file_that_is_too_large_is_cut_to_what_fits(screen, tmp_path):
    large = tmp_path / "large.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=gray:s=640x360:r=30:d=20,noise=alls=100:allf=t",
         *X264, "-qp", "8", large], check=True, timeout=200)
    assert large.stat().st_size > 51 * MB
    screen.choose(large).expect("trimOffered")
    screen.root.get_by_text("A clip’s file has 50.0 MB at most").wait_for()
    for _ in range(25):
        handle(screen, "End").press("PageUp")
    expect_part(screen, "to 0:20.0")
    screen.tap("Use this part")
    screen.expect("complete", patience=60)
    assert 40 < megabytes(screen) <= 50
    cancel(screen)


def cancel(screen):
    screen.tap("Cancel")
    screen.tap("Cancel the upload")
    screen.expect("empty")


def megabytes(screen):
    """What the screen says of the file that goes up."""
    return float(screen.page.locator("#uploader [data-part=facts]").inner_text().split(" MB")[0])


# What is large is made smaller


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
    assert 5 < megabytes(screen) <= 10 and "360 × 640" in screen.root.inner_text()
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


def test_what_a_minute_has_no_bits_for_has_fewer_lines(open_page, busy_server, folder):
    file = folder / "minute.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=3:d=58,noise=alls=8:allf=t", *X264, "-qp", "27", file],
        check=True, timeout=200)
    assert 12 * MB < file.stat().st_size < 50 * MB
    screen = UploadScreen(open_page(busy_server, script=SLOW)).open()
    screen.choose(file).expect("complete", patience=120)
    assert megabytes(screen) <= 10 and "1280 × 720" in screen.root.inner_text()


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


def probed(file):
    return json.loads(subprocess.check_output(
        ["ffprobe", "-v", "error", "-show_streams", "-show_format", "-of", "json", file], timeout=30))


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
    screen.choose(heavy).expect("compressing")
    screen.root.get_by_text("s left").wait_for()
    made_by_playing(screen, heavy, kinds)
    assert 3 < megabytes(screen) <= 10.5 and "360 × 640" in screen.root.inner_text()
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
    screen.page.wait_for_timeout(300)
    share = screen.share()
    screen.page.wait_for_timeout(1500)
    assert screen.share() == share < 90
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
    screen.page.wait_for_function("made.length === 2 && made.every(({ state }) => state === 'inactive' || state === 'closed')")
    assert screen.created == 0 and screen.stored() == []
    assert screen.viewer.complaints == []
