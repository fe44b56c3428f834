"""A picture of oneself: chosen, the square of it that others see, shown, refused and removed."""

import io

import pytest
import requests
from PIL import Image
from playwright.sync_api import expect

from test_account import arrive, sign_up, tap
from test_messages import reads
from test_profile import follow, profile

pytestmark = pytest.mark.long


def two_colours(folder, kind="png", exif=None):
    """Red on the left and blue on the right, upright: wider than high."""
    picture = Image.new("RGB", (400, 300), (220, 0, 0))
    picture.paste((0, 0, 220), (200, 0, 400, 300))
    path = folder / f"face.{kind}"
    picture.save(path, **({"exif": exif} if exif else {}))
    return path


def choose(viewer, file, name="Add a picture"):
    with viewer.page.expect_file_chooser() as chooser:
        tap(viewer, name)
    chooser.value.set_files(file)
    stage = viewer.page.get_by_role("group", name="The part that others see")
    expect(stage).to_be_focused()
    return stage


def stored(server, handle):
    picture = requests.get(f"{server.url}/api/v1/profiles/{handle}").json()["author"].get("picture")
    if not picture:
        return None
    made = [Image.open(io.BytesIO(requests.get(server.url + picture[name]).content)) for name in ("large_url", "small_url")]
    assert [one.size for one in made] == [(512, 512), (128, 128)]
    assert not any(one.getexif() for one in made)
    return made[0].convert("RGB")


def colour(image, x, y):
    red, _, blue = image.getpixel((round(x * (image.width - 1)), round(y * (image.height - 1))))
    return "red" if red > 150 > blue else "blue" if blue > 150 > red else "neither"


def test_a_picture_is_chosen_moved_by_keys_and_the_mouse_shown_and_removed(open_page, own_server, tmp_path):
    ada = sign_up(arrive(open_page(own_server)), "ada")
    ada.page.evaluate("location.hash = '#account/about'")
    # By the keys: to its right end.
    stage = choose(ada, two_colours(tmp_path))
    for _ in range(20):
        ada.press("ArrowLeft")
    tap(ada, "Use this picture")
    reads(ada, "#account-screen > [role=status]", "The picture is saved.")
    expect(ada.page.locator("#account-screen .portrait img")).to_have_js_property("naturalWidth", 512)
    assert [colour(stored(own_server, "ada"), x, 0.5) for x in (0.1, 0.5, 0.9)] == ["red", "blue", "blue"]

    # By the mouse: to its left end, and nearer by the wheel.
    stage = choose(ada, two_colours(tmp_path), "Change the picture")
    box = stage.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    ada.page.mouse.move(x, y)
    ada.page.mouse.down()
    ada.page.mouse.move(x + 200, y, steps=5)
    ada.page.mouse.up()
    ada.page.mouse.move(box["x"] + 1, y)
    ada.page.mouse.wheel(0, -400)
    nearness = ada.page.get_by_role("slider", name="How near")
    ada.page.wait_for_function("(input) => input.valueAsNumber > 20", arg=nearness.element_handle())
    tap(ada, "Use this picture")
    expect(ada.page.get_by_role("button", name="Change the picture")).to_be_focused()
    image = stored(own_server, "ada")
    assert [colour(image, x, 0.5) for x in (0.1, 0.5, 0.9)] == ["red"] * 3

    # Others see it where her name stands, and nothing shifts for it.
    bob = sign_up(arrive(open_page(own_server)), "bob")
    follow(ada, "bob")
    bob.page.evaluate("location.hash = '#profile/bob/followers'")
    face = profile(bob).get_by_role("listitem").locator(".avatar img")
    expect(face).to_have_js_property("naturalWidth", 128)
    expect(face).to_have_attribute("loading", "lazy")
    assert face.evaluate("(image) => [image.width, image.height].every((side) => side === image.parentNode.clientWidth)")
    bob.page.evaluate("location.hash = '#profile/ada'")
    expect(profile(bob).locator(".face .avatar img")).to_have_js_property("naturalWidth", 512)

    tap(ada, "Remove the picture")
    expect(ada.page.get_by_role("button", name="Add a picture")).to_be_focused()
    expect(ada.page.locator("#account-screen .portrait img")).to_have_count(0)
    assert stored(own_server, "ada") is None
    # To whom it is shown already it is gone as well: the initial is there.
    bob.page.reload()
    expect(profile(bob).locator(".face .avatar")).to_have_text("A")
    expect(profile(bob).locator(".face .avatar img")).to_have_count(0)
    assert not ada.complaints and not bob.complaints


def test_nothing_of_a_file_leaves_the_device_but_what_one_sees_and_a_refusal_keeps_it(open_page, own_server, tmp_path):
    ada = sign_up(arrive(open_page(own_server)), "ada")
    ada.page.evaluate("location.hash = '#account/about'")
    exif = Image.Exif()
    # Turned by a quarter, in a place.
    exif[0x0112] = 6
    exif[0x010E] = "PLANTED"
    file = two_colours(tmp_path, "jpg", exif)
    assert b"PLANTED" in file.read_bytes()
    choose(ada, file)
    sent = []

    def refuse(route):
        sent.append(route.request.post_data_buffer)
        route.fulfill(status=503, headers={"Content-Type": "application/problem+json"},
                      json={"status": 503, "code": "unavailable", "detail": "The server cannot answer now."})

    ada.page.route("**/api/v1/account/picture", refuse)
    tap(ada, "Use this picture")
    expect(ada.page.locator("#account-screen .portrait").get_by_role("alert")).to_have_text("The server cannot answer now.")
    expect(ada.page.get_by_role("group", name="The part that others see")).to_be_visible()
    assert b"PLANTED" not in sent[0] and b"Exif" not in sent[0] and sent[0][:2] == b"\xff\xd8"
    ada.page.unroute("**/api/v1/account/picture")
    tap(ada, "Use this picture")
    reads(ada, "#account-screen > [role=status]", "The picture is saved.")
    # Upright: what was on the left is above.
    image = stored(own_server, "ada")
    assert (colour(image, 0.5, 0.1), colour(image, 0.5, 0.9)) == ("red", "blue")
    wrong = tmp_path / "words.png"
    wrong.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    with ada.page.expect_file_chooser() as chooser:
        tap(ada, "Change the picture")
    chooser.value.set_files(wrong)
    expect(ada.page.locator("#account-screen .portrait").get_by_role("alert")).to_have_text("This file is no picture that this browser can read.")
