/** The text beside a parameter: its help, and facts from its declaration. */

import { el, markup } from "explorer/dom";

const TYPES = {
  integer: "whole number",
  limit: "number or max",
  string: "text",
  text: "text of several lines",
  timestamp: "timestamp, or now",
  title: "page title",
  user: "user",
};

/** Return the help of a parameter. */
export function help(param, id) {
  const facts = [...factsOf(param)].map((text) => el("li", {}, text));
  return el(
    "div",
    { class: "help", id },
    el("div", {}, markup(param.description ?? "")),
    el("ul", { class: "facts" }, facts),
  );
}

function* factsOf(param) {
  if (param.required) yield el("strong", {}, "required");
  if (param.deprecated) yield el("strong", {}, "deprecated");
  if (TYPES[param.type] && (param.multi || param.type !== "string"))
    yield param.multi ? `list separated by |; each value: ${TYPES[param.type]}` : TYPES[param.type];
  yield* bounds(param);
  if (param.multi && !Array.isArray(param.type)) yield `at most ${param.limit} values`;
  if (param.default !== undefined && param.default !== "") yield `default: ${param.default}`;
  if (param.subtypes) yield `accepted forms: ${param.subtypes.join(", ")}`;
  if (param.deprecatedvalues) yield `deprecated: ${param.deprecatedvalues.join(", ")}`;
  for (const [word, source] of Object.entries(param.templatevars ?? {}))
    yield `{${word}}: each value of ${source}`;
  if (param.sensitive) yield "sent by POST only";
}

function* bounds(param) {
  const { min, max, highmax } = param;
  if (max !== undefined && highmax !== undefined && highmax !== max)
    yield `${min} to ${max}, or to ${highmax} with higher limits`;
  else if (min !== undefined && max !== undefined) yield `${min} to ${max}`;
  else if (min !== undefined) yield `at least ${min}`;
  else if (max !== undefined) yield `at most ${max}`;
}
