/** The API: requests, and what its modules say about themselves. */

const MOST_MODULES = 50;
const FORM = { format: "json", formatversion: "2" };

/** Where the API is and how to ask it. */
export class Api {
  constructor(address) {
    this.address = address;
  }

  /** The full address, for use outside the browser. */
  get url() {
    return new URL(this.address, location.href).href;
  }

  /** The decoded answer to a question of the explorer's own. */
  async ask(parameters) {
    const reply = await fetch(`${this.address}?${new URLSearchParams({ ...parameters, ...FORM })}`);
    const answer = await reply.json();
    if (answer.error) throw new Error(answer.error.info);
    return answer;
  }

  /** Send a request as it is; gives status, text, milliseconds and bytes. */
  async send(method, parameters) {
    const fields = new URLSearchParams(parameters);
    const started = performance.now();
    const reply = await (method === "POST"
      ? fetch(this.address, { method, body: fields })
      : fetch(`${this.address}?${fields}`, { cache: "no-store" }));
    const body = await reply.arrayBuffer();
    return {
      status: reply.status,
      type: reply.headers.get("Content-Type") ?? "",
      error: reply.headers.get("MediaWiki-API-Error"),
      text: new TextDecoder().decode(body),
      size: body.byteLength,
      time: performance.now() - started,
    };
  }

  /** A token of a type. */
  async token(type) {
    const answer = await this.ask({ action: "query", meta: "tokens", type });
    return answer.query.tokens[`${type}token`];
  }
}

/** Descriptions of modules by path, fetched when they are first needed. */
export class Modules {
  #api;
  #known = new Map();

  constructor(api) {
    this.#api = api;
  }

  /** Fetch those that are not known yet. */
  async load(paths) {
    const missing = paths.filter((path) => !this.#known.has(path));
    for (let start = 0; start < missing.length; start += MOST_MODULES) {
      const modules = missing.slice(start, start + MOST_MODULES).join("|");
      const answer = await this.#api.ask({ action: "paraminfo", modules, helpformat: "html" });
      for (const module of answer.paraminfo.modules ?? []) this.#known.set(module.path, module);
    }
  }

  /** The description of a module that was loaded; undefined when there is none. */
  get(path) {
    return this.#known.get(path);
  }
}
