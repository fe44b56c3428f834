"""How one's own clip does: others watch, and its owner alone sees what came of it."""

import os
import re
import time
import uuid

import pytest
from playwright.sync_api import expect

from test_account import arrive, screen
from test_menu import dots, menu
from test_own_clips import DESK, PHONE, own, publish
from test_watching import LOADED, eventually, send

pytestmark = pytest.mark.long

RTL = "document.addEventListener('DOMContentLoaded', () => { document.documentElement.dir = 'rtl'; });"


@pytest.fixture
def making(own_data):
    from server import Server
    server = Server(own_data, workers=1)
    yield server
    server.stop()


def visit(server, clip, source, watched_ms, ends=True):
    """Somebody whom the server has never seen is shown the clip, and leaves it then or at its end."""
    common = {"clip_id": clip, "at_ms": round(time.time() * 1000), "source": source}
    end = {"kind": "completion"} if ends else {"kind": "skip", "watched_ms": watched_ms}
    send(server, [common | {"id": str(uuid.uuid4()), "kind": "impression"}, common | {"id": str(uuid.uuid4())} | end])


def figures(viewer):
    """As the page has them, by their names."""
    return dict(viewer.page.locator("#account-screen .figures > div").evaluate_all(
        "(rows) => rows.map((row) => [row.querySelector('dt').textContent, row.querySelector('dd').textContent])"))


# So many seconds more of the clip on the screen, which may loop.
PLAYED = """(seconds) => new Promise((done) => {
  const video = document.querySelector('video[data-shown]');
  let [at, sum] = [video.currentTime, 0];
  video.addEventListener('timeupdate', () => {
    sum += Math.max(0, video.currentTime - at);
    at = video.currentTime;
    if (sum > seconds) done();
  });
})"""


def told(viewer, clip):
    return viewer.page.evaluate("(clip) => fetch(`/api/v1/clips/${clip}/insights`).then((a) => a.json())", clip)


def picture(viewer, name):
    if folder := os.environ.get("CLIPFEED_SHOTS"):
        viewer.page.screenshot(path=f"{folder}/insights-{name}.png")


def test_the_owner_sees_that_somebody_watched(open_page, making):
    owner = arrive(open_page(making))
    clip = publish(owner, 4, "Mine alone")
    # Nobody has come upon it.
    own(owner).get_by_role("button", name="How it does").click()
    page = screen(owner, "How it does")
    expect(page).to_contain_text("Mine alone")
    expect(page).to_contain_text("The curve is drawn from 30 visits on. So far it is 0 visits.")
    expect(page).to_contain_text("Nobody has come upon it yet.")
    expect(page).to_contain_text("It was not shown on any of them.")
    assert set(figures(owner).values()) == {"0"}
    picture(owner, "empty")

    other = open_page(making, watched=True)
    other.expect_playing()
    assert other.current() == clip
    # NB: not wait_for_function, for which a promise is an answer, and true.
    other.until(lambda: other.page.evaluate(LOADED), "what counts")
    # From here on, since what played before anybody counted is not counted.
    other.page.evaluate(PLAYED, 2.4)
    assert other.page.evaluate("(clip) => fetch(`/api/v1/clips/${clip}/insights`).then((a) => a.status)", clip) == 404
    # What it has it tells when it goes.
    other.page.goto("about:blank")
    eventually(owner, lambda: told(owner, clip)["views"] == 1)
    owner.page.reload()
    expect(page).to_contain_text("Mine alone")
    assert figures(owner) | {"Shown": "1", "Views": "1", "Viewers": "1", "Likes": "0"} == figures(owner)
    found = page.get_by_role("list", name="Where people come upon it").get_by_role("listitem")
    expect(found).to_have_count(1)
    expect(found).to_contain_text("LatestShown 1 time, 1 view")
    assert not [text for text in owner.complaints if "404" not in text]


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("script", [None, RTL], ids=["", "rtl"])
def test_a_curve_the_sources_and_the_days(open_page, making, size, script):
    owner = arrive(open_page(making, viewport=size, script=script))
    clip = publish(owner, 5, "Seen by many")
    for number in range(24):
        visit(making, clip, "for_you", 0)
        visit(making, clip, "search" if number % 2 else "link", 900, ends=False)
    dots(owner).click()
    menu(owner).get_by_role("button", name="How it does").click()
    page = screen(owner, "How it does")
    expect(page).to_contain_text("On average people watch")
    expect(page).to_contain_text("50% watch it to the end.")
    assert figures(owner)["Shown"] == "48"
    found = page.get_by_role("list", name="Where people come upon it").get_by_role("listitem")
    expect(found.nth(0)).to_contain_text("For youShown 24 times, 24 views")
    expect(found).to_have_count(3)
    expect(page.locator(".curve svg, .days svg")).to_have_count(2)
    # What is drawn stands there in numbers as well, and is reached by keys.
    picture(owner, f"{size['width']}{'-rtl' if script else ''}")
    summary = page.locator("summary").first
    summary.focus()
    owner.press("Enter")
    table = page.get_by_role("table").first
    expect(table.get_by_role("row").nth(1)).to_have_text(re.compile("0.*100%"))
    owner.press("Tab")
    expect(page.get_by_role("region", name="How many are still there")).to_be_focused()
    page.locator("summary").last.click()
    # The newest day comes first; midnight may have come between the visits, or since.
    days = page.get_by_role("table").last.get_by_role("row")
    shown = [days.nth(place).get_by_role("cell").first for place in (1, 2)]
    assert sum(int(cell.text_content()) for cell in shown) == 48
    page.locator(".days").scroll_into_view_if_needed()
    picture(owner, f"{size['width']}{'-rtl' if script else ''}-below")
    owner.press("Escape")
    owner.expect_playing()
    assert owner.current() == clip
    assert not owner.complaints


def test_of_anothers_clip_nothing_is_told(open_page, own_server):
    viewer = arrive(open_page(own_server))
    viewer.page.evaluate("""(clip) => {
      history.pushState({ fromFeed: true }, '', `#insights/${clip}`);
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    }""", viewer.current())
    expect(screen(viewer, "How it does").get_by_role("alert")).to_have_text(
        "This is none of your clips, or it is not there any more.")
