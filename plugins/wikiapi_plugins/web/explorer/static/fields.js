/** The form controls for each type of parameter. */

import { el } from "explorer/dom";
import { SEPARATOR, split } from "explorer/plan";

const FEW = 6;

/**
 * Return the control for a parameter. `context` has `id` and `helpId` for labels, the current `value`,
 * `namespaces` by number, and `change`, which is called with the new value ("" for none).
 */
export function control(param, context) {
  if (param.type === "upload") return el("span", {}, "Files cannot be sent from here.");
  const choices = choicesOf(param, context.namespaces);
  if (choices) return param.multi ? boxes(param, choices, context) : select(param, choices, context);
  return (CONTROLS[param.type] ?? line)(param, context);
}

/** Return whether the control is a group of checkboxes, which has a legend instead of a label. */
export function isGroup(param) {
  return param.multi && (Array.isArray(param.type) || param.type === "namespace");
}

function choicesOf(param, namespaces) {
  if (param.type === "namespace") {
    const extra = (param.extranamespaces ?? []).map((number) => String(number));
    const numbers = [...extra, ...namespaces.keys()].filter((n) => Number(n) >= 0 || extra.includes(n));
    return [...new Set(numbers)].map((number) => [number, label(number, namespaces)]);
  }
  return Array.isArray(param.type) ? param.type.map((value) => [value, value || "(empty)"]) : null;
}

function label(number, namespaces) {
  const name = namespaces.get(number);
  return name === undefined ? number : `${number} ${name || "(main)"}`;
}

function common(context) {
  return { id: context.id, "aria-describedby": context.helpId, "data-param": context.name };
}

function select(param, choices, context) {
  const unset = param.default === undefined ? "" : `default: ${param.default}`;
  const options = choices.map(([value, text]) =>
    el("option", { value, selected: value === context.value }, marked(param, value, text)),
  );
  const attributes = { ...common(context), onchange: (event) => context.change(event.target.value) };
  const isFixed = context.name === "action";
  return el("select", attributes, isFixed ? null : el("option", { value: "" }, unset), options);
}

function marked(param, value, text) {
  return param.deprecatedvalues?.includes(value) ? `${text} (deprecated)` : text;
}

function boxes(param, choices, context) {
  const chosen = new Set(split(context.value));
  const all = param.allspecifier ? [[param.allspecifier, `${param.allspecifier} (all)`]] : [];
  const group = el("div", { class: choices.length > FEW ? "boxes many" : "boxes" });
  const report = () => {
    const on = [...group.querySelectorAll("input:checked")].map((box) => box.value);
    const stands = param.allspecifier;
    context.change(on.includes(stands) ? stands : on.join(SEPARATOR));
  };
  for (const [value, text] of [...all, ...choices]) {
    const attributes = {
      type: "checkbox", value, id: `${context.id}-${value}`, checked: chosen.has(value),
      onchange: report, "data-param": context.name,
    };
    const old = param.deprecatedvalues?.includes(value) ? "old" : false;
    const title = old ? "deprecated" : false;
    group.append(el("label", { class: old, title }, el("input", attributes), ` ${text}`));
  }
  return group;
}

function box(_param, context) {
  const change = (event) => context.change(event.target.checked ? "1" : "");
  const attributes = { ...common(context), type: "checkbox", checked: Boolean(context.value) };
  return el("input", { ...attributes, onchange: change });
}

function line(param, context, more = {}) {
  return el("input", {
    ...common(context),
    type: "text",
    value: context.value,
    placeholder: param.default === undefined ? "" : String(param.default),
    autocomplete: "off",
    spellcheck: "false",
    oninput: (event) => context.change(event.target.value),
    ...more,
  });
}

function number(param, context) {
  if (param.multi) return line(param, context);
  return line(param, context, { type: "number", min: param.min, max: param.max, step: 1 });
}

function limit(param, context) {
  return line(param, context, { inputmode: "numeric", pattern: "max|[0-9]+", size: 6 });
}

function moment(param, context) {
  const placeholder = param.default ?? "2026-01-31T12:00:00Z";
  return line(param, context, { placeholder });
}

function secret(param, context) {
  return line(param, context, { type: "password", autocomplete: "new-password" });
}

function area(_param, context) {
  const oninput = (event) => context.change(event.target.value);
  return el("textarea", { ...common(context), rows: 4, oninput }, context.value);
}

const CONTROLS = {
  boolean: box,
  integer: number,
  limit,
  password: secret,
  text: area,
  timestamp: moment,
};
