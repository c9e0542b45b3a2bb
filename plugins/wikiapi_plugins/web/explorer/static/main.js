/** The explorer: a form, generated from the descriptions of the modules, and the answer. */

import { Modules } from "explorer/api";
import { el } from "explorer/dom";
import { Form } from "explorer/form";
import { outline, search } from "explorer/outline";
import { Page } from "explorer/page";
import { fromHash, toHash } from "explorer/permalink";
import { deciding, plan, request } from "explorer/plan";
import { LANGUAGES } from "explorer/snippets";

const FIRST = { action: "query", prop: "info" };
const ALWAYS = { format: "json", formatversion: "2" };
const PAUSE = 150;

class Explorer {
  #page;
  #places;
  #settings;
  #api;
  #modules;
  #form;
  #values = new Map();
  #sections = [];
  #deciding = new Set();
  #timer;
  #runs = 0;

  constructor(page) {
    this.#page = page;
    this.#places = page.places;
    this.#settings = page.settings;
    this.#api = page.api;
    this.#modules = new Modules(this.#api);
  }

  async start() {
    this.#form = new Form(this.#places.form, {
      value: (name) => this.#values.get(name),
      change: (name, value) => this.#change(name, value),
      token: (name, type) => this.#fetchToken(name, type),
      helpUrl: (path) => `${this.#settings.api}?${new URLSearchParams({ action: "help", modules: path })}`,
      namespaces: await this.#namespaces(),
    });
    this.#listen();
    await this.#load(location.hash);
  }

  async #namespaces() {
    try {
      const answer = await this.#api.ask({ action: "query", meta: "siteinfo", siprop: "namespaces" });
      return new Map(Object.values(answer.query.namespaces).map(({ id, name }) => [String(id), name]));
    } catch {
      return new Map(); // A private wiki does not list its namespaces, but describes its modules.
    }
  }

  #listen() {
    const places = this.#places;
    this.#page.listen({
      languages: LANGUAGES.keys(),
      run: () => this.#run(),
      summarise: () => this.#summarise(),
      load: () => this.#load(location.hash),
    });
    for (const radio of places.methods) radio.addEventListener("change", () => this.#summarise());
    places.search.addEventListener("input", () => this.#search());
  }

  async #load(hash) {
    const given = fromHash(hash);
    const values = given.size ? given : new Map(Object.entries({ ...FIRST, titles: this.#settings.page }));
    for (const [name, value] of Object.entries(ALWAYS)) if (!values.has(name)) values.set(name, value);
    this.#values = values;
    this.#form.reset();
    await this.#replan();
  }

  async #change(name, value) {
    if (value === "") this.#values.delete(name);
    else this.#values.set(name, value);
    if (this.#deciding.has(name)) return this.#replan();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#summarise(), PAUSE);
  }

  async #replan() {
    const values = this.#values;
    const sections = await plan(this.#modules, values).catch((error) => this.#page.tell(error));
    if (!sections || values !== this.#values) return;
    this.#sections = sections;
    this.#deciding = deciding(sections);
    this.#form.show(sections);
    this.#places.outline.replaceChildren(...outline(this.#places.form));
    this.#search();
    this.#summarise();
  }

  #search() {
    search(this.#places.form, this.#places.search.value);
  }

  get #entries() {
    return request(this.#sections, this.#values);
  }

  get #method() {
    const posted = this.#sections.some(({ module }) => module.mustbeposted);
    const chosen = this.#places.methods.find((radio) => radio.checked).value;
    this.#places.choice.hidden = posted;
    return posted ? "POST" : chosen;
  }

  /** Update the URL of the page and the code for the request. */
  #summarise() {
    const asked = { url: this.#api.url, method: this.#method, entries: this.#entries };
    this.#page.summarise(toHash(asked.entries), asked.method, LANGUAGES, asked);
  }

  async #fetchToken(name, type) {
    if (await this.#page.fillToken(this.#values, name, type)) this.#summarise();
  }

  async #run(more = {}) {
    const places = this.#places;
    const number = ++this.#runs;
    places.answer.setAttribute("aria-busy", "true");
    try {
      for (const { name, param } of this.#sections.flatMap((section) => section.fields))
        if (param.tokentype && !this.#values.get(name)) await this.#fetchToken(name, param.tokentype);
      const sent = new Map(this.#entries.map(([name, value]) => [name, value]));
      for (const [name, value] of Object.entries(more)) sent.set(name, String(value));
      const reply = await this.#api.send(this.#method, [...sent]);
      if (number === this.#runs) this.#offerMore(this.#page.show(reply)?.continue);
    } catch (error) {
      this.#page.tell(error);
    } finally {
      if (number === this.#runs) places.answer.removeAttribute("aria-busy");
    }
  }

  #offerMore(going) {
    const onclick = () => this.#run(going);
    const button = el("button", { type: "button", onclick }, "Next batch");
    this.#places.more.replaceChildren(...(going ? [button] : []));
  }
}

new Explorer(new Page()).start();
