"""WebKitGTK, the engine of Safari with GStreamer's decoders, by Debian's WebKitWebDriver."""

import contextlib
import os
import threading
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import InvalidSessionIdException, WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.mouse_button import MouseButton
from selenium.webdriver.common.keys import Keys
from urllib3.exceptions import HTTPError

from engine import COMPLAINTS, HEIGHT, WIDTH, Engine, called

KEYS = {"ArrowDown": Keys.ARROW_DOWN, "ArrowUp": Keys.ARROW_UP, "Space": Keys.SPACE, "Escape": Keys.ESCAPE, "Enter": Keys.ENTER,
        "Backspace": Keys.BACKSPACE}
# Seconds in which a browser has come, also where the machine is busy.
COMING = 60
# GStreamer's HLS is left out of WebKitGTK unless asked for; Safari has its own. What paints by GL without a graphics card ends
# the page's process now and then, inside Mesa.
WEBKIT_GTK = {"WEBKIT_GST_ENABLE_HLS_SUPPORT": "1", "WEBKIT_SKIA_ENABLE_CPU_RENDERING": "1"}

# What the driver says where it has lost a script's answer, as it does now and then on a busy machine; how often it is asked.
LOST = "Could not parse script result"
TRIES = 5


def started(options):
    """Now and then the driver waits for ever for a browser that never comes. It is ended then, and so is the wait."""
    service = webdriver.WebKitGTKService("/usr/bin/WebKitWebDriver", env=os.environ | WEBKIT_GTK)
    patience = threading.Timer(COMING, lambda: service.process.kill())
    patience.start()
    try:
        return webdriver.WebKitGTK(options=options, service=service)
    finally:
        patience.cancel()


class WebKit(Engine):
    name = "WebKit"

    def __init__(self, folder):
        [browser] = Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser")
        options = webdriver.WebKitGTKOptions()
        options.binary_location = str(browser)
        options.add_argument("--automation")
        try:
            self.driver = started(options)
        except (WebDriverException, HTTPError, OSError):
            self.driver = started(options)
        self.runs = 0
        try:
            self.fit()
        except BaseException:
            self.close()
            raise

    def fit(self):
        """The page gets the size that tests know."""
        self.driver.set_script_timeout(60)
        self.driver.set_window_size(WIDTH, HEIGHT + 100)
        inner = self.driver.execute_script("return [innerWidth, innerHeight]")
        outer = self.driver.get_window_size()
        self.driver.set_window_size(WIDTH + outer["width"] - inner[0], HEIGHT + outer["height"] - inner[1])

    def open(self, url):
        self.driver.get(url)
        self.run(f"() => {{ {COMPLAINTS} }}")

    def run(self, script, argument=None):
        self.runs += 1
        for attempt in range(TRIES):
            try:
                # Kept under its number: what is asked again is not done again.
                answer = self.driver.execute_async_script(f"""
                  const done = arguments[0], kept = (window.answers ??= {{}});
                  (kept[{self.runs}] ??= Promise.resolve().then(() => {called(script, argument)})
                    .then((answer) => [answer ?? null], (error) => [null, String(error)])).then(done);""")
                break
            except WebDriverException as error:
                if LOST not in str(error) or attempt == TRIES - 1:
                    raise
                # If the page's process is gone, this question says so.
                self.driver.title
        if len(answer) > 1:
            raise RuntimeError(answer[1])
        return answer[0]

    def png(self):
        return self.driver.get_screenshot_as_png()

    def press(self, key):
        ActionChains(self.driver).send_keys(KEYS.get(key, key)).perform()

    def click(self, x, y):
        mouse = ActionBuilder(self.driver, duration=0)
        mouse.pointer_action.move_to_location(x, y).pointer_down(MouseButton.LEFT).pointer_up(MouseButton.LEFT)
        mouse.perform()

    def swipe(self, path):
        """A mouse along these heights (px)."""
        mouse = ActionBuilder(self.driver, duration=20)
        mouse.pointer_action.move_to_location(WIDTH // 2, path[0]).pointer_down(MouseButton.LEFT)
        for y in path[1:]:
            mouse.pointer_action.move_to_location(WIDTH // 2, y)
        mouse.pointer_action.pointer_up(MouseButton.LEFT)
        mouse.perform()

    def close(self):
        # Whoever is gone already has told the test.
        with contextlib.suppress(InvalidSessionIdException):
            self.driver.quit()
