"""The page of the service in Chromium, as a person and a screen reader have it."""

from __future__ import annotations

import base64
import json
import time

from kit import VECTORS
from selenium import webdriver
from selenium.webdriver.common.by import By

# The page is looked at on this day, from this place: "3 days ago" and the time there are the same in every run.
NOW, ZONE, LANGUAGE = 1_767_225_600_000, "Europe/Berlin", "en-GB"
WIDE, PHONE = 1280, 390
TOKEN = "a-token-of-the-tests"


def vector(name, line=1):
    return (VECTORS / name).read_text().splitlines()[line - 1]


class Page:
    def __init__(self, address, artefacts):
        self.artefacts, self.origin = artefacts, address.rstrip("/") + "/"
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        # Root runs the tests in a container, where Chromium's sandbox does not start.
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={WIDE},900"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(120)
        self.requests, self.logged = [], []
        self.command("Page.addScriptToEvaluateOnNewDocument", source=f"""
            window.violations = [];
            addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
            Date.now = () => {NOW};
        """)
        self.command("Emulation.setTimezoneOverride", timezoneId=ZONE)
        self.command("Emulation.setLocaleOverride", locale=LANGUAGE)
        self.command("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.screen(WIDE)

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def element(self, identifier):
        return self.driver.find_element(By.ID, identifier)

    def elements(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def open(self, hash="", token=None):
        """Loads the page anew. The token is typed once for each load."""
        self.driver.get("about:blank")
        self.driver.get(self.origin + hash)
        if token is not None:
            until(lambda: self.element("token").is_displayed(), "the page asks for the token")
            self.element("token").send_keys(token)
            self.elements("#access-form button")[0].click()
            until(lambda: not self.element("access").is_displayed() or not self.element("token").is_displayed(),
                  "the token is accepted")

    # What a screen reader has.

    def tree(self):
        return [node for node in self.command("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]

    def roles(self, role):
        return [node for node in self.tree() if node["role"]["value"] == role]

    def status(self):
        """What the live region says."""
        nodes = self.command("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}
        region = next(node for node in nodes if node.get("role", {}).get("value") == "status")
        words, rest = [], [region["nodeId"]]
        while rest:
            node = by_id[rest.pop(0)]
            rest = node.get("childIds", []) + rest
            if node.get("role", {}).get("value") == "StaticText":
                words.append(node["name"]["value"])
        return " ".join(" ".join(words).split())

    def wait(self, expected, seconds=10):
        end = time.monotonic() + seconds
        while expected not in (said := self.status()):
            assert time.monotonic() < end, f"the status says {said[:300]!r}, and not {expected!r}"
            time.sleep(0.05)
        return said

    # What a person does.

    def paste(self, text):
        self.element("clear").click()
        self.element("input").click()
        self.command("Input.insertText", text=text)
        self.elements("#form button[type=submit]")[0].click()

    def unfold(self):
        """Opens every part that is folded, and those inside."""
        while closed := self.elements("#result details:not([open]) > summary"):
            self.script("arguments[0].parentElement.open = true", closed[0])
            time.sleep(0.02)

    def screen(self, width, height=900):
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)

    def screenshot(self, name, width=WIDE):
        height = self.script("return document.documentElement.scrollHeight")
        shot = self.command(
            "Page.captureScreenshot", captureBeyondViewport=True,
            clip={"x": 0, "y": 0, "width": width, "height": min(height, 6000), "scale": 1})
        (self.artefacts / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))

    def screenshots(self, name):
        """On a wide screen, and on a phone; each without a part that is wider than the screen."""
        for width in (PHONE, WIDE):
            self.screen(width)
            overflow = self.script("return document.documentElement.scrollWidth - innerWidth")
            assert overflow <= 0, f"{name}: the page is {overflow} pixels wider than a screen of {width}"
            self.screenshot(f"{name}-{width}", width)

    def theme(self, scheme):
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def bottom(self, selector):
        """The lower edge of the first such element, in pixels from the top of the page."""
        return self.script(
            "const found = document.querySelector(arguments[0]);"
            "return found ? found.getBoundingClientRect().bottom + scrollY : null", selector)

    # What must not happen.

    def note(self):
        """Takes what the browser has logged."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
        self.logged += [entry["message"] for entry in self.driver.get_log("browser")]

    def check_silence(self):
        self.note()
        # A picture that the script has fetched is not asked for again. Chromium has its own pictures in fields.
        strangers = [
            url for url in self.requests
            if not url.removeprefix("blob:").startswith(self.origin) and not url.startswith(("about:blank", "data:"))]
        assert self.requests and not strangers, f"requests to other origins: {strangers}"
        assert not [url for url in self.requests if "eyJ" in url], "an address has a token in it"
        assert self.script("return window.violations") == [], "the policy was violated"
        assert not [line for line in self.logged if "Content Security Policy" in line], self.logged
        errors = [line for line in self.logged if "Uncaught" in line]
        assert not errors, errors
        kept = self.script("return [document.cookie, localStorage.length, sessionStorage.length, window.injected]")
        assert kept == ["", 0, 0, None], f"the page keeps something, or ran a payload's script: {kept}"
        assert "eyJ" not in self.script("return location.href")


def until(holds, what, seconds=10):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"in vain: {what}"
        time.sleep(0.05)
