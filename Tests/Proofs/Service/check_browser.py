"""The page of the service in Chromium: each shape pasted, chosen or dropped, and what a person is told.

    check_browser.py COMMAND ARTEFACTS

ARTEFACTS gets the screenshots. Needs chromium and chromium-driver. UPDATE_GOLDEN=1 writes the texts of the first screen
anew: Tests/Support/GoldenTexts/page.

Verdicts are read from the accessibility tree, as a screen reader does. No request may leave the page's origin, and no
violation of its security policy may be logged; a violation on purpose must be.
"""

from __future__ import annotations

import base64
import contextlib
import importlib.resources
import json
import os
import pathlib
import sys
import time
import urllib.request

from browser import PHONE, TOKEN, WIDE, Page, until, vector
from browser_database import CUSTOMER, check_customers, check_notifications
from kit import ROOT, TEST_ROOT, VECTORS, folder, genuine, run_command, service
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

GOLDEN = ROOT / "Tests/Support/GoldenTexts/page"


def claiming(payload):
    """A token that is not signed, with this payload."""
    header, _, signature = vector("valid/transactions.jws").split(".")
    middle = base64.urlsafe_b64encode(json.dumps(payload, ensure_ascii=False).encode()).decode().rstrip("=")
    return f"{header}.{middle}.{signature}"


HOSTILE = {
    "transactionId": "</td><script>window.injected = 1</script>", "<img src=x onerror=alert(1)>": "a\u202eb\u0000",
    "signedDate": 1765000000123, "price": 12345678901234567890123, "bundleId": "x" * 100_000,
    "productId": "<b>2026-01-01T00:00:00Z</b>", "appAccountToken": "javascript:alert(1)", "currency": "<i>",
    "originalTransactionId": "2000000100000000",
}
# What is pasted, and what the status must say. The first screen of each stands in GOLDEN.
SHAPES = {
    "transaction": (vector("valid/transactions.jws"), "Verified: transaction"),
    "renewal-info": (vector("valid/renewal-info.jws"), "Verified: renewal info"),
    "app-transaction": (vector("valid/app-transactions.jws"), "Verified: app transaction"),
    "notification-test": (vector("valid/notifications.jws"), "Verified: notification"),
    "notification": (
        json.dumps({"signedPayload": vector("valid/notifications.jws", 4)}), "Verified: notification"),
    "notification-renewed": (vector("valid/notifications.jws", 3), "Verified: notification"),
    "notification-refund": (vector("valid/notifications.jws", 6), "Verified: notification"),
    "notification-external": (vector("valid/notifications.jws", 10), "Verified: notification"),
    "retention-request": (vector("valid/realtime-requests.jws"), "Verified: realtime request"),
    "receipt": (vector("valid/receipts.b64"), "Verified: receipt"),
    "forged": (claiming({"signedDate": 1765000000123}), "invalidSignature: "),
    "inner-forged": (vector("invalid/11-inner.jws"), "Not verified: notification"),
    "another-app": (vector("invalid/09-bundle-id.jws"), "Not verified: transaction"),
    "receipt-damaged": (vector("invalid/04-receipt-signature.b64"), "Not verified: "),
    "nonsense": ("hello", "Not verified: unreadable"),
}


def check_shapes(page):
    """What happened is said first, and within the part of the page that a screen shows."""
    for name, (text, expected) in SHAPES.items():
        page.screen(WIDE)
        page.paste(text)
        said = page.wait(expected)
        check_golden(page, name)
        page.screenshots(name)
        print(f"{name}: {said[:100]}")
    for name in ("notification", "transaction"):
        for width in (PHONE, WIDE):
            page.screen(width)
            page.paste(SHAPES[name][0])
            page.wait(SHAPES[name][1])
            lines = page.elements("dl.summary > *")
            labels = [line.text for line in lines]
            for label in ("Access", "Customer"):
                line = lines[labels.index(label) + 1]
                bottom = line.location["y"] + line.size["height"]
                assert bottom <= 700, f"{name}, {width}: {label} ends at {bottom} pixels"
    page.screen(WIDE)


def check_golden(page, name):
    """The first screen, as it is read: the verdict, and a line for each label."""
    parts = page.script("""
        const shown = "#verdict .note, #verdict .box > *, #details > h2, #details > .summary > *, #details > .actions a,"
            + "#details > .fold > summary";
        const text = (one) => [...one.childNodes].filter((part) => part.nodeName !== "BUTTON")
            .map((part) => part.textContent).join(one.tagName === "SUMMARY" ? " " : "").trim();
        return [...document.querySelectorAll(shown)].map((one) => (one.tagName === "DD" ? "    " : "") + text(one));
    """)
    text = "\n".join(parts) + "\n"
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN") == "1":
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(text)
    assert text == file.read_text(), f"{file.name} is now:\n{text}"


def check_structure(page):
    """Landmarks, headings in order, and tables with headers; nothing but the first screen is open."""
    page.paste(SHAPES["notification"][0])
    page.wait(SHAPES["notification"][1])
    names = [node["name"]["value"] for node in page.roles("heading")]
    assert len(names) == len(set(names)), f"a heading stands twice: {names}"
    assert names[1] == "Verified: notification", names
    assert not page.elements("#result details[open]") and not page.roles("table")
    page.unfold()
    for role in ["main", "banner", "navigation"]:
        assert len(page.roles(role)) == 1, role
    levels = [
        next(entry["value"]["value"] for entry in node["properties"] if entry["name"] == "level")
        for node in page.roles("heading")]
    assert levels[0] == 1 and levels.count(1) == 1, levels
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:])), levels
    names = [node["name"]["value"] for node in page.roles("heading")]
    for name in ["Checks", "Certificates", "Payload", "Inside: data.signedTransactionInfo", "Header"]:
        assert name in names, names
    assert names.count("Certificates") == 1, "a certificate is shown twice"
    headers = [node["name"]["value"] for node in page.roles("columnheader")]
    assert headers[:3] == ["Check", "Result", "What was compared"], headers
    rows = [node["name"]["value"] for node in page.roles("rowheader")]
    for name in ["signature", "certificate validity", "data.bundleId", "productId"]:
        assert name in rows, rows
    text = page.element("details").text
    for words in [
        "within its validity", "three segments, a strict header, ES256", "ISO 4217", "2025-12-06T05:46:40.123Z",
        "with the same certificates", "signature, 64 bytes – show", "4.99 EUR",
    ]:
        assert words in text, words
    for hidden in page.elements("details.long:not([open])"):
        assert "eyJ" not in hidden.text and "MII" not in hidden.text, hidden.text
    page.screenshot("notification-open")


def check_pastes(page):
    """A payload is found in what people copy, and the page says what it took."""
    token, other = vector("valid/transactions.jws"), vector("valid/notifications.jws", 4)
    mail = "Hello,\n\n" + "\n".join("> " + token[at:at + 76] for at in range(0, len(token), 76)) + "\n\nThanks\n"
    for text, expected in [
        (f'"{token}"', "Left out the quotation marks"), (f"Bearer {token}", 'Left out "Bearer"'),
        (f"2026-01-01 INFO token={token} user=7", "out of the text around, such as a log line"),
        (mail, "Joined the lines in which it was broken."), (f" {token}", "Left out the white space"),
    ]:
        page.paste(text)
        assert expected in page.wait("Verified: transaction"), expected
    page.paste(f'{{"signedPayload":"{other}"}}\n{{"signedPayload":"{token}"}}\nx eyJ.eyJ.AA\n')
    said = page.wait("3 payloads: 2 verified, 1 not")
    assert "Took 3 payloads" in said, said
    entries = page.elements("details.entry > summary")
    assert [entry.text.split("\n")[0].split(":")[0] for entry in entries] == [
        "1. ✓ verified", "2. ✓ verified", "3. ✗ not verified"], [entry.text for entry in entries]
    entries[1].click()
    until(lambda: page.elements("details.entry[open] dl.summary"), "an entry opens")
    page.screenshots("several")


def check_copy(page):
    page.paste(SHAPES["notification"][0])
    page.wait(SHAPES["notification"][1])
    page.elements("dl.summary button[aria-label='Copy appTransactionId 704000000000000001']")[0].click()
    until(lambda: page.elements("dl.summary button")[1].text != "x" and any(
        one.text == "Copied" for one in page.elements("dl.summary button")), "the button says that it copied")
    copied = page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    assert copied == "704000000000000001", copied


def check_hostile(page):
    page.open("", TOKEN)
    page.paste(claiming(HOSTILE))
    page.wait("invalidSignature: ")
    page.unfold()
    text = page.element("details").text
    for words in [
        "UNVERIFIED, do not rely on them", "<script>window.injected = 1</script>", "a\\u202eb\\u0000",
        "12345678901234567890123", "(100000 characters)", "<img src=x onerror=alert(1)>", "<b>2026-01-01T00:00:00Z",
        "javascript:alert(1)",
    ]:
        assert words in text, words
    assert "a\u202eb" not in text
    assert not page.elements("#result script, #result img, #result b, #result i")
    assert not page.elements("#result a"), "an unverified payload leads somewhere"
    page.screenshots("hostile")
    # Nothing of an address is markup, or an address elsewhere.
    for name in ["customer", "notification", "find", "notifications=&type", "environment=x&customer", "app"]:
        page.script("location.hash = arguments[0]", f"{name}=<img src=x onerror=window.injected=1>")
        time.sleep(0.3)
        assert not page.elements("#result img, #result script")
    page.open("", TOKEN)


def check_keyboard(page):
    """From the top of the page to a verdict without a pointer."""
    page.open("", TOKEN)
    page.script("document.getElementById('skip').focus()")
    order = ["skip"]
    for _ in range(9):
        webdriver.ActionChains(page.driver).send_keys(Keys.TAB).perform()
        focus = page.driver.switch_to.active_element
        order.append(focus.get_attribute("id") or focus.text)
    links = ["Payload", "Customers", "Notifications", "Undelivered"]
    rest = [name for name in order if name != "Access token"]
    assert rest[:9] == ["skip", *links, "input", "Verify", "file", "clear"], order
    page.element("input").send_keys("x")
    page.command("Input.insertText", text="y")
    page.element("input").send_keys(Keys.CONTROL, Keys.ENTER)
    page.wait("Not verified: unreadable")
    # The label stands for the button that is not seen, and shows its focus.
    page.script("document.getElementById('file').focus({ focusVisible: true })")
    assert page.script("return getComputedStyle(document.querySelector('[for=file]')).outlineStyle") == "solid"


def check_files(page, folder):
    receipt = folder / "receipt"
    receipt.write_bytes(base64.b64decode(vector("valid/receipts.b64")))
    token = folder / "token.jws"
    token.write_text(vector("valid/transactions.jws") + "\n")
    lines = folder / "bodies.ndjson"
    lines.write_text("".join(
        json.dumps({"signedPayload": vector("valid/notifications.jws", line)}) + "\n" for line in range(2, 7)))
    for file, expected in [
        (token, "Verified: transaction"), (receipt, "Verified: receipt"), (lines, "5 payloads: "),
    ]:
        page.open("", TOKEN)
        page.element("file").send_keys(str(file))
        assert f"From the file {file.name}, " in page.wait(expected)
    page.open("#find", TOKEN)
    data = {"items": [], "files": [str(token)], "dragOperationsMask": 1}
    for kind in ["dragEnter", "dragOver", "drop"]:
        page.command("Input.dispatchDragEvent", type=kind, x=300, y=300, data=data)
    page.wait("Verified: transaction")
    assert page.element("input").is_displayed() and page.script("return location.hash") == ""


def check_appearance(page):
    """Contrast, names and more by axe, in light and dark, wide and on a phone."""
    axe = (importlib.resources.files("axe_core_python") / "axe.min.js").read_text()
    page.paste(SHAPES["notification"][0])
    page.wait(SHAPES["notification"][1])
    page.unfold()
    for width, device in [(WIDE, "wide"), (PHONE, "phone")]:
        page.screen(width)
        for header in page.elements("th[scope=col]"):
            assert header.size["height"] < 40, f"{header.text!r} is broken into lines on a {device} screen"
        buttons = page.elements("#form .actions > button, #form .actions > .button")
        assert len({(one.location["y"], one.size["height"]) for one in buttons}) == 1, "the buttons are not aligned"
        for scheme in ["light", "dark"]:
            page.theme(scheme)
            page.script(axe)
            result = page.driver.execute_async_script("axe.run().then(arguments[0])")
            found = [
                (one["id"], [node["target"] for node in one["nodes"]][:3]) for one in result["violations"]]
            assert not found, f"axe, {device}, {scheme}: {found}"
            assert any(one["id"] == "color-contrast" for one in result["passes"])
            page.screenshot(f"notification-{device}-{scheme}", width)
            print(f"axe, {device}, {scheme}: {len(result['passes'])} rules passed")
    page.screen(WIDE)


def check_policy(page):
    """The service's policy is strict, and the test sees a violation."""
    with urllib.request.urlopen(page.origin) as response:
        policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "*" not in policy, policy
    page.script("""
        const script = document.createElement("script");
        try { script.textContent = "window.injected = 1"; } catch {}
        document.body.append(script);
        fetch("http://127.0.0.2:9/").catch(() => {});
    """)
    time.sleep(0.5)
    assert page.script("return window.violations").count("connect-src") == 1
    assert page.script("return window.injected") is None


def check_apps(artefacts, work):
    """A menu of several apps; an app without a database is offered nothing that needs one. No token is asked for."""
    roots = [str(TEST_ROOT), str(VECTORS / "pki/receipt-root.pem")]
    config = work / "config.json"
    config.write_text(json.dumps({"apps": {
        "bare": {"roots": roots},
        "garden": {"roots": roots, "bundleIds": ["com.example.garden"], "database": str(work / "garden.db")},
    }}))
    with service("--config", str(config)) as running, opened(running.url, artefacts) as page:
        page.open()
        until(lambda: page.element("app").is_displayed(), "the menu of apps")
        assert not page.element("access").is_displayed(), "a token is asked for"
        shown = lambda: page.elements("nav")[0].is_displayed()
        assert not shown()
        page.paste(SHAPES["notification"][0])
        page.wait(SHAPES["notification"][1])
        assert not page.elements("#details a"), "something is offered that needs a database"
        page.screenshots("without-database")
        page.element("app").send_keys("garden")
        until(lambda: shown() and page.elements("#details a"), "the parts of the other app")
        assert "app=garden" in page.elements("#details a")[0].get_attribute("href")
        page.open(f"#customer={CUSTOMER}&app=garden")
        page.wait("No purchase of this customer is known")
        assert page.element("app").get_attribute("value") == "garden"
        page.check_silence()


def check_genuine(artefacts):
    """What happened is said of every payload that Apple signed, if they are there."""
    payloads = genuine()
    if payloads is None:
        print("SKIPPED genuine payloads: PRIVATE_TEST_DATA names none")
        return
    files = sorted([*payloads.glob("jws/*.jws"), *payloads.glob("receipts/*.b64"), *payloads.glob("xcode/*")])
    assert len(files) > 30
    with service() as running, opened(running.url, artefacts) as page:
        page.open()
        for file in files:
            page.script(
                "document.getElementById('input').value = arguments[0];"
                "document.getElementById('clear').blur();"
                "document.querySelector('#form button[type=submit]').click()", file.read_text())
            until(lambda: page.elements("#verdict .box h2"), file.name)
            title, rows = page.script("""
                const rows = [...document.querySelectorAll("dl.summary dt")].map((one) => one.innerText);
                return [document.querySelector("#verdict .box h2").innerText, rows];
            """)
            kind = title.partition(": ")[2]
            assert kind and kind != "unreadable" or ".bnVsbA." in file.read_text(), f"{file.name}: {title}"
            assert "Event" in rows or len(rows) >= 2, f"{file.name}: {title}, {rows}"
            if kind == "notification":
                assert rows[0] == "Event" and "Meaning" in rows, f"{file.name}: {rows}"
        page.check_silence()
    print(f"genuine: the first screen says what {len(files)} payloads are")


@contextlib.contextmanager
def opened(url, artefacts):
    page = Page(url, artefacts)
    try:
        yield page
    finally:
        page.driver.quit()


def main():
    artefacts = pathlib.Path(sys.argv[2])
    artefacts.mkdir(parents=True, exist_ok=True)
    with folder() as work:
        database, token = work / "purchases.db", work / "token"
        token.write_text(TOKEN)
        roots = [TEST_ROOT, VECTORS / "pki/p256-root.pem", VECTORS / "pki/receipt-root.pem"]
        options = [*(option for root in roots for option in ("--root", str(root))), "--database", str(database)]
        run_command("ingest", "--quiet", *options, str(VECTORS / "valid/transactions.jws"))
        with service(*options, "--bundle-id", "com.example.garden", "--token-file", str(token)) as running, \
                opened(running.url, artefacts) as page:
            page.open("", TOKEN)
            for check in [check_shapes, check_structure, check_pastes, check_copy, check_customers,
                          check_notifications, check_hostile, check_keyboard,
                          lambda page: check_files(page, work), check_appearance]:
                start = time.monotonic()
                check(page)
                page.check_silence()
                print(f"{getattr(check, '__name__', 'check')}: {time.monotonic() - start:.1f} s")
            check_policy(page)
        check_apps(artefacts, work)
        check_genuine(artefacts)
    print("browser: each shape is judged on the page, and nothing leaves it")


if __name__ == "__main__":
    main()
