// Customers: searched for by what a support person has, and drawn with all their purchases.

import { box, byId, cell, copyButton, fold, make, scrolling, show, table, visible } from "./dom.js";
import { address, app, ask, json } from "./service.js";
import { when, worded } from "./values.js";

const HINT = "A customer's name is an account token (a UUID), app-transaction:ID or original-transaction:ID.";

let picture = null;

/** Looks for a customer by any number or name. One that is found is drawn at once. */
export async function find(text, environment) {
  const found = await ask("v1/search", { q: text }, {}, json, () => ({ matches: null }));
  if (!found) return;
  // An older service finds nothing by itself: the text is taken for the customer's name.
  if (found.matches === null) {
    location.replace(address({ customer: text, environment }));
    return;
  }
  if (found.matches.length === 1 && !found.product) {
    const [only] = found.matches;
    location.replace(address({ customer: only.name, environment: only.environment ?? environment }));
    return;
  }
  if (found.notificationUUID && found.matches.length === 0) {
    location.replace(address({ notification: found.notificationUUID }));
    return;
  }
  const note = found.note ? [visible(found.note)] : [];
  if (found.product) {
    await list(found.product, note);
    return;
  }
  const { matches } = found;
  const title = matches.length === 0 ? "Nothing is known of this"
    : matches.length === 1 ? "One match" : `${matches.length} matches`;
  const hint = matches.length === 0 && note.length === 0 ? [HINT] : [];
  show([box("neutral", 2, title, ...note, ...hint)], matches.map(match));
}

function match({ matched, name, environment, productID, purchaseDate, transactionID, purchases }) {
  const facts = [
    productID, transactionID && `transaction ${transactionID}`, purchaseDate && `bought ${purchaseDate}`,
    purchases !== undefined && `${purchases} ${purchases === 1 ? "purchase" : "purchases"}`, environment,
  ].filter(Boolean).join(", ");
  return make("p", { class: "match" }, link(name, environment), make("br"), ...worded(facts),
    make("span", { class: "quiet" }, ` – found by ${visible((matched ?? []).join(", "))}`));
}

/** The customers of a product, and who has access now. */
async function list(product, note) {
  const answer = await ask("v1/customers", { product }, {}, json, () => ({ customers: [] }));
  if (!answer) return;
  const { customers } = answer;
  const title = customers.length === 0 ? "Nothing is known of this"
    : `Customers of ${visible(product)}`;
  const more = answer.next ? ["These are the first; GET v1/customers gives all."] : [];
  const unreadable = answer.unreadable?.length ?? 0;
  if (unreadable > 0) more.push(`${unreadable} ${unreadable === 1 ? "purchase" : "purchases"} cannot be read.`);
  show([box("neutral", 2, title, ...(customers.length === 0 ? note : more))],
    customers.length === 0 ? [] : [table("Customers", ["Customer", "Access now", "Environment"], customers.map(row))]);
}

const row = ({ names, purchases, environment }) => [
  link(names[0], environment), make("td", {}, ...purchases.map((one) => make("div", {}, ...standing(one)))),
  cell(visible(environment ?? "")),
];

function standing({ productID, isEntitled, state, expirationDate }) {
  const end = expirationDate ? `, until ${expirationDate}` : "";
  return [isEntitled ? "✓ " : "✗ ", ...worded(`${productID}${state ? `: ${state}` : ""}${end}`)];
}

const link = (customer, environment) => {
  const others = environment && (app()?.environments.length ?? 0) > 1 ? { environment } : {};
  return make("a", { href: address({ customer, ...others }) }, visible(customer));
};

// MARK: - One customer

/** Draws a customer's purchases: who has access until when, then the picture, then the same in tables. */
export async function draw(customer, environment) {
  const path = `v1/customers/${encodeURIComponent(customer)}/timeline`;
  const query = environment ? { environment } : {};
  const timeline = await ask(path, query, {}, json);
  if (!timeline) return;
  const name = visible(customer);
  const copy = copyButton(customer, "the customer's name");
  if (timeline.lanes.length === 0) {
    show([box("neutral", 2, "No purchase of this customer is known", make("p", {}, name, " ", ...copy),
      ...elsewhere(customer, environment), ...others(timeline, environment))]);
    return;
  }
  // The picture and the tables are of the same instant.
  const blob = await ask(`${path}.svg`, { ...query, at: timeline.at }, {}, (answer) => answer.blob());
  if (!blob) return;
  if (picture) URL.revokeObjectURL(picture);
  picture = URL.createObjectURL(blob);
  const has = timeline.lanes.some((one) => one.isEntitled);
  const facts = make("dl", { class: "summary" }, ...timeline.lanes.flatMap((one) => [
    make("dt", {}, one.isEntitled ? "Access" : "No access"),
    make("dd", {}, make("strong", {}, visible(one.productID)), ": ", ...worded(one.standing)),
  ]));
  const alt = "The purchases over time. The parts below say the same.";
  const image = make("img", { class: "picture", src: picture, alt });
  show([box(has ? "good" : "neutral", 2, has ? "This customer has access" : "This customer has no access",
    make("p", {}, name, " ", ...copy), ...others(timeline, environment))],
  [facts, scrolling("Picture of the purchases", image),
    make("p", { class: "quiet" }, "As of ", ...when(timeline.at), environment ? `, in ${visible(environment)}.` : "."),
    make("p", {}, make("a", { href: address({ notifications: "", customer }) }, "Notifications about this customer")),
    ...timeline.lanes.map(lane)]);
}

/** Where else the customer may have bought something. */
function elsewhere(customer, environment) {
  const known = app()?.environments ?? [];
  const asked = environment ?? (known.includes("Production") ? "Production" : known[0]);
  const rest = known.filter((name) => name !== asked);
  return rest.length === 0 ? [] : [make("p", { class: "actions" }, ...rest.map((name) =>
    make("a", { class: "button", href: address({ customer, environment: name }) }, `Look in ${name}`)))];
}

const others = ({ otherNames = [] }, environment) => otherNames.map((name) =>
  make("p", {}, "There are more purchases under ", link(name, environment),
    ". Two persons may share a download, so they are not shown here."));

function lane({ productID, standing, spans, events }) {
  const name = visible(productID);
  return fold(3, name, () => [
    table(`Periods of ${name}`, ["Period", "From", "To"], spans.map((span) =>
      [visible(span.text), make("td", {}, ...when(span.start)), make("td", {}, ...(span.end ? when(span.end) : []))])),
    table(`Events of ${name}`, ["Event", "Date", "Transaction"], events.map((event) =>
      [visible(event.text), make("td", {}, ...when(event.date)), cell(visible(event.transactionID))])),
  ], { note: visible(standing) });
}

/** Fills the form with what the address asks for. */
export function fillCustomer(text, environment) {
  byId("customer").value = text;
  if (environment) byId("environment").value = environment;
}
