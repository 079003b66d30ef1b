// Asks the service. Nothing is stored, and nothing is asked of any other server.

import { box, byId, fail, make, show } from "./dom.js";

let request = null;
let known = null;

/** What the service has: its version and apps; null as long as it has not said so. */
export const service = () => known;

/** The app that is asked about; null as long as the service has not said what it has. */
export function app() {
  const apps = known?.apps ?? [];
  return apps.find((one) => one.name === byId("app").value) ?? (apps.length === 1 ? apps[0] : null);
}

/** Ends what was asked before. */
export function abort() {
  request?.abort();
  request = null;
}

function options(given, signal) {
  const headers = { ...given.headers };
  const token = byId("token").value.trim();
  if (token) headers.Authorization = `Bearer ${token}`;
  return { ...given, headers, signal, cache: "no-store", credentials: "omit", redirect: "error" };
}

/** Asks what the service has, and offers no more than that. */
export async function learn() {
  try {
    const answer = await fetch("v1/service", options({}, undefined));
    byId("access").hidden = answer.ok && byId("token").value === "";
    if (answer.status === 401) byId("access").open = true;
    if (!answer.ok) return;
    byId("access").open = false;
    known = await answer.json();
  } catch {
    return;
  }
  const menu = byId("app");
  if (menu.options.length === 0) {
    menu.append(...known.apps.map(({ name }) => make("option", { value: name }, name)));
    byId("apps").hidden = known.apps.length < 2;
    byId("version").textContent = known.version ? `storekit-verify ${known.version}` : "";
  }
  offer();
}

/** Shows the parts that the app has. */
export function offer() {
  const has = app()?.hasDatabase === true;
  for (const element of document.querySelectorAll("[data-needs=database]")) element.hidden = !has;
  const environments = app()?.environments ?? [];
  byId("environment").replaceChildren(
    ...environments.map((name) => make("option", { value: name }, name)));
  byId("environments").hidden = environments.length < 2;
}

/**
 * Asks the service, in place of whatever was asked before; null if there is no answer to show.
 *
 * `missing` is called where the service has no such part.
 */
export async function ask(path, query, given, accept, missing = null) {
  abort();
  const own = request = new AbortController();
  show([make("p", {}, "Asking…")]);
  if (known === null) await learn();
  const all = { ...query };
  if ((known?.apps.length ?? 0) > 1) all.app = byId("app").value;
  try {
    const answer = await fetch(`${path}?${new URLSearchParams(all)}`, options(given, own.signal));
    const found = answer.ok ? await accept(answer) : problem(await answer.text());
    if (own !== request) return null;
    if (answer.ok) return found;
    if (missing && [404, 405].includes(answer.status)) return missing(found);
    if (answer.status === 401) {
      byId("access").hidden = false;
      byId("access").open = true;
      fail("The service asks for an access token", "Type it above, and ask again.");
      return null;
    }
    fail(answer.status < 500 ? "The service did not accept this" : "The service cannot answer now",
      `${found} (HTTP ${answer.status})`);
  } catch (error) {
    if (error.name === "AbortError" || own !== request) return null;
    fail("No answer", `The service gave no answer that can be read: ${error.message}`);
  }
  return null;
}

export const json = (answer) => answer.json();

/** A neutral answer where the service has no such part, which is offered no more. */
export function absent(what, part) {
  show([box("neutral", 2, what, "This service has no such part.")]);
  document.querySelector(`nav a[data-opens=${part}]`).hidden = true;
  document.querySelector(`[data-part=${part}]`).hidden = true;
  return null;
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

/** An address within the page. It never has a token or a payload in it. */
export function address(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  if ((known?.apps.length ?? 0) > 1) given.push(["app", byId("app").value]);
  return `#${new URLSearchParams(given)}`;
}
