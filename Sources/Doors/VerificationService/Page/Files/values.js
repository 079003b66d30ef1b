// Dates, amounts and long texts as people read them.

import { copyButton, make, visible } from "./dom.js";

/** A number as it was written: a double has not all digits. */
export class WrittenNumber {
  constructor(text) { this.text = text; }
}

/** Reads JSON, and keeps each number as it was written. */
export const parse = (text) => JSON.parse(text, (name, value, context) =>
  typeof value === "number" ? new WrittenNumber(context?.source ?? String(value)) : value);

// The service writes every date in UTC.
const DATES = /(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)/;
const isUTC = new Date().getTimezoneOffset() === 0 && Intl.DateTimeFormat().resolvedOptions().timeZone === "UTC";
const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
// In seconds: from which age on a unit is used.
const UNITS = [
  ["year", 31_556_952], ["month", 2_629_746], ["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1],
];

/** "3 days ago", or "in 2 months". */
export function ago(date, now = Date.now()) {
  const seconds = (date.getTime() - now) / 1000;
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS.at(-1);
  return relative.format(Math.trunc(seconds / length), unit);
}

/** A date in UTC as it is written, with the time here and how long ago beside it. */
export function when(written) {
  const iso = written.replace(" ", "T");
  const date = new Date(iso.endsWith("Z") ? iso : `${iso}Z`);
  if (Number.isNaN(date.getTime())) return [written];
  const here = isUTC ? ago(date) : `${local.format(date)} here, ${ago(date)}`;
  const shown = iso === written ? written : `${written} UTC`;
  return [make("time", { datetime: date.toISOString() }, shown), make("span", { class: "quiet here" }, ` (${here})`)];
}

/** Text from the service, with each date and amount in it as people read them. */
export function worded(text, amounts = []) {
  let parts = [visible(text)];
  for (const amount of amounts) {
    parts = parts.flatMap((part) =>
      typeof part === "string" ? around(part, visible(amount.text), money(amount)) : [part]);
  }
  return parts.flatMap((part) => typeof part === "string"
    ? part.split(DATES).flatMap((piece, index) => index % 2 === 1 ? when(piece) : piece ? [piece] : []) : [part]);
}

/** A text with an element in the first place of another text. */
function around(text, inner, element) {
  const place = text.indexOf(inner);
  return place < 0 ? [text] : [text.slice(0, place), element, text.slice(place + inner.length)];
}

/** A price in the reader's spelling, with the service's beside it for who points at it. */
function money({ text, number, currency }) {
  const digits = number.text.split(".")[1]?.length ?? 0;
  try {
    const usual = new Intl.NumberFormat(undefined, { style: "currency", currency }).resolvedOptions();
    const format = new Intl.NumberFormat(undefined, {
      style: "currency", currency, maximumFractionDigits: Math.min(Math.max(usual.maximumFractionDigits, digits), 20),
    });
    return make("span", { title: visible(text) }, format.format(number.text));
  } catch {
    return visible(text);
  }
}

/** Bytes as they are counted: "1,071 bytes". */
export const bytes = (count) => `${count.toLocaleString("en")} ${count === 1 ? "byte" : "bytes"}`;

/** A value: base64 is hidden behind its size. */
export function value(written, name = "") {
  const isToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(written);
  if (!isToken && !/^[A-Za-z0-9+/_-]{80,}={0,2}$/.test(written)) return visible(written);
  const size = isToken ? written.length : Math.floor(written.replace(/=+$/, "").length * 3 / 4);
  const what = isToken ? "token" : name || "base64";
  return make("details", { class: "long" },
    make("summary", {}, `${what}, ${bytes(size)} – show`), make("code", {}, visible(written)), " ",
    ...copyButton(written, what));
}
