"""The page in other languages than English: what it says, which way it is read, and how a language is chosen."""

import pytest
from playwright.sync_api import expect

from geometry import apart, faults
from languages import DIRECTIONS, root_of, same_sentences, settled, speaking, texts, wide
from studio import ALLOWED
from test_account import arrive, sign_up
from test_sizes import FEED, go, settle
from test_styles import SCREENS, leave
from test_styles import go as open_screen
from test_tabs import sideways

PHONE = {"width": 390, "height": 844}
SIZES = [(390, 844), (320, 568), (1440, 900)]
# Pages of somebody's account that show words without a clip of theirs.
PLACES = ["", "edit", "about", "password", "access", "two-step", "passkeys", "keys", "devices", "security", "filters", "decisions", "webhooks",
          "data", "restricted", "bookmarks", "following", "blocks", "clips", "generate", "delete"]
# By key, over the feed: the element that it opens, what is there when it is, and what closes it.
SHEETS = {"c": ("#comments", "#comments textarea", "#comments .close"), "?": ("#keys", "#keys dl", "#keys > button")}


def at_all_sizes(page, root="body", parts=()):
    """What is cut off, covered or too wide of what is open, by size."""
    found = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        if wrong := faults(page, root) + wide(page, root) + apart(page, *parts):
            found[f"{width}x{height}"] = wrong
    page.set_viewport_size(PHONE)
    settle(page)
    return found


def captions_in(server):
    return [clip["caption"] for clip in server.feed() if clip["caption"]]


def box(page, selector):
    return page.locator(selector).first.bounding_box()


def middle(page, selector):
    """How far from the left edge an element stands."""
    found = box(page, selector)
    return found["x"] + found["width"] / 2


def test_an_english_page_asks_for_no_words(open_page, small_server):
    viewer = open_page(small_server)
    asked = []
    viewer.page.on("request", lambda request: asked.append(request.url.removeprefix(small_server.url)))
    viewer.reload_feed()
    settled(viewer)
    assert root_of(viewer) == ["en", "ltr"]
    open_screen(viewer.page, "#account")
    assert "/app/main.js" in asked
    assert [url for url in asked if url.startswith("/words/")] == []
    assert viewer.complaints == []


def test_the_feed_plays_in_arabic_from_right_to_left(open_page, small_server):
    feed = small_server.feed()
    viewer = settled(open_page(small_server, script=speaking("ar")), "ar")
    page = viewer.page
    assert root_of(viewer) == ["ar", "rtl"]
    viewer.expect_playing(feed[0])
    half = page.viewport_size["width"] / 2
    assert middle(page, ".page[aria-current] .rail") < half < middle(page, ".page[aria-current] .avatar")
    assert middle(page, "#messages .reactions") < half
    # A clip goes on to the right in every language.
    assert page.evaluate("getComputedStyle(document.getElementById('scrubber')).direction") == "ltr"
    viewer.press("ArrowDown")
    viewer.expect_playing(feed[1])
    assert viewer.complaints == []


def test_a_language_is_chosen_in_the_settings_and_stays(open_page, small_server):
    viewer = settled(open_page(small_server))
    page, field = viewer.page, viewer.page.locator("#messages textarea")
    field.fill("half a thou")
    viewer.press("Escape")
    go(page, "#account/playback")
    choice = page.get_by_label("Language", exact=True)
    expect(choice.locator("option")).to_have_text(["System", "English", "Deutsch", "Español", "العربية"])
    expect(choice).to_have_value("")
    choice.select_option("ar")
    page.wait_for_function("() => document.documentElement.lang === 'ar' && document.documentElement.dir === 'rtl'")
    expect(page.locator("#language")).to_have_value("ar")
    expect(page.locator("#account-title")).not_to_have_text("Playback")
    page.reload()
    expect(page.locator("#language")).to_have_value("ar")
    assert root_of(viewer) == ["ar", "rtl"]
    # What was being written is there, over the clip that it belongs to.
    page.locator("#account-screen header > .round").first.click()
    expect(page.locator("#account-screen")).to_have_count(0)
    viewer.expect_playing()
    expect(field).to_have_value("half a thou")
    go(page, "#account/playback")
    page.locator("#language").select_option("")
    page.wait_for_function("() => document.documentElement.lang === 'en' && document.documentElement.dir !== 'rtl'")
    assert page.evaluate("localStorage['clipfeed.language'] ?? null") is None


@pytest.mark.long
@pytest.mark.parametrize("language", DIRECTIONS)
def test_every_screen_speaks_the_language_at_every_size(open_page, small_server, language):
    captions = captions_in(small_server)
    english = settled(open_page(small_server, viewport=PHONE, **ALLOWED))
    viewer = settled(open_page(small_server, viewport=PHONE, script=speaking(language), **ALLOWED), language)
    assert root_of(viewer) == [language, DIRECTIONS[language]]
    page, wrong = viewer.page, {}

    def compare(name, root, parts=()):
        ours = texts(english.page, root)
        assert ours, name
        if same := same_sentences(ours, texts(page, root), captions):
            wrong[name] = same
        if cut := at_all_sizes(page, root, parts):
            wrong[f"{name}, sizes"] = cut

    compare("the feed", "body", FEED)
    for key, (root, ready, closing) in SHEETS.items():
        for each in [english, viewer]:
            each.press(key)
            each.page.locator(ready).first.wait_for()
            settle(each.page)
        compare(key, root)
        for each in [english, viewer]:
            each.page.locator(closing).click()
            each.page.locator(root).wait_for(state="hidden")
    for each in [english, viewer]:
        each.page.locator(".page[aria-current] .more").click()
        each.page.locator("#menu button").first.wait_for()
    compare("the menu", "#menu")
    for each in [english, viewer]:
        each.press("Escape")
        each.page.locator("#menu").wait_for(state="hidden")
    for address in SCREENS:
        for each in [english, viewer]:
            root = open_screen(each.page, address)
        compare(address, root)
        for each in [english, viewer]:
            leave(each.page, root)
    assert wrong == {}
    # Nothing breaks here that does not there: what is not found is a complaint of the browser.
    assert set(viewer.complaints) <= set(english.complaints)


def show_place(page, place):
    go(page, f"#account/{place}")
    page.wait_for_function("(place) => document.getElementById('account-screen')?.dataset.view === place", arg=place)
    page.wait_for_function("""() => [...document.querySelectorAll('#account-screen :is(.middle, .news)')].some((part) => part.innerText.trim())
      && ![...document.querySelectorAll('#account-screen .turning')].some((sign) => sign.checkVisibility())""")


@pytest.mark.long
@pytest.mark.parametrize("language", DIRECTIONS)
def test_every_page_of_an_account_speaks_the_language(open_page, own_server, language):
    english = sign_up(arrive(open_page(own_server, viewport=PHONE)), "ada")
    # Made in English: the helpers know the page by what it says.
    viewer = sign_up(arrive(open_page(own_server, viewport=PHONE)), "bob")
    viewer.page.evaluate("(language) => { localStorage['clipfeed.language'] = language; }", language)
    settled(viewer.reload_feed(), language)
    captions, wrong = captions_in(own_server), {}
    for place in PLACES:
        for each in [english, viewer]:
            show_place(each.page, place)
        if same := same_sentences(texts(english.page, "#account-screen"), texts(viewer.page, "#account-screen"), captions):
            wrong[place] = same
        if cut := at_all_sizes(viewer.page, "#account-screen"):
            wrong[f"{place}, sizes"] = cut
    assert wrong == {}


@pytest.mark.long
def test_in_arabic_what_leads_back_is_at_the_right(open_page, small_server):
    viewer = settled(open_page(small_server, viewport=PHONE, script=speaking("ar")), "ar")
    page, half = viewer.page, PHONE["width"] / 2
    go(page, "#account")
    page.locator("#account-screen form").first.wait_for()
    page.evaluate("""() => {
      history.pushState({ fromFeed: true, depth: 1 }, '', '#account/playback');
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
    }""")
    page.locator("#playback-saves").wait_for()
    settle(page)
    close, back = (page.locator("#account-screen header > .round").nth(number).bounding_box() for number in [0, 1])
    assert close["x"] + close["width"] < half < back["x"]
    # It points to where it leads.
    assert page.evaluate("getComputedStyle(document.querySelectorAll('#account-screen header > .round')[1].querySelector('svg')).scale") == "-1 1"
    # A switch stands behind its words.
    assert middle(page, "#playback-saves") < half
    page.locator("#account-screen header > .round").first.click()
    expect(page.locator("#account-screen")).to_have_count(0)
    open_screen(page, "#search")
    page.locator("#search-screen input").fill("a name in English")
    settle(page)
    assert middle(page, "#search-screen .clear") < half
    leave(page, "#search-screen")
    viewer.press("c")
    page.locator("#comments textarea").wait_for()
    settle(page)
    assert middle(page, "#comments .close") < half


@pytest.mark.long
def test_in_arabic_a_desktop_has_its_places_at_the_right_and_comments_at_the_left(open_page, small_server):
    viewer = settled(open_page(small_server, viewport={"width": 1440, "height": 900}, script=speaking("ar")), "ar")
    page = viewer.page
    page.locator("#places").wait_for()
    places, stage = box(page, "#places"), box(page, "#stage")
    assert round(places["x"] + places["width"]) == 1440
    assert round(stage["x"]) == 0 and round(stage["x"] + stage["width"]) == round(places["x"])
    clip = box(page, "video[data-shown]")
    assert middle(page, ".page[aria-current] .rail") < clip["x"]
    viewer.press("c")
    page.locator("#comments textarea").wait_for()
    settle(page)
    comments = box(page, "#comments")
    assert round(comments["x"]) == 0
    assert box(page, "video[data-shown]")["x"] >= comments["width"] - 1
    viewer.expect_playing()


@pytest.mark.long
def test_in_arabic_arrows_and_fingers_go_the_way_it_is_read(open_page, small_server):
    viewer = settled(open_page(small_server, viewport=PHONE, has_touch=True, tab="for_you", script=speaking("ar")), "ar")
    tabs = viewer.page.locator("#tabs [role=tab]")
    assert tabs.first.bounding_box()["x"] > tabs.last.bounding_box()["x"]
    tabs.first.focus()
    for key, number in [("ArrowLeft", 1), ("ArrowLeft", 2), ("ArrowRight", 1), ("End", 2), ("Home", 0), ("ArrowRight", 2)]:
        viewer.press(key)
        expect(tabs.nth(number)).to_be_focused()
        expect(tabs.nth(number)).to_have_attribute("aria-selected", "true")
    viewer.expect_playing()
    # To the right, to where the tab before the last one lies.
    sideways(viewer, 320, 120)
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    sideways(viewer, 120, 320)
    expect(tabs.nth(2)).to_have_attribute("aria-selected", "true")


@pytest.mark.long
def test_in_arabic_a_clip_still_goes_on_to_the_right(open_page, small_server):
    viewer = settled(open_page(small_server, script=speaking("ar")), "ar")
    page = viewer.page
    viewer.press("Space")
    viewer.expect_state("paused")
    # A quarter of the way from the left is a quarter of the clip.
    line = box(page, "#scrubber")
    page.mouse.click(line["x"] + line["width"] / 4, line["y"] + line["height"] - 6)
    page.wait_for_function("() => (({ value, max }) => Math.abs(value / max - 1 / 4) < .05)(document.getElementById('scrubber'))")
    page.wait_for_function("""() => {
      const [whole, played] = ['#bar', '#bar i'].map((one) => document.querySelector(one).getBoundingClientRect());
      return Math.abs(played.left - whole.left) < 1 && Math.abs(played.width / whole.width - 1 / 4) < .1;
    }""")
    before = page.evaluate("Number(document.getElementById('scrubber').value)")
    page.evaluate("document.activeElement.blur()")
    viewer.press("ArrowRight")
    page.wait_for_function("(before) => document.getElementById('scrubber').value > before + 500", arg=before)


@pytest.mark.long
@pytest.mark.parametrize("locale, language", [("de-DE", "de"), ("es-MX", "es"), ("ar-EG", "ar"), ("fr-FR", "en")])
def test_a_page_begins_in_the_language_of_its_browser(open_page, small_server, locale, language):
    viewer = open_page(small_server, locale=locale)
    settled(viewer, language)
    assert root_of(viewer) == [language, DIRECTIONS.get(language, "ltr")]
