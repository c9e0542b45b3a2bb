/** The page for the REST API: a form for each operation in its description, and the answer. */

import { exchange } from "explorer/api";
import { el } from "explorer/dom";
import { Form } from "explorer/form";
import { fromHash, toHash } from "explorer/permalink";
import { Page } from "explorer/page";
import { LANGUAGES, addressOf } from "explorer/restsnippets";

const OPERATION = "operation";
const FIRST = "get_v1_page_title";
const LONG = new Set(["source", "wikitext"]);
const PAUSE = 150;

class RestExplorer {
  #page;
  #operations = new Map();
  #select;
  #form;
  #values = new Map();
  #timer;

  constructor(page) {
    this.#page = page;
  }

  async start() {
    const { places, settings } = this.#page;
    places.choice.hidden = true;
    places.search.parentElement.hidden = true;
    const description = await (await fetch(settings.description)).json();
    this.#read(description);
    const rows = el("div", {});
    places.form.append(this.#chooser(), rows);
    this.#form = new Form(rows, {
      value: (name) => this.#values.get(name),
      change: (name, value) => this.#change(name, value),
      token: (name, type) => this.#fetchToken(name, type),
      helpUrl: () => "",
      namespaces: new Map(),
    });
    this.#page.listen({
      languages: LANGUAGES.keys(),
      run: () => this.#run(),
      summarise: () => this.#summarise(),
      load: () => this.#load(),
    });
    this.#load();
  }

  #read({ paths }) {
    for (const [path, item] of Object.entries(paths))
      for (const [name, operation] of Object.entries(item))
        this.#operations.set(operation.operationId, {
          ...operation, path, method: name.toUpperCase(), fields: fieldsOf(operation),
        });
  }

  /** Return the row in which an operation is chosen. */
  #chooser() {
    const groups = Map.groupBy(this.#operations.values(), ({ tags }) => tags[0]);
    const options = [...groups].map(([label, operations]) =>
      el("optgroup", { label }, operations.map(({ operationId, method, path }) =>
        el("option", { value: operationId }, `${method} ${path}`))));
    const onchange = () => this.#choose(this.#select.value);
    this.#select = el("select", { id: `p-${OPERATION}`, onchange }, options);
    const label = el("label", { for: this.#select.id }, OPERATION);
    return el("div", { class: "row" }, label, el("div", { class: "control" }, this.#select));
  }

  #load() {
    this.#values = fromHash(location.hash);
    const names = [this.#values.get(OPERATION), FIRST, ...this.#operations.keys()];
    this.#values.delete(OPERATION);
    if (!this.#values.size) this.#values.set("title", this.#page.settings.page);
    this.#form.reset();
    this.#choose(names.find((name) => this.#operations.has(name)));
  }

  #choose(operationId) {
    this.#select.value = operationId;
    const { summary, fields } = this.#chosen;
    const module = { description: escaped(summary), group: "rest" };
    const name = this.#select.selectedOptions[0].textContent;
    this.#form.show([{ key: operationId, path: operationId, name, prefix: "", module, fields }]);
    this.#summarise();
  }

  get #chosen() {
    return this.#operations.get(this.#select.value);
  }

  /** The request as the form has it: `{url, method, path, query, body}`. */
  get #asked() {
    const { path, method, fields } = this.#chosen;
    const asked = { url: new URL(this.#page.settings.rest, location.href).href, method };
    asked.path = path;
    asked.query = [];
    asked.body = undefined;
    for (const { name, param } of fields) {
      const value = this.#values.get(name) ?? "";
      if (param.place === "path") asked.path = asked.path.replace(`{${name}}`, encodeURIComponent(value));
      else if (param.place === "query" && value) asked.query.push([name, value]);
      else if (param.place === "body") {
        asked.body ??= {};
        if (value || param.required) asked.body[name] = param.isJson ? read(value) : value;
      }
    }
    return asked;
  }

  #change(name, value) {
    if (value === "") this.#values.delete(name);
    else this.#values.set(name, value);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#summarise(), PAUSE);
  }

  #summarise() {
    const entries = this.#chosen.fields
      .filter(({ name, param }) => this.#values.has(name) && !param.tokentype)
      .map(({ name, param }) => [name, this.#values.get(name), param]);
    const hash = toHash([[OPERATION, this.#select.value, {}], ...entries]);
    const asked = this.#asked;
    this.#page.summarise(hash, asked.method, LANGUAGES, asked);
  }

  async #fetchToken(name, type) {
    if (await this.#page.fillToken(this.#values, name, type)) this.#summarise();
  }

  async #run() {
    const { places } = this.#page;
    places.answer.setAttribute("aria-busy", "true");
    try {
      const asked = this.#asked;
      const headers = asked.body ? { "Content-Type": "application/json" } : {};
      const body = asked.body && JSON.stringify(asked.body);
      this.#page.show(await exchange(addressOf(asked), { method: asked.method, headers, body }));
    } catch (error) {
      this.#page.tell(error);
    } finally {
      places.answer.removeAttribute("aria-busy");
    }
  }
}

/** Return the fields of an operation, `{name, param}`, with the declarations that the form takes. */
function fieldsOf({ parameters, requestBody }) {
  const fields = parameters.map(({ name, in: place, required, description, schema }) => ({
    name,
    param: {
      place, required, description: escaped(description), default: schema.default,
      type: schema.enum ?? schema.type, min: schema.minimum, max: schema.maximum,
    },
  }));
  const body = requestBody?.content["application/json"].schema;
  for (const [name, { type, description }] of Object.entries(body?.properties ?? {}))
    fields.push({
      name,
      param: {
        place: "body",
        required: body.required.includes(name),
        description: escaped(type === "string" ? description : `${description} As JSON.`),
        type: LONG.has(name) ? "text" : "string",
        isJson: type !== "string",
        tokentype: name === "token" ? "csrf" : undefined,
      },
    });
  return fields;
}

/** Return a text as HTML, which the form expects descriptions to be. */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** Return the value that a JSON text stands for; the text itself if it is not JSON. */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const page = new Page();
new RestExplorer(page).start().catch((error) => page.tell(error));
