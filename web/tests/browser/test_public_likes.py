"""What somebody likes, on their profile: for others where they want that, and who sees it for themselves."""

import pytest
from playwright.sync_api import expect

from test_account import arrive, row, screen, sign_up, tap
from test_messages import reads
from test_notifications import ask
from test_profile import profile, tiles
from viewer import PLAYING


@pytest.fixture
def liked(own_server):
    """Two clips, in the order in which they are liked."""
    return own_server.feed()[:2]


@pytest.fixture
def ada(open_page, own_server, liked):
    viewer = sign_up(arrive(open_page(own_server)), "ada")
    for clip in liked:
        ask(viewer, "PUT", f"/clips/{clip['id']}/like")
    return viewer


def show(viewer, is_public=True):
    ask(viewer, "PATCH", "/account/profile", {"likes_public": is_public})


def is_shown(viewer):
    return ask(viewer, "GET", "/profiles/ada")["likes_public"]


def tabs(viewer):
    return profile(viewer).get_by_role("tab")


def tab(viewer, name):
    return profile(viewer).get_by_role("tab", name=name)


def on_ones_own(viewer):
    viewer.press("a")
    row(viewer, "Your profile")
    tab(viewer, "Liked").click()


def switch(viewer):
    return screen(viewer, "Edit profile").get_by_role("switch", name="Show others what you like")


def test_what_somebody_shows_is_a_tab_whose_clips_are_the_feed_and_back(open_page, own_server, ada, liked):
    show(ada)
    viewer = arrive(open_page(own_server))
    viewer.page.evaluate("location.hash = '#profile/ada'")
    expect(tabs(viewer)).to_have_text(["Clips", "Liked"])
    expect(profile(viewer).get_by_text("No clips yet.")).to_be_visible()
    tabs(viewer).last.click()
    expect(profile(viewer).get_by_role("list", name="Clips that Ada likes").get_by_role("listitem")).to_have_count(2)
    # The newest like comes first.
    tiles(viewer).last.click()
    expect(profile(viewer)).to_have_count(0)
    viewer.page.wait_for_function(PLAYING, arg=liked[0]["id"])
    viewer.page.go_back()
    expect(tabs(viewer).last).to_have_attribute("aria-selected", "true")
    expect(tiles(viewer).last).to_be_focused()
    assert not viewer.complaints


@pytest.mark.long
def test_nobody_else_has_the_tab_until_it_is_switched_on_and_ones_own_says_who_sees_it(open_page, own_server, ada):
    viewer = arrive(open_page(own_server))
    viewer.page.evaluate("location.hash = '#profile/ada'")
    expect(profile(viewer).get_by_text("No clips yet.")).to_be_visible()
    expect(tabs(viewer)).to_have_count(0)

    on_ones_own(ada)
    expect(profile(ada).get_by_text("You alone see what you like.")).to_be_visible()
    expect(tiles(ada)).to_have_count(2)
    tap(ada, "Change that")
    expect(switch(ada)).not_to_be_checked()
    switch(ada).check()
    ada.until(lambda: is_shown(ada), "the switch with the server")
    ada.page.go_back()
    tab(ada, "Liked").click()
    expect(profile(ada).get_by_text("Everybody finds the public ones of these clips on your profile.")).to_be_visible()
    tab(ada, "Saved").click()
    expect(profile(ada).get_by_text("You alone see what you saved.")).to_be_visible()
    viewer.page.reload()
    expect(tabs(viewer)).to_have_text(["Clips", "Liked"])

    # Off again, by a key; the last of quick turns holds.
    tab(ada, "Liked").click()
    tap(ada, "Change that")
    expect(switch(ada)).to_be_checked()
    told = []
    ada.page.on("response", lambda response: told.append(response.url) if response.request.method == "PATCH" else None)
    for _ in range(3):
        switch(ada).press(" ")
    expect(switch(ada)).not_to_be_checked()
    # NB: it is off after the first of them as well.
    ada.until(lambda: len([url for url in told if url.endswith("/account/profile")]) == 3, "an answer to each turn")
    assert not is_shown(ada)
    # It went from under somebody who looks.
    tabs(viewer).last.click()
    expect(profile(viewer).get_by_role("alert")).to_contain_text("does not show what they like")
    assert not ada.complaints


@pytest.mark.long
def test_a_switch_that_was_not_saved_goes_back(ada):
    ada.press("a")
    row(ada, "Your profile")
    tap(ada, "Edit profile")
    ada.page.route("**/api/v1/account/profile", lambda route: route.fulfill(
        status=503, content_type="application/problem+json", body='{"code": "unavailable", "detail": "Not now."}'))
    switch(ada).click()
    reads(ada, "#account-screen > [role=status]", "Not now.")
    expect(switch(ada)).not_to_be_checked()
    assert not is_shown(ada)
