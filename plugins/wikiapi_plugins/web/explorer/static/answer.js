/** Showing an answer: facts about it, its JSON with links, and the SQL statements that were run. */

import { el } from "explorer/dom";

const MAX_NODES = 20000;
const TITLES = new Set(["title", "from", "to", "redirect", "displaytitle"]);
const ADDRESS = /^(?:https?:)?\/\/[^\s]+$/i;

/** Return the content of a reply as `{json, debug}`; `json` is undefined if it is not JSON. */
export function read(reply) {
  let json;
  if (/^application\/json\b/.test(reply.type)) json = JSON.parse(reply.text);
  const isObject = json && typeof json === "object" && !Array.isArray(json);
  const { debuginfo: debug, ...rest } = isObject ? json : {};
  return { json: isObject ? rest : json, debug };
}

/** Return short facts about a reply: status, time and size. */
export function facts(reply, { json, debug }) {
  const told = [`HTTP ${reply.status}`];
  if (reply.error) told.push(`error: ${reply.error}`);
  const size = debug ? `${bytes(sizeOf(json))} without debuginfo` : bytes(reply.size);
  told.push(`${reply.time.toFixed(0)} ms`, size);
  if (debug) {
    told.push(`${(debug.time * 1000).toFixed(1)} ms on the server`);
    told.push(`${debug.queries.length} SQL statement${debug.queries.length === 1 ? "" : "s"}`);
  }
  return told;
}

function sizeOf(json) {
  return new TextEncoder().encode(JSON.stringify(json)).length;
}

function bytes(count) {
  return count < 10000 ? `${count} bytes` : `${(count / 1024).toFixed(1)} KiB`;
}

/** Return a folded list of the SQL statements; null if the answer does not contain them. */
export function statements(debug) {
  if (!debug?.queries.length) return null;
  const items = debug.queries.map(({ sql, function: caller, time }) =>
    el("li", {}, el("code", {}, sql), el("small", {}, ` ${caller}, ${(time * 1000).toFixed(2)} ms`)),
  );
  const summary = el("summary", {}, `SQL (${items.length})`);
  return el("details", { class: "sql" }, summary, el("ol", {}, items));
}

/** Return formatted JSON as elements, in which titles and URLs are links. */
export function pretty(json, articleUrl) {
  const state = { nodes: 0, articleUrl };
  const made = value(json, "", "", state);
  return state.nodes > MAX_NODES ? document.createTextNode(JSON.stringify(json, null, 2)) : made;
}

function value(json, key, indent, state) {
  state.nodes += 1;
  if (state.nodes > MAX_NODES) return document.createTextNode("");
  if (json !== null && typeof json === "object") return container(json, indent, state);
  if (typeof json !== "string") return el("span", { class: "literal" }, String(json));
  const href = addressOf(json, key, state);
  const text = JSON.stringify(json);
  if (!href) return el("span", { class: "string" }, text);
  return el("a", { class: "string", href, rel: "noreferrer" }, text);
}

function addressOf(text, key, state) {
  if (ADDRESS.test(text)) return text;
  return TITLES.has(key) && text && !/[<>[\]{}|]/.test(text) ? state.articleUrl(text) : null;
}

function container(json, indent, state) {
  const isList = Array.isArray(json);
  const [open, close] = isList ? "[]" : "{}";
  const entries = Object.entries(json);
  const made = document.createDocumentFragment();
  if (!entries.length) return made.append(open + close), made;
  const inner = `${indent}  `;
  made.append(`${open}\n`);
  entries.forEach(([key, item], place) => {
    made.append(inner);
    if (!isList) made.append(el("span", { class: "key" }, JSON.stringify(key)), ": ");
    made.append(value(item, isList ? "" : key, inner, state));
    made.append(place < entries.length - 1 ? ",\n" : "\n");
  });
  made.append(indent + close);
  return made;
}
