// The folded parts below the first screen: checks, certificates, members, and the payloads inside.

import { box, cell, copyButton, fold, make, table, visible } from "./dom.js";
import { MEANINGS } from "./members.js";
import { bytes, value, when, WrittenNumber, worded } from "./values.js";

const OUTCOMES = {
  passed: ["✓ passed", "good"], failed: ["✗ failed", "bad"], notAsked: ["– not asked for", "quiet"],
  notReached: ["– not reached", "quiet"],
};

/** Whether the payload is verified; if it is not, what to do, and then the exact reason. */
export function verdict(inspection, level) {
  if (inspection.verified) return box("good", level, `Verified: ${inspection.kind}`);
  const { error, message = "", at, advice } = inspection;
  const reason = `${visible(error)}${at ? ` in ${visible(at)}` : ""}: ${visible(message)}`;
  return box("bad", level, `Not verified: ${inspection.kind}`,
    make("p", {}, make("strong", {}, advice)),
    make("p", { class: "exact" }, reason, " ", ...copyButton(reason, "the reason")));
}

/**
 * The parts of an inspection, folded.
 *
 * `shown` has the fingerprints of the certificates that were shown above: each is shown once.
 */
export function details(inspection, level, shown = new Set()) {
  const failed = inspection.checks.filter((one) => one.outcome === "failed").length;
  const parts = [fold(level, "Checks", () => [checks(inspection)], {
    note: failed > 0 ? "one failed" : `${inspection.checks.filter((one) => one.outcome === "passed").length} passed`,
  })];
  const fresh = inspection.certificates.filter((one) => !one.sha256 || !shown.has(one.sha256));
  for (const { sha256 } of fresh) if (sha256) shown.add(sha256);
  if (fresh.length > 0) {
    parts.push(fold(level, "Certificates", () => [chain(inspection, fresh)], { note: String(fresh.length) }));
  }
  parts.push(...members("Payload", inspection.payload, level, inspection.words));
  parts.push(...members("Payload", inspection.unverifiedPayload, level, inspection.words, "UNVERIFIED"));
  for (const { at, inspection: inner } of inspection.inside ?? []) {
    parts.push(inside(visible(at), inner, level, shown));
  }
  if (inspection.header !== undefined) parts.push(header(inspection, level));
  return parts;
}

/** A payload inside. If its certificates were shown above, it says so. */
function inside(name, inner, level, shown) {
  const certificates = inner.certificates.filter((one) => one.sha256);
  const isKnown = certificates.length > 0 && certificates.every((one) => shown.has(one.sha256));
  const note = [inner.verified ? "✓ verified" : "✗ not verified"];
  if (isKnown) note.push("with the same certificates");
  return fold(level, `Inside: ${name}`, () => [make("section", { class: "inside", "aria-label": `Inside: ${name}` },
    ...(inner.verified ? [] : [verdict(inner, level + 1)]), ...details(inner, level + 1, shown))],
  { open: !inner.verified, note: note.join(", ") });
}

function checks(inspection) {
  return table("What was checked, in this order", ["Check", "Result", "What was compared"],
    inspection.checks.map(({ title, outcome, reason }) => {
      const [text, kind] = OUTCOMES[outcome] ?? [outcome, "quiet"];
      return [title, cell(text, `sign ${kind}`), cell(visible(reason))];
    }));
}

function header(inspection, level) {
  const signature = inspection.signature ? [make("p", {}, value(inspection.signature, "signature"))] : [];
  return fold(level, "Header", () => [
    ...signature, table("Members of the header", ["Name", "Value", "Meaning"], rows(inspection.header, []))],
  { note: `${bytes(Number(inspection.tokenBytes.text))} in all` });
}

// MARK: - Members

function members(title, content, level, words = [], note = "") {
  if (content === undefined) return [];
  return [fold(level, title, () => [typeof content === "string" ? make("p", {}, visible(content))
    : table(`Members of the ${title.toLowerCase()}`, ["Name", "Value", "Meaning"], rows(content, words))], { note })];
}

/** The members of a value as rows: the name, the value and its meaning. */
function rows(content, words, path = "", name = "") {
  if (content !== null && typeof content === "object" && !(content instanceof WrittenNumber)) {
    const entries = Object.entries(content);
    if (entries.length === 0) return [[visible(path), cell(Array.isArray(content) ? "[]" : "{}", "value"), cell("")]];
    // A list of values has its name's meaning.
    return entries.flatMap(([key, inner]) =>
      rows(inner, words, Array.isArray(content) ? `${path}[${key}]` : path ? `${path}.${key}` : key,
        Array.isArray(content) ? name : key));
  }
  const written = content instanceof WrittenNumber ? content.text : String(content);
  const kind = name === "x5c" ? "certificate" : "";
  const explained = make("td", {}, ...meaning(name, written, content, words));
  return [[visible(path), cell(value(written, kind), "value"), explained]];
}

/** What a value stands for, by the words of the inspection, and what its member is. */
function meaning(name, written, content, words) {
  const texts = words.filter((one) => one.member === name && one.value.text === written).map((one) => one.text);
  const date = /Date$/.test(name) && content instanceof WrittenNumber ? new Date(Number(written)) : null;
  const parts = [
    texts.flatMap((text) => worded(text)), date && !Number.isNaN(date.getTime()) ? when(date.toISOString()) : [],
    Object.hasOwn(MEANINGS, name) ? [MEANINGS[name]] : [],
  ].filter((part) => part.length > 0);
  return parts.flatMap((part, index) => index > 0 ? ["; ", ...part] : part);
}

// MARK: - Certificates

/** The common name of a subject, or all of it. */
const commonName = (subject) => visible(/(?:^|,)CN=([^,]*)/.exec(subject)?.[1] ?? subject);

function chain(inspection, certificates) {
  const dates = inspection.certificates.flatMap((one) => [Date.parse(one.notBefore), Date.parse(one.notAfter)]);
  const signed = Date.parse(inspection.effectiveDate ?? signedDate(inspection) ?? "");
  const known = [...dates, signed].filter(Number.isFinite);
  const range = [Math.min(...known), Math.max(...known)];
  return make("ol", { class: "chain" }, ...certificates.map((one) => {
    const title = `${one.position}: `;
    if (one.error) return make("li", {}, make("strong", {}, title), visible(one.error));
    const facts = `${one.publicKey}, ${one.signatureAlgorithm}, serial ${one.serialNumber}, SHA-256 ${one.sha256}`;
    return make("li", {}, make("strong", {}, title + commonName(one.subject)),
      make("div", { class: "quiet" }, `issued by ${commonName(one.issuer)}`),
      validity(one, signed, range), make("div", { class: "quiet fingerprint" }, visible(facts)));
  }));
}

const signedDate = (inspection) =>
  inspection.dates.find((date) => ["signedDate", "receiptCreationDate"].includes(date.member))?.iso8601;

/** A certificate's validity as a bar, with a line where the payload was signed. */
function validity(certificate, signed, [first, last]) {
  const [from, to] = [Date.parse(certificate.notBefore), Date.parse(certificate.notAfter)];
  let words = `Valid from ${certificate.notBefore} to ${certificate.notAfter}.`;
  if (Number.isFinite(signed)) {
    const at = new Date(signed).toISOString();
    const side = signed < from ? "before" : signed >= to + 1000 ? "after" : "within";
    words += ` The payload was signed at ${at}: ${side} its validity.`;
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
  return make("div", {}, drawing(parts), make("div", {}, words));
}

function drawing(parts) {
  const name = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(name, "svg");
  for (const [key, value] of Object.entries({
    class: "validity", viewBox: "0 0 1000 26", preserveAspectRatio: "none", "aria-hidden": "true",
  })) svg.setAttribute(key, value);
  for (const [kind, attributes] of parts) {
    const part = document.createElementNS(name, kind);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    svg.append(part);
  }
  return svg;
}
