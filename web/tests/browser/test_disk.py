"""The disk level in a real browser's storage: what one visit writes, the next one reads."""

import pytest

COMMON = """
  const { attachDisk } = await import('/app/playback/disk.js');
  const { clipFrom, Feed } = await import('/app/feed/feed.js');
  const { Store, partsOf, INIT } = await import('/app/playback/downloads.js');
  const events = [];
  const report = (...words) => events.push(words);
  const feed = new Feed(report, () => true, async () => page);
  await feed.requestPage();
  events.length = 0;
  const store = new Store();
"""
WRITE = f"""async (page) => {{ {COMMON}
  const rendition = feed.clip(0).renditions[0];
  const file = new Uint8Array(await (await fetch(rendition.url)).arrayBuffer());
  for (const {{ segment, offset, size }} of partsOf(rendition, 0, 2, true)) {{
    store.put(0, 0, segment, file.slice(offset, offset + size));
  }}
  const disk = await attachDisk(feed, store, report);
  disk.start();
  await disk.persist(0, 2);
  return events;
}}"""
READ = f"""async (page) => {{ {COMMON}
  const disk = await attachDisk(feed, store, report);
  disk.start();
  await disk.restore(0, 0, 2);
  const rendition = feed.clip(0).renditions[0];
  const file = new Uint8Array(await (await fetch(rendition.url)).arrayBuffer());
  const same = partsOf(rendition, 0, 2, true).every(({{ segment, offset, size }}) => {{
    const bytes = store.get(0, 0, segment);
    return bytes?.length === size && bytes.every((byte, i) => byte === file[offset + i]);
  }});
  await disk.restore(1, 0, 1);
  // Nobody waits for that, but this comes behind it, and drops nothing.
  disk.evict(0, 1);
  await disk.evictUnknown(0);
  return {{ events, same }};
}}"""
HOLDS = f"""async (page) => {{ {COMMON}
  const disk = await attachDisk(feed, store, report);
  disk.start();
  return events;
}}"""
FOUND, HELD, FAILED, STORED = 54, 55, 56, 30


@pytest.fixture
def visit(open_page, small_server):
    """visit(script): runs it in a page of that origin with no player of its own, as a visit anew."""
    viewer = open_page(small_server)
    page = {"items": small_server.feed(), "next_cursor": None}

    def visit(script):
        viewer.page.goto(f"{small_server.url}/manifest.webmanifest")
        return viewer.page.evaluate(script, page)

    return visit


def test_what_one_visit_writes_the_next_one_reads(visit):
    # The page that was opened first may have written something already: what counts is this clip.
    assert [event[0] for event in visit(WRITE)][0] == FOUND
    seen = visit(READ)
    found, held, *rest = seen["events"]
    assert found[0] == FOUND and found[1] > 10_000_000 and found[2] > 0
    assert held[:3] == [HELD, 0, 2] and held[5] == 0
    assert seen["same"]
    assert [event[0] for event in rest] == [STORED, STORED, STORED, FAILED]
    # Evicted but for one segment, and still there after one more visit.
    assert visit(HOLDS)[1][:3] == [HELD, 0, 1]


def test_without_storage_clips_play_all_the_same(open_page, small_server):
    viewer = open_page(small_server, script="Object.defineProperty(globalThis, 'caches', { value: undefined });")
    for clip in small_server.feed()[:3]:
        viewer.expect_playing(clip)
        viewer.press("ArrowDown")
    assert viewer.complaints == []


def test_a_storage_that_refuses_disturbs_nothing(open_page, small_server):
    viewer = open_page(small_server, script="""
      Cache.prototype.put = async () => { throw new DOMException('full', 'QuotaExceededError'); };
    """)
    for clip in small_server.feed()[:3]:
        viewer.expect_playing(clip)
        viewer.press("ArrowDown")
    assert viewer.complaints == []


# The page asks last for how much room there is, and tells the core of its disk when it knows.
NOTE_DISK = """{
  const { estimate } = StorageManager.prototype;
  StorageManager.prototype.estimate = function () {
    return estimate.call(this).finally(() => { window.hasDisk = true; });
  };
}"""


def test_a_clip_that_was_watched_through_plays_again_where_its_bytes_cannot_come(open_page, small_server):
    feed = small_server.feed()
    viewer = open_page(small_server, script=NOTE_DISK)
    viewer.expect_playing(feed[0])
    viewer.page.wait_for_function("() => window.hasDisk")
    # The page looks at its clip's time now and then: what the scrubber shows it has heard.
    viewer.page.wait_for_function("""(duration) => document.querySelector('video[data-shown]').currentTime > duration / 1000
      && document.getElementById('scrubber').value < duration / 2""", arg=feed[0]["playback"]["duration_ms"])
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    # NB: not wait_for_function, for which a promise is an answer, and true. Of this clip: others are kept ahead.
    viewer.until(lambda: viewer.page.evaluate("""async (key) => {
      const index = await (await (await caches.open('clipfeed-media-1')).match('/media/index'))?.json() ?? [];
      return index.find(([clip]) => clip === key)?.[1].parts.length ?? 0;
    }""", feed[0]["playback"]["renditions"][0]["url"]) > 2, "its segments are kept")
    viewer.page.route("**/media/*.mp4", lambda route: route.abort())
    viewer.reload_feed()
    viewer.expect_playing(feed[0])
