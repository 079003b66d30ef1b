// What the App Store has sent: the latest notifications, one of them, and what was not delivered.

import { box, byId, cell, copyButton, make, show, table, visible } from "./dom.js";
import { showInspections } from "./inspection.js";
import { absent, address, ask, json } from "./service.js";
import { parse, when } from "./values.js";

const PAGE = 50;

/** The latest notifications, newest first. */
export async function notifications(filters) {
  const answer = await ask("v1/notifications", { ...filters, limit: PAGE }, {}, json,
    () => absent("No list of notifications", "notifications"));
  if (!answer) return;
  const { notifications: found, next } = answer;
  if (found.length === 0) {
    show([box("neutral", 2, "No notification is known", "None has come that fits what was asked for.")]);
    return;
  }
  const older = next ? [make("p", { class: "actions" },
    make("a", { class: "button", href: address({ notifications: "", ...filters, after: next }) }, "Older ones"))] : [];
  const whose = filters.customer ? [`About ${visible(filters.customer)}.`] : [];
  show([box("neutral", 2, filters.after ? "Notifications, older ones" : "Latest notifications", ...whose)],
    [table("Newest first", ["Event", "Came", "Customer"], found.map(row)), ...older]);
}

function row(one) {
  const type = [one.notificationType, one.subtype].filter(Boolean).map(visible).join(", ");
  const [customer] = one.customers ?? [];
  return [
    make("span", {}, make("a", { href: address({ notification: one.notificationUUID }) }, visible(one.meaning ?? one.message ?? type)),
      make("div", { class: "quiet" }, [type, visible(one.productID ?? "")].filter(Boolean).join(", "))),
    make("td", {}, ...when(one.receivedDate)),
    make("td", {}, ...(customer
      ? [make("a", { href: address({ customer, environment: one.environment }) }, visible(customer)), " "] : []),
      make("span", { class: "quiet" }, visible(one.environment ?? ""))),
  ];
}

/** One notification: when it came, what it says, and where it was sent on to. */
export async function notification(uuid) {
  const found = await ask(`v1/notifications/${encodeURIComponent(uuid)}`, {}, {}, json, (problem) => {
    show([box("neutral", 2, "This notification is not known", visible(problem))]);
    return null;
  });
  if (!found) return;
  const body = typeof found.body === "string" ? found.body : null;
  const inspections = body === null ? null : await ask("v1/verify", { view: "inspections" },
    { method: "POST", headers: { "Content-Type": "application/json" }, body },
    async (answer) => parse(await answer.text()));
  if (body !== null && !inspections) return;
  if (inspections) showInspections(inspections);
  else show([box("neutral", 2, "The notification's body is not kept any more")]);
  byId("verdict").prepend(make("p", { class: "note" }, "Came ", ...when(found.receivedDate), ". ", visible(uuid), " ",
    ...copyButton(uuid, "the notification's UUID")));
  if ((found.deliveries ?? []).length > 0) {
    byId("details").append(deliveriesTable("Where it was sent on to", found.deliveries));
  }
}

/** What was not delivered: counts by address, then each delivery. */
export async function deliveries(filters) {
  const answer = await ask("v1/deliveries", { ...filters, limit: PAGE }, {}, json,
    () => absent("No list of deliveries", "deliveries"));
  if (!answer) return;
  const { counts = [], deliveries: found, next } = answer;
  const late = counts.some((one) => one.waiting > 0 || one.givenUp > 0) || found.length > 0;
  const older = next ? [make("p", { class: "actions" },
    make("a", { class: "button", href: address({ deliveries: "", ...filters, after: next }) }, "More"))] : [];
  const head = counts.length === 0 && found.length === 0
    ? box("neutral", 2, "Nothing waits to be delivered")
    : box(late ? "bad" : "good", 2, late ? "Not everything is delivered" : "Everything is delivered");
  show([head], [
    ...(counts.length === 0 ? [] : [table("By address", ["Address", "Waiting", "Given up", "Oldest that waits"],
      counts.map((one) => [visible(one.address) + (one.isConfigured ? "" : " (not configured any more)"), cell(String(one.waiting)), cell(String(one.givenUp)),
        make("td", {}, ...(one.oldestWaiting ? when(one.oldestWaiting) : []))]))]),
    ...(found.length === 0 ? [] : [deliveriesTable("Deliveries", found), ...older])]);
}

function deliveriesTable(caption, found) {
  const link = (uuid) => make("a", { href: address({ notification: uuid }) }, visible(uuid));
  return table(caption, ["Notification", "Address", "State", "Attempts", "Last failure", "Date"], found.map((one) => [
    one.notificationUUID ? link(one.notificationUUID) : "", cell(visible(one.address)), cell(visible(one.state)),
    cell(String(one.attempts)), cell(visible(one.lastFailure ?? "")),
    make("td", {}, ...(one.date ? when(one.date) : [])),
  ]));
}
