"""Clips are recorded, kept, undone and made into one video; the feed goes on as it was."""

import time

import pytest
from PIL import Image, ImageStat

from studio import ALLOWED, NOTE_HOLDINGS, RecordScreen, lasts, picture_of, streams_of


@pytest.fixture
def screen(open_page, small_server):
    return RecordScreen(open_page(small_server, **ALLOWED)).open()


def colourfulness(image):
    """Mean saturation, 0 to 255."""
    return ImageStat.Stat(image.convert("HSV").getchannel("S")).mean[0]


def middle_of(screen):
    picture = screen.viewer.capture()
    return picture.crop((60, 160, 240, 340))


@pytest.mark.long
def test_nothing_of_it_is_fetched_before_somebody_wants_to_record(open_page, small_server):
    viewer = open_page(small_server, **ALLOWED)
    fetched = []
    viewer.page.on("request", lambda request: fetched.append(request.url))
    viewer.page.reload(wait_until="networkidle")
    viewer.expect_playing()
    assert fetched and not [url for url in fetched if "studio" in url]
    RecordScreen(viewer).open()
    assert any("studio.wasm" in url for url in fetched)
    assert any("/app/studio/" in url for url in fetched)


def test_clips_add_up_and_two_taps_undo_the_last(screen):
    first = screen.record(1.2)
    both = screen.record(1.2)
    assert both > first + 1.1 and screen.marks() == 2
    assert len(screen.stored()["files"]) == 2
    # Both taps at one moment, with a look between them: a mark stands for three seconds, which a busy browser may take.
    between = screen.page.get_by_role("button", name="Undo the last clip").evaluate("""button => {
      button.click();
      const seen = [button.getAttribute('aria-label'), document.querySelectorAll('[data-part=marks] i').length];
      button.click();
      return seen;
    }""")
    assert between == ["Delete the last clip", 2]
    screen.viewer.until(lambda: screen.marks() == 1, "one mark")
    assert screen.length() == first
    screen.viewer.until(lambda: screen.stored()["files"] == [1], "a file less")
    assert [clip["clip"] for clip in screen.stored()["list"]] == [1]
    assert screen.viewer.complaints == []


@pytest.mark.long
def test_a_tap_elsewhere_spares_the_clip_that_was_marked(screen):
    screen.record(0.5)
    screen.tap("Undo the last clip")
    screen.finder().click(position={"x": 100, "y": 300}, force=True)
    screen.page.get_by_role("button", name="Undo the last clip").wait_for()
    assert screen.marks() == 1


def test_a_reload_in_the_middle_of_a_clip_costs_at_most_its_last_seconds(screen):
    first = screen.record(1)
    others = screen.stored()["files"]
    began = time.monotonic()
    screen.tap_shutter()
    # NB: not by the time that it shows: a busy browser encodes seconds behind it.
    screen.expect_pieces(3, others)
    screen.page.reload()
    lasted = time.monotonic() - began
    screen.expect_ready()
    assert screen.marks() == 2
    assert first + 1.5 <= screen.length() <= first + lasted + 0.5
    # And it goes on from there.
    assert screen.record(0.5) > first + 2
    assert screen.marks() == 3


@pytest.mark.long
def test_the_camera_is_asked_for_as_sharp_a_picture_as_the_device_can_encode(open_page, small_server):
    script = "VideoEncoder.isConfigSupported = async ({ height, framerate }) => ({ supported: height <= 1080 && framerate <= 60 });"
    screen = RecordScreen(open_page(small_server, script=NOTE_HOLDINGS + script, **ALLOWED)).open()
    asked = screen.page.evaluate("held.asked.video")
    assert (asked["width"], asked["height"], asked["frameRate"]) == ({"ideal": 1920}, {"ideal": 1080}, {"ideal": 60})


def test_one_video_is_made_of_all_clips(screen, tmp_path):
    screen.record(1.5)
    screen.choose("Speed", "0.5×")
    length = screen.record(2)
    played = sum(clip["played"] for clip in screen.stored()["list"]) / 1000
    assert abs(played - length) < 0.1
    file = screen.finish(tmp_path / "video.webm")
    assert lasts(file, played)
    streams = streams_of(file)
    assert (streams["video"]["width"], streams["video"]["height"]) == (406, 720)
    assert "audio" in streams
    # The person sees it, and may go on.
    result = screen.page.locator("[data-part=result]")
    screen.viewer.until(lambda: result.evaluate("(video) => video.loop && !video.error && video.videoHeight") == 720, "the finished video")
    screen.tap("Record more")
    screen.expect_ready()
    assert screen.length() == length and not result.is_visible()
    assert screen.viewer.complaints == []


@pytest.mark.long
def test_a_clip_at_twice_the_speed_lasts_half_as_long(screen, tmp_path):
    screen.choose("Speed", "2×")
    screen.record(1.5)
    [clip] = screen.stored()["list"]
    assert clip["captured"] > 2900 and abs(clip["played"] - clip["captured"] / 2) <= 1
    file = screen.finish(tmp_path / "video.webm")
    assert lasts(file, clip["captured"] / 2000)


@pytest.mark.long
def test_an_assembly_that_is_cancelled_costs_no_clip(screen):
    # It takes as long as the video lasts, which is longer than it was recorded for.
    screen.choose("Speed", "0.3×")
    length = screen.record(6)
    screen.tap("Finish")
    screen.expect_stage("assembling")
    screen.tap("Cancel")
    screen.expect_ready()
    assert screen.length() == length
    assert screen.viewer.complaints == []


@pytest.mark.long
def test_a_look_changes_the_picture_and_the_video_but_not_the_clip(screen, tmp_path):
    screen.viewer.until(lambda: colourfulness(middle_of(screen)) > 150, "the camera's picture")
    screen.choose("Looks", "Silver")
    screen.viewer.until(lambda: colourfulness(middle_of(screen)) < 10, "a grey picture")
    screen.record(1.5)
    file = screen.finish(tmp_path / "grey.webm")
    assert colourfulness(Image.open(picture_of(file, tmp_path / "grey.png"))) < 12
    screen.tap("Record more")
    screen.expect_ready()
    screen.choose("Looks", "Plain")
    file = screen.finish(tmp_path / "plain.webm")
    assert colourfulness(Image.open(picture_of(file, tmp_path / "plain.png"))) > 150


@pytest.mark.long
def test_the_strip_shows_each_look_on_the_picture_of_this_moment(screen):
    screen.tap("Looks")
    drawn = """() => [...document.querySelectorAll('#tray-looks canvas')].map((canvas) =>
      [...canvas.getContext('2d').getImageData(32, 10, 1, 1).data].join())"""
    screen.page.locator("#tray-looks canvas").nth(17).wait_for(state="attached")
    screen.viewer.until(lambda: "0,0,0,0" not in screen.page.evaluate(drawn), "eighteen thumbnails")
    colours = screen.page.evaluate(drawn)
    assert len(colours) == 18 and len(set(colours)) > 12
    # Arrow keys go along it, and it is remembered.
    screen.page.get_by_role("radio", name="Plain").focus()
    screen.viewer.press("ArrowRight")
    screen.viewer.press("ArrowRight")
    assert screen.page.get_by_role("radio", name="Vivid").is_checked()
    screen.page.reload()
    screen.expect_ready()
    assert screen.page.locator("[name=look]:checked").get_attribute("aria-label") == "Vivid"


@pytest.mark.long
def test_without_webgl_there_are_no_looks_and_all_else_works(open_page, small_server, tmp_path):
    screen = RecordScreen(open_page(small_server, script="""
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest);
      };""", **ALLOWED)).open()
    assert not screen.page.get_by_role("button", name="Looks").is_visible()
    screen.viewer.until(lambda: colourfulness(middle_of(screen)) > 150, "the camera's picture")
    length = screen.record(1.2)
    file = screen.finish(tmp_path / "video.webm")
    assert lasts(file, length)


@pytest.mark.long
def test_a_page_too_busy_to_hear_at_once_that_a_clip_plays_loses_nothing_of_it(open_page, small_server, tmp_path):
    screen = RecordScreen(open_page(small_server, script="""
      const { addEventListener } = EventTarget.prototype;
      let isBusy = true;
      HTMLVideoElement.prototype.addEventListener = function (kind, listener, options) {
        return addEventListener.call(this, kind, kind !== 'playing' ? listener : (event) => {
          setTimeout(() => listener(event), isBusy && !this.isConnected ? 600 : 0);
          isBusy &&= this.isConnected;
        }, options);
      };""", **ALLOWED)).open()
    length = screen.record(1.2)
    assert lasts(screen.finish(tmp_path / "video.webm"), length)


def test_without_permission_a_sentence_says_what_to_do(open_page, small_server):
    screen = RecordScreen(open_page(small_server, permissions=["geolocation"]))
    screen.page.get_by_role("button", name="Record a clip").click()
    alert = screen.root.get_by_role("alert")
    alert.get_by_role("heading", name="No permission").wait_for()
    assert "Allow both in the browser" in alert.inner_text()
    assert screen.shutter.get_attribute("aria-disabled") == "true"
    screen.page.context.grant_permissions(ALLOWED["permissions"])
    screen.tap("Try again")
    screen.expect_ready()
    assert not alert.is_visible()


@pytest.mark.long
def test_a_camera_that_is_taken_away_ends_the_clip_but_keeps_it(open_page, small_server):
    screen = RecordScreen(open_page(small_server, script=NOTE_HOLDINGS, **ALLOWED)).open()
    screen.tap_shutter()
    screen.expect_length(1.2)
    screen.page.evaluate("held.tracks.find(({ kind }) => kind === 'video').dispatchEvent(new Event('ended'))")
    screen.root.get_by_role("heading", name="The camera is busy").wait_for()
    screen.expect_stage("ready")
    assert screen.marks() == 1 and screen.length() >= 1.1
    screen.tap("Try again")
    screen.expect_ready()


def test_a_hidden_page_lets_the_camera_go_and_keeps_what_was_recorded(open_page, small_server):
    screen = RecordScreen(open_page(small_server, script=NOTE_HOLDINGS + """
      let isHidden = false;
      Object.defineProperty(Document.prototype, 'hidden', { get: () => isHidden });
      window.hide = (on) => { isHidden = on; document.dispatchEvent(new Event('visibilitychange')); };
    """, **ALLOWED)).open()
    screen.tap_shutter()
    screen.expect_length(1.2)
    screen.page.evaluate("hide(true)")
    assert screen.page.evaluate("held.tracks.every(({ readyState }) => readyState === 'ended')")
    screen.page.evaluate("hide(false)")
    screen.expect_ready()
    assert screen.marks() == 1 and screen.length() >= 1.1


@pytest.mark.long
def test_a_full_disk_ends_the_clip_and_keeps_what_was_written(open_page, small_server):
    screen = RecordScreen(open_page(small_server, script="""
      window.room = 2;
      const { add } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.add = function (...what) {
        if (room <= 0) throw new DOMException('full', 'QuotaExceededError');
        room -= 1;
        return add.apply(this, what);
      };""", **ALLOWED)).open()
    screen.tap_shutter()
    screen.root.get_by_role("heading", name="No room for clips").wait_for()
    screen.expect_stage("ready")
    assert screen.marks() == 1 and screen.length() >= 0.5
    screen.page.evaluate("room = 100")
    screen.tap("Try again")
    screen.expect_ready()
    screen.record(0.5)
    assert screen.marks() == 2


@pytest.mark.long
def test_a_countdown_is_seen_and_then_it_records_by_itself(screen):
    screen.choose("Timer", "3 seconds")
    # Noted by the page: each is there for a second.
    screen.page.evaluate("""() => {
      const count = document.querySelector('[data-part=count]');
      window.counted = [];
      new MutationObserver(() => {
        const seen = count.checkVisibility({ visibilityProperty: true }) && count.textContent;
        if (seen && seen !== counted.at(-1)) counted.push(seen);
      }).observe(count, { childList: true, attributes: true });
    }""")
    screen.tap_shutter()
    screen.expect_stage("capturing")
    assert screen.page.evaluate("counted") == ["3", "2", "1"]
    assert not screen.page.locator("[data-part=count]").is_visible()
    screen.tap_shutter()


@pytest.mark.long
def test_held_down_it_records_until_it_is_let_go(screen):
    box = screen.shutter.bounding_box()
    screen.page.mouse.move(box["x"] + 40, box["y"] + 40)
    screen.page.mouse.down()
    screen.expect_length(1)
    screen.page.mouse.up()
    screen.expect_stage("ready")
    assert screen.marks() == 1


@pytest.mark.long
def test_a_tap_of_which_a_busy_page_hears_late_stays_a_tap(screen):
    screen.shutter.hover()
    # Both ends happen at once; between hearing of the one and of the other the page is busy for longer than any tap.
    screen.shutter.evaluate("""button => {
      const [down, up] = ['pointerdown', 'pointerup'].map((type) =>
        new PointerEvent(type, { pointerId: 1, pointerType: 'mouse', isPrimary: true, bubbles: true }));
      button.dispatchEvent(down);
      const free = performance.now() + 600;
      while (performance.now() < free);
      button.dispatchEvent(up);
    }""")
    screen.expect_stage("capturing")
    screen.expect_length(0.5)
    screen.tap_shutter()
    screen.expect_stage("ready")
    assert screen.marks() == 1


@pytest.mark.long
def test_all_of_it_works_with_the_keyboard_alone(open_page, small_server):
    viewer = open_page(small_server, **ALLOWED)
    viewer.expect_playing()
    current = viewer.current()

    def press_space():
        """Down and up at one moment of its own clock: what takes a busy browser 300 ms is a hold."""
        at = time.time()
        for kind in ("rawKeyDown", "keyUp"):
            viewer.cdp.send("Input.dispatchKeyEvent", {
                "type": kind, "key": " ", "code": "Space", "windowsVirtualKeyCode": 32, "timestamp": at})

    viewer.press("r")
    screen = RecordScreen(viewer).expect_ready()
    press_space()
    screen.expect_length(0.8)
    press_space()
    screen.expect_stage("ready")
    # Keys of the feed rest.
    viewer.press("ArrowDown")
    viewer.press("Escape")
    question = screen.page.get_by_role("alertdialog", name="Keep your clips?")
    question.wait_for()
    viewer.press("Escape")
    question.wait_for(state="hidden")
    assert screen.marks() == 1
    viewer.press("Escape")
    question.wait_for()
    viewer.press("Tab")
    viewer.press("Enter")
    screen.expect_gone()
    assert viewer.page.evaluate("document.activeElement.id") == "record"
    assert viewer.current() == current
    viewer.expect_playing()
    # Written when the screen has gone.
    viewer.until(lambda: screen.stored() == {"list": [], "files": []}, "nothing on the disk")


@pytest.mark.long
def test_every_control_has_a_role_and_a_name_and_is_large_enough(screen):
    screen.record(1.2)
    tree = screen.root.aria_snapshot()
    for line in ['dialog "Record a clip"', 'progressbar "Recorded"', 'button "Close"', 'button "Record"',
                 'button "Undo the last clip"', 'button "Finish"', 'button "Speed"', 'radio "60 seconds" [checked]']:
        assert line in tree, tree
    value = screen.page.get_by_role("progressbar", name="Recorded").get_attribute("aria-valuetext")
    assert value == f"{screen.length()} of 60 seconds"
    assert "seconds recorded" in screen.root.get_by_role("status").inner_text()
    for control in screen.root.locator("button:visible, input:visible").all():
        box = control.bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44, control.evaluate("(it) => it.outerHTML")


@pytest.mark.long
def test_going_back_closes_it_and_asks_where_there_are_clips(open_page, small_server):
    viewer = open_page(small_server, **ALLOWED)
    viewer.expect_playing()
    screen = RecordScreen(viewer).open()
    assert viewer.page.url.endswith("#record")
    viewer.page.evaluate("history.back()")
    screen.expect_gone()
    viewer.expect_playing()
    screen.open().record(0.5)
    viewer.page.evaluate("history.back()")
    screen.page.get_by_role("button", name="Keep clips").click()
    screen.expect_gone()
    viewer.expect_playing()
    screen.open()
    assert screen.marks() == 1
    assert viewer.complaints == []


@pytest.mark.long
def test_its_address_opens_it_over_the_feed(open_page, small_server):
    viewer = open_page(small_server, **ALLOWED)
    viewer.page.goto("about:blank")
    viewer.page.goto(f"{small_server.url}/#record")
    screen = RecordScreen(viewer).expect_ready()
    screen.tap("Close")
    screen.expect_gone()
    viewer.expect_playing()


@pytest.mark.long
def test_one_tab_at_a_time_has_the_clips(screen, small_server):
    other = screen.page.context.new_page()
    other.goto(f"{small_server.url}/#record")
    other.locator("#notice", has_text="open in another tab").wait_for()
    assert other.locator("#studio").count() == 0
    other.close()


@pytest.mark.long
def test_coming_and_going_ten_times_leaves_nothing_behind(open_page, small_server):
    viewer = open_page(small_server, script=NOTE_HOLDINGS, **ALLOWED)
    viewer.expect_playing()
    screen = RecordScreen(viewer)

    def come_and_go():
        screen.open()
        screen.tap_shutter()
        screen.expect_length(0.3)
        screen.tap_shutter()
        screen.expect_stage("ready")
        screen.tap("Looks")
        viewer.press("Escape")
        viewer.press("Escape")
        screen.tap("Discard clips")
        screen.expect_gone()

    def nodes():
        viewer.cdp.send("HeapProfiler.collectGarbage")
        counters = viewer.cdp.send("Memory.getDOMCounters")
        return counters["nodes"], counters["jsEventListeners"]

    for _ in range(3):
        come_and_go()
    viewer.expect_playing()
    before = nodes()
    for _ in range(7):
        come_and_go()
    viewer.expect_playing()
    viewer.until(lambda: all(now <= then + 60 for now, then in zip(nodes(), before)), f"as few nodes as {before}")

    def is_all_given_back():
        held = viewer.page.evaluate("""() => ({
          tracks: held.tracks.filter(({ readyState }) => readyState !== 'ended').length,
          contexts: held.contexts.filter((context) => context.deref()?.isContextLost() === false).length,
          sounds: held.sounds.filter(({ state }) => state !== 'closed').length,
          addresses: held.addresses.size,
        })""")
        # Addresses: those of the feed's players.
        return held["addresses"] <= 3 and held | {"addresses": 0} == {"tracks": 0, "contexts": 0, "sounds": 0, "addresses": 0}

    # A sound closes behind the screen.
    viewer.until(is_all_given_back, "nothing held")
    viewer.until(lambda: screen.stored() == {"list": [], "files": []}, "nothing on the disk")
    assert viewer.complaints == []
