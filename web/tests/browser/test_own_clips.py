"""One's own clips: their list in the account, what is said about them, and deleting them with a way back."""

import pytest
from playwright.sync_api import expect

from server import Server
from test_account import arrive, row, screen, sign_up, tap, fill, PASSWORD
from test_menu import dots, menu
from test_messages import reads
from upload import UploadScreen, source

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}


@pytest.fixture
def making(own_data):
    """A server that makes clips of what it is sent."""
    server = Server(own_data, workers=1)
    yield server
    server.stop()


def publish(viewer, number, caption, visibility="Everyone"):
    """By the upload screen; the clip is on the screen afterwards."""
    upload = UploadScreen(viewer).open().choose(source(number))
    upload.describe(caption=caption)
    upload.root.get_by_role("radio", name=visibility).check()
    upload.tap("Publish")
    upload.expect("published", patience=60)
    upload.tap("Watch it")
    upload.root.wait_for(state="detached")
    viewer.page.locator(".page[aria-current]").filter(has_text=caption).wait_for()
    viewer.expect_playing()
    return viewer.current()


def feed_of(viewer):
    return viewer.page.evaluate(
        "fetch('/api/v1/feed?limit=50').then((a) => a.json()).then(({ items }) => items.map(({ id }) => id))")


def own(viewer):
    viewer.press("a")
    row(viewer, "Your clips")
    screen(viewer, "Your clips").wait_for()
    return viewer.page.get_by_role("list", name="Your clips").get_by_role("listitem")


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_guest_edits_and_deletes_a_private_clip_without_its_link(open_page, making, size):
    viewer = arrive(open_page(making, viewport=size))
    clip = publish(viewer, 4, "Only mine", visibility="Private")
    # Nothing of the page before is left but who it is.
    viewer.page.goto("about:blank")
    arrive(viewer.open())
    mine = own(viewer)
    expect(mine).to_have_count(1)
    expect(mine).to_contain_text("Only you can see it")
    mine.get_by_role("button", name="Edit").click()
    form = mine.get_by_role("form")
    expect(form.get_by_label("Caption")).to_be_focused()
    form.get_by_label("Caption").fill("x" * 301)
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_contain_text("too long")
    form.get_by_label("Caption").fill("For all #dawn")
    form.get_by_role("radio", name="Everyone").check()
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    expect(mine).to_contain_text("For all #dawn")
    expect(mine).to_contain_text("Everyone can see it")
    assert feed_of(viewer)[0] == clip
    # Deleted, had back, and deleted again.
    for times in range(2):
        mine.get_by_role("button", name="Delete").click()
        undo = mine.get_by_role("button", name="Undo")
        expect(undo).to_be_focused()
        expect(mine).to_contain_text("It can come back until")
        assert clip not in feed_of(viewer)
        if times == 0:
            undo.click()
            expect(mine.get_by_role("button", name="Delete")).to_be_focused()
            assert clip in feed_of(viewer)
    viewer.page.reload()
    expect(viewer.page.get_by_role("list", name="Your clips").get_by_role("button", name="Undo")).to_be_visible()
    assert not [text for text in viewer.complaints if "404" not in text]


def test_a_deleted_clip_leaves_the_screen(open_page, making):
    viewer = arrive(open_page(making))
    clip = publish(viewer, 5, "Soon gone")
    dots(viewer).click()
    menu(viewer).get_by_role("button", name="Edit or delete").click()
    screen(viewer, "Your clips").get_by_role("button", name="Delete").click()
    expect(screen(viewer, "Your clips").get_by_role("button", name="Undo")).to_be_focused()
    tap(viewer, "Close")
    # NB: first of all, or the one that is gone may still be seen to play.
    expect(viewer.page.locator(f'.page[data-clip="{clip}"]')).to_have_count(0)
    viewer.expect_playing()
    assert viewer.current() != clip


@pytest.mark.long
def test_nobody_is_offered_to_follow_or_block_themselves(open_page, making):
    viewer = arrive(open_page(making))
    publish(viewer, 6, "A guest's")
    follow = viewer.page.locator(".page[aria-current] [data-action=follow]")
    expect(follow).to_be_hidden()
    dots(viewer).click()
    expect(menu(viewer).get_by_role("button", name="Download")).to_be_visible()
    expect(menu(viewer).get_by_role("button", name="Block")).to_have_count(0)
    with viewer.page.expect_download() as download:
        menu(viewer).get_by_role("button", name="Download").click()
    assert download.value.suggested_filename.endswith(".mp4")
    # To another guest it is another's.
    other = open_page(making)
    other.expect_playing()
    other.page.locator(".page[aria-current]").filter(has_text="A guest's").wait_for()
    expect(other.page.locator(".page[aria-current] [data-action=follow]")).to_be_hidden()
    dots(other).click()
    expect(menu(other).get_by_role("button", name="Block Guest")).to_be_visible()
    expect(menu(other).get_by_role("button", name="Edit or delete")).to_have_count(0)


@pytest.mark.long
def test_with_the_account_its_clips_leave_the_screen(open_page, making):
    viewer = sign_up(arrive(open_page(making)), "ada")
    clip = publish(viewer, 7, "Ada's last")
    viewer.press("a")
    row(viewer, "Delete the account")
    fill(viewer, typed="ada", password=PASSWORD)
    tap(viewer, "Delete everything")
    reads(viewer, "#account-screen > [role=status]", "The account is deleted.")
    screen(viewer, "Sign in").wait_for()
    tap(viewer, "Close")
    # NB: first of all, or the one that is gone may still be seen to play.
    expect(viewer.page.locator(f'.page[data-clip="{clip}"]')).to_have_count(0)
    viewer.expect_playing()
    assert viewer.current() != clip


@pytest.mark.long
def test_what_is_being_made_turns_into_a_clip_in_the_list(open_page, own_data):
    idle = Server(own_data)
    try:
        viewer = arrive(open_page(idle))
        upload = UploadScreen(viewer).open().choose(source(8))
        upload.describe(caption="Nearly there")
        upload.tap("Publish")
        upload.expect("processing")
        upload.viewer.press("Escape")
        upload.expect_closed()
        mine = own(viewer)
        expect(mine).to_contain_text("Being made")
        mine.get_by_role("button", name="Delete").focus()
    finally:
        idle.stop()
    making = Server(own_data, port=idle.port, workers=1)
    try:
        expect(mine).not_to_contain_text("Being made", timeout=60_000)
        expect(mine).to_contain_text("Everyone can see it.")
        expect(mine.get_by_role("button", name="Delete")).to_be_focused()
        expect(mine.get_by_role("button", name="Watch: Nearly there")).to_be_visible()
    finally:
        making.stop()
