// The page of the service: its forms, and the addresses of what it shows. The other files show it.

import { draw, fillCustomer, find } from "./customers.js";
import { byId, fail, show } from "./dom.js";
import { showInspections } from "./inspection.js";
import { deliveries, notification, notifications } from "./notifications.js";
import { abort, address, ask, learn, offer, service } from "./service.js";
import { bytes, parse } from "./values.js";

// MARK: - A payload

async function verify(body, type, note = []) {
  const options = { method: "POST", headers: { "Content-Type": type }, body };
  const found = await ask("v1/verify", { view: "inspections" }, options, async (answer) => parse(await answer.text()));
  if (found) showInspections(found, note);
}

function verifyText(note = []) {
  const text = byId("input").value;
  if (text.trim() === "") return fail("Nothing to verify", "Paste a payload, or choose a file.");
  // The service tells what was pasted, by the rule of all doors.
  return verify(text, "text/plain", note);
}

/** A file is sent byte for byte: a receipt may be binary. */
async function verifyFile(file) {
  if (location.hash !== "") history.pushState(null, "", location.pathname);
  choose("payload");
  const content = new Uint8Array(await file.arrayBuffer());
  const note = [`From the file ${file.name}, ${bytes(content.length)}.`];
  let text = null;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch { /* not text */ }
  byId("input").value = text === null ? "" : text;
  return verify(content, text === null ? "application/octet-stream" : "text/plain", note);
}

// MARK: - Addresses

const FILTERS = ["type", "subtype", "customer", "since", "until", "address", "state", "after"];

/** Shows one part of the page, and marks its link. */
function choose(part) {
  for (const section of document.querySelectorAll("[data-part]")) section.hidden = section.dataset.part !== part;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.opens === part) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Shows what the address names. */
async function follow() {
  abort();
  if (service() === null) await learn();
  const asked = new URLSearchParams(location.hash.slice(1));
  const get = (name) => asked.get(name) ?? undefined;
  if (get("app")) {
    byId("app").value = get("app");
    offer();
  }
  const filters = Object.fromEntries(FILTERS.flatMap((name) => get(name) ? [[name, get(name)]] : []));
  show([]);
  byId("notifications-form").hidden = asked.has("notification");
  if (asked.has("notifications")) {
    choose("notifications");
    byId("type").value = get("type") ?? "";
    for (const name of ["since", "until"]) byId(name).value = get(name)?.slice(0, 10) ?? "";
    await notifications(filters);
  } else if (asked.has("notification")) {
    choose("notifications");
    await notification(get("notification"));
  } else if (asked.has("deliveries")) {
    choose("deliveries");
    await deliveries(filters);
  } else if (asked.has("customer")) {
    choose("customers");
    fillCustomer(get("customer"), get("environment"));
    await draw(get("customer"), get("environment"));
  } else if (asked.has("find")) {
    choose("customers");
    fillCustomer(get("find") ?? "", get("environment"));
    if (get("find")) await find(get("find"), get("environment"));
  } else {
    choose("payload");
  }
}

/** Goes to an address within the page; asks again if it is there already. */
function go(to) {
  if (location.hash === to) return follow();
  location.hash = to;
  return null;
}

addEventListener("hashchange", () => follow());

// MARK: - Forms

function onSubmit(form, action) {
  byId(form).addEventListener("submit", (event) => {
    event.preventDefault();
    action();
  });
}

onSubmit("form", () => verifyText());
onSubmit("access-form", async () => {
  await learn();
  if (service() === null) fail("The service refuses the token", "Type the token of the service's --token-file.");
  else if (location.hash !== "") await follow();
  else if (byId("input").value !== "") await verifyText();
  else show([]);
});
onSubmit("customer-form", () => {
  const text = byId("customer").value.trim();
  if (!text) return fail("Nobody to look for", "Type a number or a name of the customer.");
  // A payload does not go into an address.
  if (text.length > 256 || text.startsWith("eyJ")) {
    byId("input").value = text;
    choose("payload");
    return verifyText(["This is a payload, and no customer: it was verified."]);
  }
  const environment = byId("environments").hidden ? undefined : byId("environment").value;
  return go(address({ find: text, environment }));
});
onSubmit("notifications-form", () => {
  const given = Object.fromEntries(["type", "since", "until"].map((name) => [name, byId(name).value.trim()]));
  const [since, until] = [given.since, given.until].map((day) => day ? `${day}T00:00:00Z` : undefined);
  return go(address({ notifications: "", type: given.type || undefined, since, until }));
});

byId("input").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) verifyText();
});
byId("clear").addEventListener("click", () => {
  abort();
  byId("input").value = "";
  byId("file").value = "";
  show([]);
  byId("input").focus();
});
byId("file").addEventListener("change", (event) => {
  if (event.target.files.length > 0) verifyFile(event.target.files[0]);
});
byId("app").addEventListener("change", () => {
  offer();
  const asked = new URLSearchParams(location.hash.slice(1));
  if (!asked.has("app")) return byId("input").value ? verifyText() : null;
  asked.set("app", byId("app").value);
  return go(`#${asked}`);
});
byId("skip").addEventListener("click", (event) => {
  // Not an address: the one that is there stays.
  event.preventDefault();
  byId("result").focus();
});

// MARK: - Dropping

for (const name of ["dragenter", "dragover"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
}
for (const name of ["dragleave", "drop"]) {
  document.addEventListener(name, () => document.body.classList.remove("dropping"));
}
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  const text = event.dataTransfer.getData("text");
  if (file) {
    verifyFile(file);
  } else if (text) {
    byId("input").value = text;
    choose("payload");
    verifyText();
  }
});

follow();
