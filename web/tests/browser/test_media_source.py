"""The source of one player, fed by hand: better segments take the place of worse ones."""

import subprocess

import pytest

import clips
from server import Server

EDGE = 720
# Feeds a source with the lowest rendition, a loop of it, and hands over the next one after a moment. Both are there before:
# a busy machine may take until the seam to fetch one.
UPGRADE = """async ([item, from]) => {
  const { LoopingMediaSource } = await import('/app/playback/media-source.js');
  const { clipFrom } = await import('/app/feed/feed.js');
  const { Store, partsOf } = await import('/app/playback/downloads.js');
  const clip = clipFrom(item, 0, () => true);
  const store = new Store();
  const fileOf = async ({ url }) => new Uint8Array(await (await fetch(url)).arrayBuffer());
  const files = await Promise.all(clip.renditions.slice(0, 2).map(fileOf));
  const bring = (rendition, first, last) => {
    for (const { segment, offset, size } of partsOf(clip.renditions[rendition], first, last - first, true)) {
      store.put(0, rendition, segment, files[rendition].slice(offset, offset + size));
    }
  };
  const video = document.createElement('video');
  Object.assign(video, { muted: true, playsInline: true });
  document.body.append(video);
  const frames = []; const shown = []; const waits = []; const failures = [];
  const note = (_, { mediaTime, width, presentationTime }) => {
    frames.push([mediaTime, width]);
    shown.push(presentationTime / 1000);
    video.requestVideoFrameCallback(note);
  };
  video.requestVideoFrameCallback(note);
  const source = new LoopingMediaSource(video, store, (error) => failures.push(String(error)));
  // On a busy machine it waits for the decoder too; what counts is waiting for the source.
  video.addEventListener('waiting', () => {
    if (video.currentTime > 0 && source.ahead < 0.1) waits.push(video.currentTime);
  });
  store.onStored(() => source.fill());
  const holes = [];
  video.addEventListener('timeupdate', () => {
    source.fill();
    for (let i = 1; i < video.buffered.length; i++) holes.push([video.buffered.end(i - 1), video.buffered.start(i)]);
  });
  const count = clip.renditions[0].segments.length;
  bring(0, 0, count);
  source.attach(clip);
  await video.play();
  // The seam comes near: its other side is laid down already, in the lowest rendition.
  while (video.buffered.length === 0 || video.buffered.end(0) < clip.duration / 1000 + 0.9) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const laid = video.currentTime;
  bring(1, from, count);
  while (video.currentTime < clip.duration / 1000 * 2 - 0.2) await new Promise((resolve) => setTimeout(resolve, 50));
  const { bytes } = source;
  video.remove();
  return { frames, shown, waits, holes, failures, laid, bytes, duration: clip.duration / 1000,
    starts: clip.renditions[0].segments.map((s) => s.duration_ms / 1000),
    sizes: clip.renditions.map((r) => r.segments.reduce((sum, s) => sum + s.size, 0)) };
}"""


@pytest.fixture(scope="module")
def sharp_server(tmp_path_factory):
    """One clip of five seconds in three renditions."""
    folder = tmp_path_factory.mktemp("sharp")
    source = folder / "clip 00.mp4"
    subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s={EDGE}x1280:r=30", "-f", "lavfi", "-i",
         "sine=r=48000", "-t", "5", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac",
         source], check=True, timeout=120)
    clips.add(folder / "data", [source])
    server = Server(folder / "data")
    yield server
    server.stop()


@pytest.fixture
def source(open_page, sharp_server):
    viewer = open_page(sharp_server)
    # Of the same origin, with no player of its own.
    viewer.page.goto(f"{sharp_server.url}/manifest.webmanifest")
    item = sharp_server.feed()[0]
    return lambda start: viewer.page.evaluate(UPGRADE, [item, start])


def test_a_loop_comes_round_sharper_without_a_gap_or_a_stall(source):
    seen = source(0)
    times = [time for time, _ in seen["frames"]]
    steps = [after - before for before, after in zip(times, times[1:])]
    waits = [after - before for before, after in zip(seen["shown"], seen["shown"][1:])]
    assert seen["failures"] == [] and seen["waits"] == [] and seen["holes"] == []
    # A busy machine leaves out frames for as long as it is busy; nothing else is left out.
    assert 0 < min(steps) and max(step - wait for step, wait in zip(steps, waits)) < min(seen["starts"])
    widths = {turn: {width for time, width in seen["frames"] if turn <= time / seen["duration"] < turn + 0.95}
              for turn in (0, 1)}
    assert min(widths[0]) < EDGE / 1.5
    # All of the second turn is better, its first frame included, though it was laid down before.
    assert len(widths[1]) == 1 and min(widths[1]) > min(widths[0])


def test_only_the_segments_that_are_stored_in_better_quality_are_replaced(source):
    seen = source(1)
    first_end = seen["duration"] + seen["starts"][0]
    assert seen["failures"] == [] and seen["waits"] == []
    opening = {width for time, width in seen["frames"] if seen["duration"] + 0.05 < time < first_end - 0.05}
    rest = {width for time, width in seen["frames"] if first_end + 0.05 < time < first_end + 1.5}
    assert len(opening) == 1 and len(rest) == 1 and min(rest) > min(opening)


def test_the_source_knows_how_many_bytes_it_holds(source):
    seen = source(0)
    assert 0 < seen["bytes"] <= 2 * sum(seen["sizes"][:2])


# Hands over the first part of the first segment, looks, and lets the rest come or stay out.
GROW = """async ([item, comes]) => {
  const { LoopingMediaSource } = await import('/app/playback/media-source.js');
  const { clipFrom } = await import('/app/feed/feed.js');
  const { INIT, Store, partsOf } = await import('/app/playback/downloads.js');
  const clip = clipFrom(item, 0, () => true);
  const store = new Store();
  const count = clip.renditions[0].segments.length;
  const parts = async (rendition) => {
    const file = new Uint8Array(await (await fetch(clip.renditions[rendition].url)).arrayBuffer());
    return new Map(partsOf(clip.renditions[rendition], 0, count, true)
      .map(({ segment, offset, size }) => [segment, file.slice(offset, offset + size)]));
  };
  const [low, high] = [await parts(0), await parts(1)];
  const video = document.createElement('video');
  Object.assign(video, { muted: true, playsInline: true });
  document.body.append(video);
  const failures = [];
  const source = new LoopingMediaSource(video, store, (error) => failures.push(String(error)));
  store.onStored(() => source.fill());
  const holes = [];
  video.addEventListener('timeupdate', () => {
    source.fill();
    for (let i = 1; i < video.buffered.length; i++) holes.push([video.buffered.end(i - 1), video.buffered.start(i)]);
  });
  source.attach(clip);
  store.put(0, 0, INIT, low.get(INIT));
  const first = low.get(0);
  const until = async (condition) => {
    for (let i = 0; i < 1000 && !condition(); i += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    return condition();
  };
  for (let have = 400; have < first.length * 0.6; have += 4096) {
    store.grow(0, 0, 0, first, have);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  const early = await until(() => video.readyState >= 2);
  const shown = video.buffered.length ? video.buffered.end(0) : 0;
  if (comes) for (const [segment, bytes] of low) store.put(0, 0, segment, bytes);
  else {
    for (const [segment, bytes] of high) store.put(0, 1, segment, bytes);
    store.stopGrowing(0, 0);
  }
  await video.play();
  const played = await until(() => video.currentTime > 2);
  const width = video.videoWidth;
  video.remove();
  return { early, shown, played, failures, width };
}"""


@pytest.fixture
def growing(open_page, sharp_server):
    viewer = open_page(sharp_server)
    viewer.page.goto(f"{sharp_server.url}/manifest.webmanifest")
    return lambda comes: viewer.page.evaluate(GROW, [sharp_server.feed()[0], comes])


def test_a_picture_is_there_before_its_segment_is(growing):
    seen = growing(True)
    assert seen["early"] and 0 < seen["shown"] < 0.99
    assert seen["played"] and seen["failures"] == []


def test_a_segment_of_which_the_rest_stays_out_gives_way_to_another(growing):
    seen = growing(False)
    assert seen["early"] and seen["played"] and seen["failures"] == []
    assert seen["width"] > 360
