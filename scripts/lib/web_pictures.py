"""Icons and pictures of the page for web/manifest.webmanifest, each as small as its palette allows."""

import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

SERVER, WEB = sys.argv[1], Path(sys.argv[2])
# The page asks for no more: a picture that is larger is looked at by nobody before the page is installed.
LARGEST = 100_000
SIZES = [192, 512]
# A circle of 80 % of a maskable icon is never cut off; the drawing lies inside of it, and its ground goes to the edges.
ROUND = "<style>body { margin: 0 } svg { display: block; width: 100vw; %s }</style>"
PAGES = {"phone": (390, 844), "desktop": (1280, 800)}


def save(png, name, colours):
    """As many colours as fit."""
    picture = Image.open(io.BytesIO(png))
    has_alpha = picture.mode == "RGBA" and picture.getextrema()[3][0] < 255
    while True:
        kind = Image.Quantize.FASTOCTREE if has_alpha else Image.Quantize.MEDIANCUT
        small = (picture if has_alpha else picture.convert("RGB")).quantize(colours, method=kind, dither=Image.Dither.NONE)
        bytes_ = io.BytesIO()
        small.save(bytes_, "PNG", optimize=True)
        if bytes_.tell() <= LARGEST:
            break
        colours //= 2
    (WEB / "icons" / name).write_bytes(bytes_.getvalue())
    print(f"web/icons/{name}: {bytes_.tell()} bytes, {colours} colours")


def draw_icons(browser):
    for size in SIZES:
        for name, style in [(f"icon-{size}.png", "border-radius: 22%"), (f"maskable-{size}.png", "")]:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(ROUND % style + (WEB / "icon.svg").read_text())
            save(page.screenshot(omit_background=True), name, 128)
            page.close()


def draw_pages(browser, data):
    server = subprocess.Popen(
        [SERVER, "serve", "--data", data, "--web", WEB, "--port", "0", "--demo"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        url = next(match[1] for line in server.stdout if (match := re.search(r"running: (http://\S+)", line)))
        for name, (width, height) in PAGES.items():
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(url)
            # The first demo clips are being made; it begins by itself.
            page.wait_for_function("() => document.querySelector('video[data-shown]')?.currentTime > 1", timeout=300_000)
            page.locator("#messages textarea, #tabs").first.wait_for()
            page.evaluate("document.querySelectorAll('video').forEach((video) => video.pause())")
            save(page.screenshot(), f"{name}.png", 256)
            page.close()
    finally:
        server.terminate()
        server.wait(20)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ["CLIPFEED_CHROMIUM"], args=["--no-sandbox"])
    draw_icons(browser)
    with tempfile.TemporaryDirectory() as data:
        draw_pages(browser, data)
    browser.close()
