/** The API: sending requests, and the descriptions of its modules. */

const MAX_MODULES = 50;
const FORM = { format: "json", formatversion: "2" };

/** A client of the API. */
export class Api {
  constructor(address) {
    this.address = address;
  }

  /** The full URL of the API, for use outside the browser. */
  get url() {
    return new URL(this.address, location.href).href;
  }

  /** Return the decoded answer to a request that the explorer itself needs. */
  async ask(parameters) {
    const reply = await fetch(`${this.address}?${new URLSearchParams({ ...parameters, ...FORM })}`);
    const answer = await reply.json();
    if (answer.error) throw new Error(answer.error.info);
    return answer;
  }

  /** Send the user's request, and return the reply. */
  send(method, parameters) {
    const fields = new URLSearchParams(parameters);
    return method === "POST"
      ? exchange(this.address, { method, body: fields })
      : exchange(`${this.address}?${fields}`);
  }

  /** Return a token of a type. */
  async token(type) {
    const answer = await this.ask({ action: "query", meta: "tokens", type });
    return answer.query.tokens[`${type}token`];
  }
}

/** Send a request; return the reply's status, type, error, text, size (bytes) and time (ms). */
export async function exchange(address, options) {
  const started = performance.now();
  const reply = await fetch(address, { cache: "no-store", ...options });
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

/** A cache of the descriptions of modules. */
export class Modules {
  #api;
  #known = new Map();

  constructor(api) {
    this.#api = api;
  }

  /** Fetch the descriptions that are not cached yet. */
  async load(paths) {
    const missing = paths.filter((path) => !this.#known.has(path));
    for (let start = 0; start < missing.length; start += MAX_MODULES) {
      const modules = missing.slice(start, start + MAX_MODULES).join("|");
      const answer = await this.#api.ask({ action: "paraminfo", modules, helpformat: "html" });
      for (const module of answer.paraminfo.modules ?? []) this.#known.set(module.path, module);
    }
  }

  /** Return the description of a loaded module; undefined if there is none. */
  get(path) {
    return this.#known.get(path);
  }
}
