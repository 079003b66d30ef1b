// The page of the service: shows what POST v1/verify?view=inspect answers, and customers' purchases.
//
// Everything from a payload becomes text of an element, never markup. Nothing is stored, and nothing is asked of any
// other server.
"use strict";

// The most characters of one value that are shown, and the most rows of one table.
const LONGEST_VALUE = 600;
const MOST_ROWS = 1000;

const TYPES = {
  transaction: "transaction", renewalInfo: "renewal information", appTransaction: "app transaction",
  notification: "server notification", realtimeRequest: "retention request", receipt: "app receipt",
  unknown: "payload of an unknown kind",
};

const CHECKS = {
  size: "Size", encoding: "Encoding", certificateChain: "Certificate chain", signature: "Signature",
  payload: "Payload", effectiveDate: "Effective date", validity: "Validity of certificates",
  revocation: "Revocation", identity: "App and environment", deviceVerification: "Device",
  nestedPayloads: "Payloads inside",
};

const OUTCOMES = {
  passed: ["✓ passed", "good"], failed: ["✗ failed", "bad"], notAsked: ["– not asked for", "quiet"],
  notReached: ["– not reached", "quiet"],
};

const MEANINGS = {
  alg: "signature algorithm", appAccountToken: "the app's name for the customer", appAppleId: "the app's number at Apple",
  appTransactionId: "the download: one for each Apple Account and app", applicationVersion: "the app's version",
  appVersion: "the app's version", autoRenewProductId: "the product of the next period",
  autoRenewStatus: "whether the subscription will renew", bundleId: "the app", bundleVersion: "the app's build",
  consumptionRequestReason: "why the customer asks for a refund", currency: "ISO 4217",
  deviceVerification: "binds the payload to a device", deviceVerificationNonce: "salt of the device's hash",
  environment: "where it was bought", expirationIntent: "why the subscription expired",
  expiresDate: "the end of the period", gracePeriodExpiresDate: "the end of the grace period",
  inAppOwnershipType: "bought, or shared by the family", isInBillingRetryPeriod: "whether the App Store still tries to charge",
  isUpgraded: "whether an upgrade replaced it", notificationType: "what happened", notificationUUID: "the same for each try to deliver it",
  offerDiscountType: "how the offer is paid", offerIdentifier: "the offer", offerPeriod: "the length of the offer",
  offerType: "the kind of offer", originalApplicationVersion: "the version that was got first",
  originalPurchaseDate: "the first purchase", originalTransactionId: "the purchase's first transaction",
  price: "in thousandths of the currency's unit", priceIncreaseStatus: "whether the customer agreed to a higher price",
  productId: "the product", purchaseDate: "the purchase, renewal or restoration", quantity: "how many",
  receiptCreationDate: "when the App Store signed it", receiptType: "the environment",
  recentSubscriptionStartDate: "the beginning of the present series", renewalDate: "the next renewal, or the end",
  renewalPrice: "in thousandths of the currency's unit", revocationDate: "the refund or revocation",
  revocationReason: "why it was refunded", revocationPercentage: "the share refunded, in thousandths of a percent",
  signedDate: "when the App Store signed it", signedRenewalInfo: "a signed payload: see below",
  signedTransactionInfo: "a signed payload: see below", signedAppTransactionInfo: "a signed payload: see below",
  status: "the subscription's state", storefront: "the country (ISO 3166-1)", storefrontId: "the storefront's number",
  subscriptionGroupIdentifier: "the group of subscriptions", subtype: "what exactly happened",
  transactionId: "the transaction", transactionReason: "a purchase, or a renewal", type: "the kind of product",
  version: "of the format", webOrderLineItemId: "the subscription's purchase event", x5c: "the certificates: see above",
};

/** A number as it was written: a double has not all digits. */
class WrittenNumber {
  constructor(text) { this.text = text; }
}

function parse(text) {
  return JSON.parse(text, (name, value, context) =>
    typeof value === "number" ? new WrittenNumber(context?.source ?? String(value)) : value);
}

/** Text whose hidden characters, and those that change the direction of text, are visible. */
function visible(text) {
  const shown = String(text).replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) =>
      "\\u" + character.charCodeAt(index).toString(16).padStart(4, "0")).join(""));
  return shown.length <= LONGEST_VALUE
    ? shown : `${shown.slice(0, LONGEST_VALUE)}… (${text.length} characters)`;
}

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A heading of a level; the deepest there is, if it is too deep. */
const heading = (level, text) => make(`h${Math.min(level, 6)}`, {}, text);

/** A table with headers, which can be scrolled by the keyboard where it is too wide. */
function table(caption, columns, rows) {
  const shown = rows.slice(0, MOST_ROWS);
  const left = rows.length - shown.length;
  const body = shown.map(([first, ...others]) => make("tr", {}, make("th", { scope: "row" }, first), ...others));
  const note = left > 0 ? [make("p", {}, `${left} more rows are not shown.`)] : [];
  return make("div", {},
    make("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": caption },
      make("table", {}, make("caption", {}, caption),
        make("thead", {}, make("tr", {}, ...columns.map((name) => make("th", { scope: "col" }, name)))),
        make("tbody", {}, ...body))),
    ...note);
}

const cell = (text, kind) => make("td", kind ? { class: kind } : {}, text);

// MARK: - The verdict

function verdict(inspection, level) {
  const type = TYPES[inspection.type] ?? "input";
  const good = inspection.verified === true;
  const title = make(`h${Math.min(level, 6)}`, {},
    make("span", { class: "sign", "aria-hidden": "true" }, good ? "✓ " : "✗ "),
    good ? `Verified: ${type}` : `Not verified: ${visible(inspection.error ?? "")}`);
  const lines = good
    ? [`Signed at ${inspection.effectiveDate}, under a root that this service trusts.`]
    : [visible(inspection.message ?? "")];
  if (!good && inspection.at) lines.push(`In ${visible(inspection.at)}.`);
  if (inspection.retryable) lines.push("It may pass later: try again.");
  return make("div", { class: `verdict ${good ? "good" : "bad"}` }, title,
    ...lines.map((line) => make("p", {}, line)));
}

// MARK: - The details

function checks(inspection) {
  return table("What was checked, in this order", ["Check", "Result", "What was compared"],
    inspection.checks.map(({ check, outcome, reason }) => {
      const [text, kind] = OUTCOMES[outcome] ?? [outcome, "quiet"];
      return [CHECKS[check] ?? check, cell(text, `sign ${kind}`), cell(visible(reason))];
    }));
}

/** The common name of a subject, or all of it. */
const commonName = (subject) => visible(/(?:^|,)CN=([^,]*)/.exec(subject)?.[1] ?? subject);

function chain(inspection) {
  const dates = inspection.certificates.flatMap((one) => [Date.parse(one.notBefore), Date.parse(one.notAfter)]);
  const signed = Date.parse(inspection.effectiveDate ?? signedDate(inspection) ?? "");
  const known = [...dates, signed].filter(Number.isFinite);
  const range = [Math.min(...known), Math.max(...known)];
  return make("ol", { class: "chain" }, ...inspection.certificates.map((one) => {
    const title = `${one.position}: `;
    if (one.error) return make("li", {}, make("strong", {}, title), visible(one.error));
    const facts = `${one.publicKey}, ${one.signatureAlgorithm}, serial ${one.serialNumber}, SHA-256 ${one.sha256}`;
    return make("li", {}, make("strong", {}, title + commonName(one.subject)),
      make("div", { class: "quiet" }, `issued by ${commonName(one.issuer)}`),
      validity(one, signed, range), make("div", { class: "quiet" }, visible(facts)));
  }));
}

function signedDate(inspection) {
  return inspection.dates.find((date) => ["signedDate", "receiptCreationDate"].includes(date.member))?.iso8601;
}

/** A certificate's validity as a bar, with a line where the payload was signed. */
function validity(certificate, signed, [first, last]) {
  const [from, to] = [Date.parse(certificate.notBefore), Date.parse(certificate.notAfter)];
  let words = `Valid from ${certificate.notBefore} to ${certificate.notAfter}.`;
  if (Number.isFinite(signed)) {
    const when = new Date(signed).toISOString();
    const side = signed < from ? "before its validity" : signed >= to + 1000 ? "after its validity" : "within its validity";
    words += ` The payload was signed at ${when}: ${side}.`;
  }
  if (!Number.isFinite(from) || !Number.isFinite(to)) return make("div", {}, words);
  const at = (date) => (10 + 980 * (date - first) / Math.max(last - first, 1)).toFixed(1);
  const parts = [
    ["line", { class: "axis", x1: 10, x2: 990, y1: 13, y2: 13 }],
    ["rect", { class: "period", x: at(from), y: 7, width: Math.max(at(to) - at(from), 2), height: 12, rx: 2 }],
  ];
  if (Number.isFinite(signed)) {
    parts.push(["line", { class: "signed", x1: at(signed), x2: at(signed), y1: 0, y2: 26 }]);
  }
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries({
    class: "validity", viewBox: "0 0 1000 26", preserveAspectRatio: "none", "aria-hidden": "true",
  })) svg.setAttribute(key, value);
  for (const [name, attributes] of parts) {
    const part = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    svg.append(part);
  }
  return make("div", {}, svg, make("div", {}, words));
}

/** The members of a value as rows: the name, the value and its meaning. */
function rows(value, words, path = "", name = "") {
  if (value !== null && typeof value === "object" && !(value instanceof WrittenNumber)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return [[visible(path), cell(Array.isArray(value) ? "[]" : "{}", "value"), cell("")]];
    // A list of values has its name's meaning.
    return entries.flatMap(([key, inner]) =>
      rows(inner, words, Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key,
        Array.isArray(value) ? name : key));
  }
  const written = value instanceof WrittenNumber ? value.text : String(value);
  return [[visible(path), cell(visible(written), "value"), cell(meaning(name, written, value, words))]];
}

/** What a value stands for, by the words of the inspection, and what its member is. */
function meaning(name, written, value, words) {
  const parts = words.filter((one) => one.member === name && one.value.text === written).map((one) => one.text);
  if (/Date$/.test(name) && value instanceof WrittenNumber) {
    const date = new Date(Number(written));
    if (!Number.isNaN(date.getTime())) parts.push(date.toISOString());
  }
  if (Object.hasOwn(MEANINGS, name)) parts.push(MEANINGS[name]);
  return parts.join("; ");
}

function memberTable(title, value, level, words = []) {
  if (value === undefined) return [];
  const content = typeof value === "string"
    ? make("p", {}, visible(value)) : table(title, ["Name", "Value", "Meaning"], rows(value, words));
  return [heading(level, title), content];
}

function details(inspection, level) {
  const parts = [heading(level, "Checks"), checks(inspection)];
  if (inspection.certificates.length > 0) parts.push(heading(level, "Certificates"), chain(inspection));
  parts.push(...memberTable("Payload", inspection.payload, level, inspection.words));
  parts.push(...memberTable(
    "Claims: UNVERIFIED, do not rely on them", inspection.unverifiedPayload, level, inspection.words));
  for (const { at, inspection: inner } of inspection.inside ?? []) {
    const name = `Inside: ${visible(at)}`;
    parts.push(make("section", { class: "inside", "aria-label": name }, heading(level, name),
      verdict(inner, level + 1), ...details(inner, level + 1)));
  }
  if (inspection.header !== undefined) {
    parts.push(make("details", {}, make("summary", {}, `Header (${inspection.tokenBytes.text} bytes in all)`),
      ...memberTable("Header", inspection.header, level)));
  }
  return parts;
}

// MARK: - Asking

const byId = (id) => document.getElementById(id);
let request = null;

function show(head, body = []) {
  byId("verdict").replaceChildren(...head);
  byId("details").replaceChildren(...body);
}

function fail(title, text) {
  show([make("div", { class: "verdict bad" }, heading(2, title), make("p", {}, visible(text)))]);
}

/** Asks the service, in place of whatever was asked before; null if there is no answer to show. */
async function ask(path, query, options, accept) {
  request?.abort();
  const own = request = new AbortController();
  show([make("p", {}, "Asking…")]);
  const headers = { ...options.headers };
  const [token, app] = [byId("token").value, byId("app").value.trim()];
  if (token) headers.Authorization = `Bearer ${token}`;
  if (app) query.app = app;
  try {
    const answer = await fetch(`${path}?${new URLSearchParams(query)}`, {
      ...options, headers, signal: own.signal, cache: "no-store", credentials: "omit", redirect: "error",
    });
    const found = answer.ok ? await accept(answer) : problem(await answer.text());
    if (own !== request) return null;
    if (answer.ok) return found;
    if (answer.status === 401 || found.includes("?app=")) byId("access").open = true;
    fail(`No answer: HTTP ${answer.status}`, found);
  } catch (error) {
    if (error.name === "AbortError" || own !== request) return null;
    fail("No answer", `The service gave no answer that can be read: ${error.message}`);
  }
  return null;
}

async function verify(body, type) {
  const options = { method: "POST", headers: { "Content-Type": type }, body };
  const inspection = await ask("v1/verify", { view: "inspect" }, options, async (answer) => parse(await answer.text()));
  if (inspection) show([verdict(inspection, 2)], details(inspection, 2));
}

// MARK: - A customer's purchases

let picture = null;

async function draw(customer) {
  const path = `v1/customers/${encodeURIComponent(customer)}/timeline`;
  const environment = byId("environment").value.trim();
  const query = environment ? { environment } : {};
  const timeline = await ask(path, query, {}, (answer) => answer.json());
  if (!timeline) return;
  // The picture and the tables are of the same instant.
  const blob = await ask(`${path}.svg`, { ...query, at: timeline.at }, {}, (answer) => answer.blob());
  if (!blob) return;
  if (picture) URL.revokeObjectURL(picture);
  picture = URL.createObjectURL(blob);
  const count = timeline.lanes.length;
  const words = count === 0 ? "The service knows no purchase of this customer in the environment."
    : `${count === 1 ? "1 line" : `${count} lines`} of purchases at ${timeline.at}.`;
  const others = (timeline.otherNames ?? []).map((name) =>
    make("p", {}, `There are more purchases under ${visible(name)}. Two persons may share a download, so they are not drawn here.`));
  const image = make("img", { class: "picture", src: picture, alt: "The purchases over time. The tables below say the same." });
  show([make("div", { class: "verdict good" }, heading(2, `Purchases of ${visible(customer)}`), make("p", {}, words), ...others)],
    count === 0 ? [] : [image, ...timeline.lanes.flatMap(lane)]);
}

function lane({ productID, standing, spans, events }) {
  const name = visible(productID);
  return [heading(3, name), make("p", {}, visible(standing)),
    table(`Periods of ${name}`, ["Period", "From", "To"], spans.map((span) =>
      [visible(span.text), cell(span.start), cell(span.end ?? "")])),
    table(`Events of ${name}`, ["Event", "Date", "Transaction"], events.map((event) =>
      [visible(event.text), cell(event.date), cell(visible(event.transactionID))]))];
}

/** The sentence of a problem (RFC 9457), or the text itself. */
function problem(text) {
  try {
    const { title, detail } = JSON.parse(text);
    return [title, detail].filter((part) => typeof part === "string").join(": ") || text;
  } catch {
    return text;
  }
}

function verifyText() {
  // The service passes over line breaks, by the rule of all doors. Any other space beside a token is an error.
  const text = byId("input").value;
  const [first] = text.match(/[^ \t\r\n]/) ?? [];
  if (!first) return fail("Nothing to verify", "Paste a payload, or choose a file.");
  return verify(text, first === "{" ? "application/json" : "text/plain");
}

/** A file is sent byte for byte: a receipt may be binary. */
async function verifyFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = null;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch { /* not text */ }
  byId("input").value = text === null ? "" : text;
  return text === null ? verify(bytes, "application/octet-stream") : verifyText();
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  verifyText();
});
byId("input").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) verifyText();
});
byId("customer-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const customer = byId("customer").value.trim();
  if (!customer) return fail("No customer", "Give one of the customer's names.");
  return draw(customer);
});
byId("clear").addEventListener("click", () => {
  request?.abort();
  byId("input").value = "";
  byId("file").value = "";
  byId("customer").value = "";
  show([]);
  byId("input").focus();
});
byId("file").addEventListener("change", (event) => {
  if (event.target.files.length > 0) verifyFile(event.target.files[0]);
});
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
    verifyText();
  }
});
