"""The parts of the page that need a database: a customer, one notification, and the lists."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

from browser import PHONE, TOKEN, WIDE, until, vector
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

CUSTOMER = "original-transaction:2000000100000000"


def check_customers(page):
    """A customer by an address, by a form, and from a payload; the picture, and the same in words."""
    page.paste(vector("valid/transactions.jws"))
    page.wait("Verified: transaction")
    link = page.driver.find_element(By.LINK_TEXT, "Draw this customer")
    assert "customer=" in link.get_attribute("href")
    link.click()
    page.wait("This customer has no access")
    assert page.script("return location.hash").startswith("#customer=original-transaction%3A2000000100000000")
    check_drawing(page)
    page.screenshots("customer")
    for scheme in ("dark", "light"):
        page.theme(scheme)
        page.screenshot(f"customer-{scheme}")
    # A purchase in the sandbox is free: it shows only to those who ask for it.
    page.driver.back()
    page.wait("")
    page.open(f"#customer={CUSTOMER}&environment=Production", TOKEN)
    said = page.wait("No purchase of this customer is known")
    assert page.elements("#verdict .box.neutral") and "Look in Sandbox" in said, said
    page.screenshots("customer-unknown")
    page.driver.find_element(By.LINK_TEXT, "Look in Sandbox").click()
    page.wait("This customer has no access")
    page.open("#find", TOKEN)
    page.element("customer").send_keys("2000000100000000", Keys.ENTER)
    page.wait("This customer has no access" if status(page, "v1/search?q=1") == 200 else "The service did not accept this")
    page.element("customer").clear()
    page.element("customer").send_keys(CUSTOMER, Keys.ENTER)
    page.wait("")
    until(lambda: page.script("return location.hash").startswith("#customer="), "a name is a customer's address")
    # A payload in the wrong field is verified, and gets into no address.
    page.open("#find", TOKEN)
    page.command("Runtime.evaluate", expression="document.getElementById('customer').focus()")
    page.command("Input.insertText", text=vector("valid/transactions.jws"))
    page.element("customer").send_keys(Keys.ENTER)
    assert "This is a payload" in page.wait("Verified: transaction")


def check_drawing(page):
    image = page.elements("#details img")[0]
    until(lambda: page.script("return arguments[0].naturalWidth", image) == 880, "the picture is there")
    page.screen(PHONE)
    box = page.elements("#details .scroll")[0]
    assert page.script("return arguments[0].scrollWidth > arguments[0].clientWidth", box), "the picture scrolls on a phone"
    page.screen(WIDE)
    page.unfold()
    text = page.element("details").text
    assert "paid period" in text and "the earliest transaction that is known: com.example." in text, text


def status(page, path):
    """How the service answers: a part of the page is there only if its path is."""
    request = urllib.request.Request(page.origin + path, headers={"Authorization": f"Bearer {TOKEN}"})
    try:
        with urllib.request.urlopen(request) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code


def check_notifications(page):
    """One notification by its address, and the lists, or a neutral word where the service has none."""
    body = vector("valid/notifications.jws", 4)
    request = urllib.request.Request(
        page.origin + "v1/notifications", data=json.dumps({"signedPayload": body}).encode(),
        headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as response:
        uuid = json.load(response)["notificationUUID"]
    page.open(f"#notification={uuid}", TOKEN)
    said = page.wait("Verified: notification")
    assert said.startswith("Came 20") and uuid in said, said
    page.screenshots("notification-kept")
    page.open(f"#notification={uuid[:-1]}0", TOKEN)
    page.wait("This notification is not known")
    page.open("#notifications", TOKEN)
    if status(page, "v1/notifications?limit=1") == 200:
        page.wait("Latest notifications")
        assert page.elements(f"#details a[href*='{uuid}']")
    else:
        page.wait("This service has no such part.")
        assert not page.elements("nav a[data-opens=notifications]")[0].is_displayed()
    page.screenshots("notifications")
    page.open("#deliveries", TOKEN)
    known = status(page, "v1/deliveries?limit=1") == 200
    page.wait("Nothing waits to be delivered" if known else "The service did not accept this")
    page.screenshots("deliveries")
