"""The page of the service in Chromium: each shape pasted, chosen or dropped, and what a person is told.

    check_browser.py COMMAND ARTEFACTS

ARTEFACTS gets the screenshots. Needs chromium and chromium-driver.

Verdicts are read from the accessibility tree, as a screen reader does. No request may leave the page's origin, and no
violation of its security policy may be logged; a violation on purpose must be.
"""

from __future__ import annotations

import base64
import importlib.resources
import json
import pathlib
import sys
import time
import urllib.request

from kit import TEST_ROOT, VECTORS, folder, run_command, service
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

CUSTOMER = "original-transaction:2000000100000000"
TOKEN = "a-token-of-the-tests"


def vector(name, line=1):
    return (VECTORS / name).read_text().splitlines()[line - 1]


def claiming(payload):
    """A token that is not signed, with this payload."""
    header, _, signature = vector("valid/transactions.jws").split(".")
    middle = base64.urlsafe_b64encode(json.dumps(payload, ensure_ascii=False).encode()).decode().rstrip("=")
    return f"{header}.{middle}.{signature}"


HOSTILE = {
    "transactionId": "</td><script>window.injected = 1</script>", "<img src=x onerror=alert(1)>": "a\u202eb\u0000",
    "signedDate": 1765000000123, "price": 12345678901234567890123, "bundleId": "x" * 100_000,
}
# What is pasted, and what the status must say.
SHAPES = {
    "transaction": (vector("valid/transactions.jws"), "Verified: transaction"),
    "renewal-info": (vector("valid/renewal-info.jws"), "Verified: renewal information"),
    "app-transaction": (vector("valid/app-transactions.jws"), "Verified: app transaction"),
    "notification": (
        json.dumps({"signedPayload": vector("valid/notifications.jws", 4)}), "Verified: server notification"),
    "retention-request": (vector("valid/realtime-requests.jws"), "Verified: retention request"),
    "receipt": (vector("valid/receipts.b64"), "Verified: app receipt"),
    "forged": (claiming({"signedDate": 1765000000123}), "Not verified: invalidSignature"),
    "inner-forged": (vector("invalid/11-inner.jws"), "Not verified: "),
    "hostile": (claiming(HOSTILE), "Not verified: invalidSignature"),
    "nonsense": ("hello", "Not verified: invalidEncoding"),
}


class Page:
    def __init__(self, address, artefacts):
        self.address, self.artefacts, self.origin = address, artefacts, address.rstrip("/") + "/"
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        # Root runs the tests in a container, where Chromium's sandbox does not start.
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1100,900"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        self.driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(120)
        self.requests, self.logged = [], []
        self.command("Page.addScriptToEvaluateOnNewDocument", source="""
            window.violations = [];
            addEventListener("securitypolicyviolation", (event) => window.violations.push(event.violatedDirective));
        """)
        self.driver.get(self.origin)

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def element(self, identifier):
        return self.driver.find_element(By.ID, identifier)

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

    def screenshot(self, name, width=1100):
        height = self.driver.execute_script("return document.documentElement.scrollHeight")
        shot = self.command(
            "Page.captureScreenshot", captureBeyondViewport=True,
            clip={"x": 0, "y": 0, "width": width, "height": min(height, 6000), "scale": 1})
        (self.artefacts / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))

    def theme(self, scheme):
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

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
        # A picture that the script has fetched is not asked for again.
        strangers = [url for url in self.requests if not url.removeprefix("blob:").startswith(self.origin)]
        assert self.requests and not strangers, f"requests to other origins: {strangers}"
        assert self.driver.execute_script("return window.violations") == [], "the policy was violated"
        assert not [line for line in self.logged if "Content Security Policy" in line], self.logged
        kept = self.driver.execute_script(
            "return [document.cookie, localStorage.length, sessionStorage.length, window.injected]")
        assert kept == ["", 0, 0, None], f"the page keeps something, or ran a payload's script: {kept}"


def check_shapes(page):
    for name, (text, expected) in SHAPES.items():
        page.paste(text)
        page.driver.find_element(By.CSS_SELECTOR, "button[type=submit]").click()
        said = page.wait(expected)
        if name != "nonsense":
            page.screenshot(name)
        print(f"{name}: {said[:100]}")
        if name == "notification":
            check_structure(page)
    hidden = page.driver.find_element(By.ID, "details").text
    assert "a\u202eb" not in hidden


def check_structure(page):
    """Landmarks, headings in order, and tables with headers."""
    for role in ["main", "banner", "form"]:
        assert len(page.roles(role)) == 1, role
    levels = [
        next(entry["value"]["value"] for entry in node["properties"] if entry["name"] == "level")
        for node in page.roles("heading")]
    assert levels[0] == 1 and levels.count(1) == 1, levels
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:])), levels
    names = [node["name"]["value"] for node in page.roles("heading")]
    for name in ["Checks", "Certificates", "Payload", "Inside: data.signedTransactionInfo"]:
        assert name in names, names
    assert names.index("Verified: server notification") < names.index("Checks"), "the verdict is not first"
    headers = [node["name"]["value"] for node in page.roles("columnheader")]
    assert headers[:3] == ["Check", "Result", "What was compared"], headers
    rows = [node["name"]["value"] for node in page.roles("rowheader")]
    for name in ["Signature", "Validity of certificates", "data.bundleId", "productId"]:
        assert name in rows, rows
    text = page.element("details").text
    for words in ["within its validity", "three segments, a strict header, ES256", "ISO 4217", "2025-12-06T05:46:40.123Z"]:
        assert words in text, words


def check_purchases(page):
    """The picture of a customer's purchases, and the same in tables."""
    page.driver.find_element(By.CSS_SELECTOR, "#purchases summary").click()
    # A purchase in the sandbox is free: it shows only to those who ask for it.
    for name, environment, expected in [
        ("nobody", "", "No answer: HTTP 400"), (CUSTOMER, "", "knows no purchase of this customer"),
        (CUSTOMER, "Sandbox", "1 line of purchases at"),
    ]:
        for field, text in (("customer", ""), ("environment", environment)):
            page.element(field).clear()
            page.element(field).send_keys(text)
        page.element("customer").send_keys(name, Keys.ENTER)
        page.wait(expected)
    image = page.driver.find_element(By.CSS_SELECTOR, "#details img")
    assert page.driver.execute_script("return arguments[0].naturalWidth", image) == 880
    text = page.element("details").text
    assert "paid period" in text and "the earliest transaction that is known: com.example." in text, text
    page.screenshot("purchases")


def check_hostile(page):
    page.paste(SHAPES["hostile"][0])
    page.driver.find_element(By.CSS_SELECTOR, "button[type=submit]").click()
    page.wait("Not verified: invalidSignature")
    text = page.element("details").text
    for words in [
        "Claims: UNVERIFIED", "<script>window.injected = 1</script>", "a\\u202eb\\u0000", "12345678901234567890123",
        "(100000 characters)",
    ]:
        assert words in text, words
    assert not page.driver.find_elements(By.CSS_SELECTOR, "#details script, #details img")


def check_keyboard(page):
    """From the top of the page to a verdict without a pointer."""
    page.driver.refresh()
    order = []
    for _ in range(6):
        webdriver.ActionChains(page.driver).send_keys(Keys.TAB).perform()
        focus = page.driver.switch_to.active_element
        order.append(focus.get_attribute("id") or focus.text)
    assert order[:5] == ["Skip to the verdict", "input", "Verify", "clear", "file"], order
    page.element("input").send_keys("x")
    page.command("Input.insertText", text="y")
    page.element("input").send_keys(Keys.CONTROL, Keys.ENTER)
    page.wait("Not verified: invalidEncoding")


def check_files(page, folder):
    receipt = folder / "receipt"
    receipt.write_bytes(base64.b64decode(vector("valid/receipts.b64")))
    token = folder / "token.jws"
    token.write_text(vector("valid/transactions.jws") + "\n")
    for file, expected in [(token, "Verified: transaction"), (receipt, "Verified: app receipt")]:
        page.driver.refresh()
        page.element("file").send_keys(str(file))
        page.wait(expected)
    page.driver.refresh()
    data = {"items": [], "files": [str(token)], "dragOperationsMask": 1}
    for kind in ["dragEnter", "dragOver", "drop"]:
        page.command("Input.dispatchDragEvent", type=kind, x=300, y=300, data=data)
    page.wait("Verified: transaction")


def check_appearance(page):
    """Contrast, names and more by axe, in light and dark, wide and on a phone."""
    axe = (importlib.resources.files("axe_core_python") / "axe.min.js").read_text()
    page.driver.refresh()
    page.paste(SHAPES["notification"][0])
    page.driver.find_element(By.CSS_SELECTOR, "button[type=submit]").click()
    page.wait(SHAPES["notification"][1])
    for element in page.driver.find_elements(By.TAG_NAME, "details"):
        page.driver.execute_script("arguments[0].open = true", element)
    for width, device in [(1100, "wide"), (360, "phone")]:
        page.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=740, deviceScaleFactor=1, mobile=width < 500)
        overflow = page.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, f"the page is {overflow} pixels wider than a {device} screen"
        for header in page.driver.find_elements(By.CSS_SELECTOR, "th[scope=col]"):
            assert header.size["height"] < 40, f"{header.text!r} is broken into lines on a {device} screen"
        for scheme in ["light", "dark"]:
            page.theme(scheme)
            page.driver.execute_script(axe)
            result = page.driver.execute_async_script("axe.run().then(arguments[0])")
            found = [
                (one["id"], [node["target"] for node in one["nodes"]][:3]) for one in result["violations"]]
            assert not found, f"axe, {device}, {scheme}: {found}"
            assert any(one["id"] == "color-contrast" for one in result["passes"])
            page.screenshot(f"notification-{device}-{scheme}", width)
            print(f"axe, {device}, {scheme}: {len(result['passes'])} rules passed")


def check_policy(page):
    """The service's policy is strict, and the test sees a violation."""
    with urllib.request.urlopen(page.origin) as response:
        policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy, policy
    page.driver.execute_script("""
        const script = document.createElement("script");
        try { script.textContent = "window.injected = 1"; } catch {}
        document.body.append(script);
        fetch("http://127.0.0.2:9/").catch(() => {});
    """)
    time.sleep(0.5)
    assert page.driver.execute_script("return window.violations").count("connect-src") == 1
    assert page.driver.execute_script("return window.injected") is None


def main():
    artefacts = pathlib.Path(sys.argv[2])
    artefacts.mkdir(parents=True, exist_ok=True)
    with folder() as work:
        database, token = work / "purchases.db", work / "token"
        token.write_text(TOKEN)
        options = ["--root", str(TEST_ROOT), "--root", str(VECTORS / "pki/receipt-root.pem"), "--database", str(database)]
        run_command("ingest", "--quiet", *options, str(VECTORS / "valid/transactions.jws"))
        with service(*options, "--bundle-id", "com.example.garden", "--token-file", str(token)) as running:
            page = Page(running.url, artefacts)
            try:
                # The token is typed once for each load of the page.
                page.command("Page.addScriptToEvaluateOnNewDocument", source=f"""
                    addEventListener("DOMContentLoaded", () => {{
                        document.getElementById("token").value = {json.dumps(TOKEN)};
                    }});
                """)
                page.driver.refresh()
                for check in [check_shapes, check_purchases, check_hostile, check_keyboard,
                              lambda page: check_files(page, work), check_appearance]:
                    check(page)
                    page.check_silence()
                check_policy(page)
            finally:
                page.driver.quit()
    print("browser: each shape is judged on the page, and nothing leaves it")


if __name__ == "__main__":
    main()
