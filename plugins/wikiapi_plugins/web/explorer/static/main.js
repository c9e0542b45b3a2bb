/** The explorer: a form, generated from the descriptions of the modules, and the answer. */

import { facts, pretty, read, statements } from "explorer/answer";
import { Api, Modules } from "explorer/api";
import { el } from "explorer/dom";
import { Form } from "explorer/form";
import { outline, search } from "explorer/outline";
import { fromHash, toHash } from "explorer/permalink";
import { deciding, plan, request } from "explorer/plan";
import { LANGUAGES } from "explorer/snippets";

const FIRST = { action: "query", prop: "info" };
const ALWAYS = { format: "json", formatversion: "2" };
const PAUSE = 150;

class Explorer {
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

  constructor(places, settings) {
    this.#places = places;
    this.#settings = settings;
    this.#api = new Api(settings.api);
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
    for (const name of LANGUAGES.keys()) this.#places.language.append(el("option", {}, name));
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
    places.request.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#run();
    });
    places.request.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#run();
    });
    for (const radio of places.methods) radio.addEventListener("change", () => this.#summarise());
    places.language.addEventListener("change", () => this.#summarise());
    places.copy.addEventListener("click", () => this.#copy(places.snippet.textContent));
    places.link.addEventListener("click", () => this.#copy(location.href));
    places.search.addEventListener("input", () => this.#search());
    window.addEventListener("hashchange", () => this.#load(location.hash));
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
    const sections = await plan(this.#modules, values).catch((error) => this.#tell(error));
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
    const hash = toHash(asked.entries);
    if (hash !== location.hash) history.replaceState(null, "", hash); // browsers limit the rate
    this.#places.method.textContent = asked.method;
    this.#places.snippet.textContent = LANGUAGES.get(this.#places.language.value)(asked);
  }

  async #fetchToken(name, type) {
    try {
      this.#values.set(name, await this.#api.token(type));
    } catch (error) {
      return this.#tell(error);
    }
    const input = document.getElementById(`p-${name}`);
    if (input) input.value = this.#values.get(name);
    this.#summarise();
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
      if (number === this.#runs) this.#show(reply);
    } catch (error) {
      this.#tell(error);
    } finally {
      if (number === this.#runs) places.answer.removeAttribute("aria-busy");
    }
  }

  #show(reply) {
    const places = this.#places;
    const understood = read(reply);
    const { json, debug } = understood;
    const told = facts(reply, understood).map((text) => el("span", {}, text));
    places.status.replaceChildren(...told);
    places.status.classList.toggle("failed", Boolean(reply.error) || reply.status >= 400);
    const articleUrl = (title) => this.#articleUrl(title);
    places.result.replaceChildren(json === undefined ? reply.text : pretty(json, articleUrl));
    places.statements.replaceChildren(...[statements(debug)].filter(Boolean));
    this.#offerMore(json?.continue);
  }

  #offerMore(going) {
    const onclick = () => this.#run(going);
    const button = el("button", { type: "button", onclick }, "Next batch");
    this.#places.more.replaceChildren(...(going ? [button] : []));
  }

  #articleUrl(title) {
    const encoded = encodeURIComponent(title.replaceAll(" ", "_"));
    const name = encoded.replaceAll("%3A", ":").replaceAll("%2F", "/");
    const { api, article } = this.#settings;
    const address = article.replace("$1", name);
    // A URL that begins with two slashes would lead to another server.
    const isLocal = !address.startsWith("//");
    return isLocal ? address : `${api.replace(/api\.php$/, "index.php")}?title=${name}`;
  }

  #tell(error) {
    this.#places.status.replaceChildren(el("span", {}, `No answer: ${error.message}`));
    this.#places.status.classList.add("failed");
  }

  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.#places.copied.textContent = "Copied.";
    } catch {
      this.#places.copied.textContent = "The browser does not allow copying: select the text and copy it.";
    }
    setTimeout(() => this.#places.copied.replaceChildren(), 4000);
  }
}

function places() {
  const names = ["answer", "choice", "copied", "copy", "form", "language", "link", "method", "more"];
  names.push("outline", "request", "search", "result", "snippet", "statements", "status");
  const found = Object.fromEntries(names.map((name) => [name, document.getElementById(name)]));
  return { ...found, methods: [...document.querySelectorAll("input[name=method]")] };
}

new Explorer(places(), document.body.dataset).start();
