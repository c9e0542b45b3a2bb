/** The form of a request: one section for each module, one row for each parameter. */

import { arrange, el, markup } from "explorer/dom";
import { control, isGroup } from "explorer/fields";
import { help } from "explorer/help";

/** Builds each section once, and keeps it as long as it is shown. */
export class Form {
  #place;
  #hooks;
  #built = new Map();

  /**
   * `hooks` has `value(name)`, `change(name, value)`, `token(name, type)`, `helpUrl(path)`, which is
   * empty for no link, and `namespaces`.
   */
  constructor(place, hooks) {
    this.#place = place;
    this.#hooks = hooks;
  }

  /** Show these sections. Those that are shown already keep their input and unfolded parts. */
  show(sections) {
    const wanted = new Map(
      sections.map((section) => [section.key, this.#built.get(section.key) ?? this.#made(section)]),
    );
    this.#built = wanted;
    const parts = [...wanted.values()];
    arrange(this.#place, [...parts.flatMap((part) => part.front), ...parts.map((part) => part.body)]);
  }

  /** Discard all sections, because the values were not changed through the form. */
  reset() {
    this.#built.clear();
  }

  /** Build a section, and for the main module the row for the action, which comes first. */
  #made(section) {
    const { path, name, module } = section;
    const isMain = path === "main";
    const chooses = (field) => isMain && field.name === "action";
    const front = section.fields.filter(chooses).map((field) => this.#row(field));
    const fields = section.fields.filter((field) => !chooses(field));
    const attributes = { class: "module", "data-path": path, "data-prefix": section.prefix };
    const heading = el("h3", {}, isMain ? "Options of every request" : el("code", {}, name));
    const rows = this.#rows(fields);
    const content =
      isMain || module.group === "format"
        ? el("details", {}, el("summary", {}, heading), rows)
        : [heading, this.#about(path, module), rows];
    return { front, body: el("section", attributes, content) };
  }

  #rows(fields) {
    if (!fields.length) return [el("p", { class: "none" }, "This module takes no parameters.")];
    const rows = (old) =>
      fields
        .filter(({ param }) => Boolean(param.deprecated) === old)
        .map((field) => this.#row(field));
    const old = rows(true);
    const folded = el("details", { class: "old" }, el("summary", {}, `Deprecated (${old.length})`), old);
    return [...rows(false), ...(old.length ? [folded] : [])];
  }

  #about(path, module) {
    const flags = [
      module.deprecated ? "deprecated" : null,
      module.internal ? "internal" : null,
      module.mustbeposted ? "POST only" : null,
      module.writerights ? "writes: checked, then refused" : null,
    ].filter(Boolean);
    const href = this.#hooks.helpUrl(path);
    const link = href ? el("a", { href }, "Help") : null;
    const marks = flags.map((flag) => el("span", { class: "flag" }, flag));
    return el("div", { class: "about" }, markup(module.description ?? ""), " ", link, " ", marks);
  }

  #row({ name, param }) {
    const id = `p-${name}`;
    const helpId = `h-${name}`;
    const context = {
      id, helpId, name,
      value: this.#hooks.value(name) ?? "",
      namespaces: this.#hooks.namespaces,
      change: (value) => this.#hooks.change(name, value),
    };
    const made = control(param, context);
    const asked = param.tokentype ? this.#tokenButton(name, param.tokentype) : null;
    const parts = [el("div", { class: "control" }, made, asked), help(param, helpId)];
    const attributes = { class: param.required ? "row required" : "row", "data-name": name };
    if (isGroup(param)) {
      const described = { ...attributes, "aria-describedby": helpId };
      return el("fieldset", described, el("legend", {}, name), parts);
    }
    return el("div", attributes, el("label", { for: id }, name), parts);
  }

  #tokenButton(name, type) {
    const onclick = () => this.#hooks.token(name, type);
    return el("button", { type: "button", class: "small", onclick }, `Get a ${type} token`);
  }
}
