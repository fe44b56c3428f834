"""Debian's Firefox by WebDriver BiDi (W3C): a WebSocket, and no driver beside it."""

import base64
import json
import re
import subprocess

import websocket

from engine import COMPLAINTS, HEIGHT, WIDTH, Engine, called

KEYS = {"ArrowDown": "\ue015", "ArrowUp": "\ue013", "Space": " ", "Escape": "\ue00c", "Enter": "\ue007",
        "Backspace": "\ue003"}
# Clips start by themselves as where somebody has been before; there is a mouse (fine, and able to hover), which a machine
# without a screen does not say; nothing is fetched that nobody asked for.
PREFERENCES = """
user_pref("media.autoplay.default", 0);
user_pref("ui.primaryPointerCapabilities", 6);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("browser.safebrowsing.update.enabled", false);
user_pref("media.gmp-manager.updateEnabled", false);
"""


class Firefox(Engine):
    name = "Firefox"

    def __init__(self, folder):
        (folder / "user.js").write_text(PREFERENCES)
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if told := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
                break
        else:
            raise RuntimeError("Firefox did not start")
        # Nobody reads the rest; a full pipe would stop it.
        self.drain = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL)
        self.socket = websocket.create_connection(f"{told[1]}/session", timeout=60, suppress_origin=True)
        self.number = 0
        self.call("session.new", {"capabilities": {}})
        self.context = self.call("browsingContext.create", {"type": "tab"})["context"]
        self.call("browsingContext.setViewport", {"context": self.context, "viewport": {"width": WIDTH, "height": HEIGHT}})
        self.call("script.addPreloadScript", {"functionDeclaration": f"() => {{ {COMPLAINTS} }}"})

    def call(self, method, params):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") != self.number:
                continue
            if answer["type"] == "error":
                raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
            return answer["result"]

    def before(self, script):
        """Runs in each page from now on, before its own scripts."""
        self.call("script.addPreloadScript", {"functionDeclaration": f"() => {{ {script} }}"})

    def open(self, url):
        self.call("browsingContext.navigate", {"context": self.context, "url": url, "wait": "interactive"})

    def run(self, script, argument=None):
        answer = self.call("script.evaluate", {
            "expression": f"Promise.resolve({called(script, argument)}).then((answer) => JSON.stringify(answer ?? null))",
            "target": {"context": self.context}, "awaitPromise": True})
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def png(self):
        return base64.b64decode(self.call("browsingContext.captureScreenshot", {"context": self.context})["data"])

    def press(self, key):
        value = KEYS.get(key, key)
        self.act("key", "keyboard", [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}])

    def click(self, x, y):
        self.act("pointer", "mouse", [
            {"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}])

    def swipe(self, path):
        """A mouse along these heights (px)."""
        x = WIDTH // 2
        moves = [{"type": "pointerMove", "x": x, "y": y, "duration": 20} for y in path[1:]]
        self.act("pointer", "mouse", [
            {"type": "pointerMove", "x": x, "y": path[0]}, {"type": "pointerDown", "button": 0}, *moves,
            {"type": "pointerUp", "button": 0}])

    def act(self, kind, name, actions):
        self.call("input.performActions", {"context": self.context, "actions": [{"type": kind, "id": name, "actions": actions}]})

    def close(self):
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        # What it started may have the pipe still.
        self.drain.kill()
        self.drain.wait()
