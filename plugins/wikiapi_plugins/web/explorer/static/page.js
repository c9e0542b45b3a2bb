/** What the pages of both APIs share: the parts of the document, the answer, and copying. */

import { facts, pretty, read, statements } from "explorer/answer";
import { Api } from "explorer/api";
import { el } from "explorer/dom";

const PARTS = [
  "answer", "choice", "copied", "copy", "form", "language", "link", "method", "more", "outline",
  "request", "search", "result", "snippet", "statements", "status",
];

/**
 * A page of the explorer: `places` are its elements by id, `settings` the addresses of the wiki, and
 * `api` is its Action API.
 */
export class Page {
  constructor() {
    this.settings = document.body.dataset;
    this.api = new Api(this.settings.api);
    this.places = Object.fromEntries(PARTS.map((name) => [name, document.getElementById(name)]));
    this.places.methods = [...document.querySelectorAll("input[name=method]")];
  }

  /**
   * Offer the languages for code, and call `run` when the form is sent, `summarise` when the request
   * is shown in another way, and `load` when the fragment of the URL changes.
   */
  listen({ languages, run, summarise, load }) {
    const { places } = this;
    for (const name of languages) places.language.append(el("option", {}, name));
    places.request.addEventListener("submit", (event) => {
      event.preventDefault();
      run();
    });
    places.request.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      run();
    });
    places.language.addEventListener("change", summarise);
    places.copy.addEventListener("click", () => this.copy(places.snippet.textContent));
    places.link.addEventListener("click", () => this.copy(location.href));
    window.addEventListener("hashchange", load);
  }

  /** Put a request into the URL of the page, and show it as code in the language that is chosen. */
  summarise(hash, method, languages, asked) {
    if (hash !== location.hash) history.replaceState(null, "", hash); // browsers limit the rate
    this.places.method.textContent = method;
    this.places.snippet.textContent = languages.get(this.places.language.value)(asked);
  }

  /** Put a token of a type into `values` and into its field; return whether the wiki gives one. */
  async fillToken(values, name, type) {
    try {
      values.set(name, await this.api.token(type));
    } catch (error) {
      this.tell(error);
      return false;
    }
    const input = document.getElementById(`p-${name}`);
    if (input) input.value = values.get(name);
    return true;
  }

  /** Show a reply, and return its JSON without what is for debugging; undefined if it has none. */
  show(reply) {
    const { places } = this;
    const understood = read(reply);
    const { json, debug } = understood;
    const told = facts(reply, understood).map((text) => el("span", {}, text));
    places.status.replaceChildren(...told);
    places.status.classList.toggle("failed", Boolean(reply.error) || reply.status >= 400);
    const articleUrl = (title) => this.#articleUrl(title);
    places.result.replaceChildren(json === undefined ? reply.text : pretty(json, articleUrl));
    places.statements.replaceChildren(...[statements(debug)].filter(Boolean));
    return json;
  }

  #articleUrl(title) {
    const encoded = encodeURIComponent(title.replaceAll(" ", "_"));
    const name = encoded.replaceAll("%3A", ":").replaceAll("%2F", "/");
    const { api, article } = this.settings;
    const address = article.replace("$1", name);
    // A URL that begins with two slashes would lead to another server.
    const isLocal = !address.startsWith("//");
    return isLocal ? address : `${api.replace(/api\.php$/, "index.php")}?title=${name}`;
  }

  /** Say that there is no answer. */
  tell(error) {
    this.places.status.replaceChildren(el("span", {}, `No answer: ${error.message}`));
    this.places.status.classList.add("failed");
  }

  /** Copy a text to the clipboard. */
  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.places.copied.textContent = "Copied.";
    } catch {
      this.places.copied.textContent = "The browser does not allow copying: select the text and copy it.";
    }
    setTimeout(() => this.places.copied.replaceChildren(), 4000);
  }
}
