// Elements of the page. Everything from a payload becomes text of an element, never markup.

// The most characters of one value that are shown, and the most rows of one table.
const LONGEST_VALUE = 600;
const MOST_ROWS = 1000;

export const byId = (id) => document.getElementById(id);

/** Text whose hidden characters, and those that change the direction of text, are visible. */
export function visible(text) {
  const shown = String(text).replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) =>
      "\\u" + character.charCodeAt(index).toString(16).padStart(4, "0")).join(""));
  return shown.length <= LONGEST_VALUE
    ? shown : `${shown.slice(0, LONGEST_VALUE)}… (${text.length} characters)`;
}

/** An element. An attribute that is null or false is left out. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/** A heading of a level; the deepest there is, if it is too deep. */
export const heading = (level, ...children) => make(`h${Math.min(level, 6)}`, {}, ...children);

export const cell = (content, kind = null) => make("td", { class: kind }, content);

/** A table with headers, which can be scrolled by the keyboard where it is too wide. */
export function table(caption, columns, rows) {
  const shown = rows.slice(0, MOST_ROWS);
  const left = rows.length - shown.length;
  const body = shown.map(([first, ...others]) => make("tr", {}, make("th", { scope: "row" }, first), ...others));
  const note = left > 0 ? [make("p", {}, `${left} more rows are not shown.`)] : [];
  return make("div", {},
    scrolling(caption, make("table", {}, make("caption", {}, caption),
      make("thead", {}, make("tr", {}, ...columns.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...body))),
    ...note);
}

/** Something wide, which scrolls by itself, by the keyboard too. */
export const scrolling = (name, ...children) =>
  make("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": name }, ...children);

/** A part that is folded at first. Its content is made when it is opened. */
export function fold(level, title, content, { open = false, note = "" } = {}) {
  const summary = make("summary", {}, heading(level, title));
  if (note) summary.append(make("span", { class: "quiet" }, note));
  const part = make("details", { class: "fold" }, summary);
  const fill = () => { if (part.open && part.children.length === 1) part.append(...content()); };
  part.addEventListener("toggle", fill);
  part.open = open;
  fill();
  return part;
}

/** A box with a heading: good, bad, or neutral where nothing is known. */
export function box(kind, level, title, ...lines) {
  const sign = { good: "✓ ", bad: "✗ " }[kind];
  const marks = sign ? [make("span", { class: "sign", "aria-hidden": "true" }, sign)] : [];
  return make("div", { class: `box ${kind}` }, heading(level, ...marks, title),
    ...lines.map((line) => typeof line === "string" ? make("p", {}, line) : line));
}

/** A button that copies a text; nothing where the browser has no clipboard for the page. */
export function copyButton(text, what) {
  if (!navigator.clipboard) return [];
  const button = make("button", { type: "button", class: "small", "aria-label": `Copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  return [button];
}

/** Shows an answer: what is told at once, and what one can read on. */
export function show(head, body = []) {
  byId("verdict").replaceChildren(...head);
  byId("details").replaceChildren(...body);
  byId("input").scrollTop = 0;
  document.body.classList.toggle("answered", head.length > 0);
}

export function fail(title, text) {
  show([box("bad", 2, title, visible(text))]);
}
