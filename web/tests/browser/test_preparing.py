"""A video that is too much is prepared on the device: of one that is too long or too large goes up the part that the person
chooses."""

import json
import re
import subprocess
from pathlib import Path

import pytest

import clips
from preparing import BARE, X264, busy_server, cancel, data, folder, length, marked, megabytes, pictures, rotate, shape, sound
from upload import MB, UploadScreen

pytestmark = pytest.mark.long

CUT = Path(__file__).parents[1] / "cut-file.mjs"
LONG = 70
SOUND = ["-f", "lavfi", "-i", f"aevalsrc='sin(2*PI*t*(200+20*t))':s=44100:d={LONG}"]
PICTURE = ["-f", "lavfi", "-i", f"testsrc2=s=160x120:r=30:d={LONG}"]
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


def cut(file, start, end, output):
    said = subprocess.run(["node", CUT, file, str(start), str(end), output], check=True, timeout=60, capture_output=True)
    return json.loads(said.stdout)


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
    assert screen.root.locator(".trim").count() == 0
    screen.expect_facts("0:22")
    screen.tap("Publish")
    screen.expect("published", patience=60)
    assert abs(screen.clip()["playback"]["duration_ms"] - 22_500) < 100
    screen.tap("Watch it")
    screen.expect_closed()
    viewer = screen.viewer
    viewer.expect_playing()

    def is_orange():
        red, _, blue = viewer.capture().getpixel((clips.WIDTH // 2, clips.HEIGHT // 2))[:3]
        return red > 180 and blue < 90

    # NB: the clip before may still be seen to play.
    viewer.until(is_orange, "the part's picture")
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


def test_what_a_file_says_of_ai_goes_with_its_part_also_after_a_reload(screen, long, folder):
    created = []
    screen.page.route("**/api/v1/uploads", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    screen.page.on("request", lambda request: created.append(request.post_data_json.get("digital_source_type"))
                   if request.method == "POST" and request.url.endswith("/uploads") else None)
    screen.choose(marked(long, folder / "marked.mp4")).expect("trimOffered")
    for _ in range(30):
        handle(screen, "End").press("PageDown")
    screen.tap("Use this part")
    screen.viewer.until(lambda: set(created) == {"trainedAlgorithmicMedia"}, "the first try")
    screen.viewer.until(lambda: screen.stored() == ["file", "row"], "the part on the disk")
    screen.page.goto("about:blank")
    screen.page.unroute("**/api/v1/uploads")
    tries = len(created)
    screen.viewer.open()
    screen.pill.get_by_text("Publish it?").wait_for()
    assert set(created[tries:]) == {"trainedAlgorithmicMedia"}
    screen.pill.click()
    screen.expect("complete")
    # NB: what is public may be the clip of another test by now.
    screen.describe(unlisted=True)
    screen.tap("Publish")
    screen.expect("published", patience=60)
    assert screen.clip()["ai_generated"] is True


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
