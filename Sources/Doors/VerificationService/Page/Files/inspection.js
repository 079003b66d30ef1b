// The first screen of a payload: what happened and what it means, as the service says it.

import { details, verdict } from "./details.js";
import { box, copyButton, fold, heading, make, show, visible } from "./dom.js";
import { address, app } from "./service.js";
import { worded } from "./values.js";

/** Shows the payloads in what was pasted. */
export function showInspections({ notes = [], payloads, inspections }, note = []) {
  const count = Number(payloads.text);
  const told = [...note, ...notes].map((line) => make("p", { class: "note" }, visible(line)));
  if (count === 1) {
    show([...told, verdict(inspections[0], 2)], firstScreen(inspections[0]));
    return;
  }
  const good = inspections.filter((one) => one.verified).length;
  const rest = count > inspections.length
    ? [`The first ${inspections.length} of ${count} are shown. POST v1/verify/batch has no such limit.`] : [];
  const title = `${inspections.length} payloads: ${good} verified, ${inspections.length - good} not`;
  show([...told, box(good === inspections.length ? "good" : "bad", 2, title, ...rest)], inspections.map(entry));
}

/** One payload of several, folded. */
function entry(inspection, index) {
  const sign = inspection.verified ? "✓ verified" : "✗ not verified";
  const line = inspection.summary.find((row) => ["Meaning", "Access", "Product"].includes(row.label));
  const content = () => [...(inspection.verified ? [] : [verdict(inspection, 4)]), ...firstScreen(inspection, 4)];
  const note = line ? visible(line.value) : "";
  const part = fold(3, `${index + 1}. ${sign}: ${inspection.kind}`, content, { note });
  part.classList.add("entry");
  return part;
}

/** The lines of the summary, what one can do next, and the folded rest. */
export function firstScreen(inspection, level = 2) {
  const warning = inspection.verified ? []
    : [heading(level, inspection.payload === undefined && inspection.unverifiedPayload === undefined
      ? "Input: UNVERIFIED, do not rely on it" : "Claims: UNVERIFIED, do not rely on them")];
  return [...warning, summary(inspection.summary), ...actions(inspection), ...details(inspection, level)];
}

function summary(rows) {
  const list = make("dl", { class: "summary" });
  rows.forEach((row, index) => {
    if (index === 0 || rows[index - 1].label !== row.label) list.append(make("dt", {}, row.label));
    list.append(make("dd", { class: row.label === "Meaning" || row.label === "Access" ? "main" : null },
      ...worded(row.value, row.amounts),
      ...(row.identifier ? [" ", ...copyButton(row.identifier, visible(row.value))] : [])));
  });
  return list;
}

/** What one can do with a verified payload, if the service has a database. */
function actions(inspection) {
  if (!inspection.verified || !app()?.hasDatabase) return [];
  const links = [];
  const [customer] = inspection.customers ?? [];
  if (customer) {
    const { environment } = inspection;
    const others = app().environments.length > 1 && app().environments.includes(environment) ? { environment } : {};
    links.push(make("a", { class: "button", href: address({ customer, ...others }) }, "Draw this customer"));
  }
  const uuid = inspection.payload?.notificationUUID;
  if (typeof uuid === "string") {
    const href = address({ notification: uuid });
    if (href !== location.hash) links.push(make("a", { class: "button", href }, "When it came, and where it went"));
  }
  return links.length > 0 ? [make("p", { class: "actions" }, ...links)] : [];
}
