/** A request to the REST API as code. Each function takes what the page asks (see rest.js). */

const AGENT = "my-tool/1.0 (me@example.org)";

/** The functions by the names of the languages. */
export const LANGUAGES = new Map([
  ["curl", curl],
  ["Python, requests", requests],
  ["JavaScript", javascript],
]);

/** Return the address that a request is sent to. */
export function addressOf({ url, path, query }) {
  const text = new URLSearchParams(query).toString();
  return url + path + (text && `?${text}`);
}

function shell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function curl(asked) {
  const parts = [asked.method === "GET" ? "curl -s" : `curl -s -X ${asked.method}`];
  if (asked.body) {
    parts.push(`-H ${shell("Content-Type: application/json")}`);
    parts.push(`-d ${shell(JSON.stringify(asked.body))}`);
  }
  parts.push(shell(addressOf(asked)));
  return parts.join(" \\\n  ");
}

function requests(asked) {
  const address = JSON.stringify(addressOf(asked));
  const body = asked.body ? `, json=${python(asked.body)}` : "";
  return [
    "import requests",
    "",
    "session = requests.Session()",
    `session.headers["User-Agent"] = ${JSON.stringify(AGENT)}`,
    `answer = session.${asked.method.toLowerCase()}(${address}${body}, timeout=30)`,
    "print(answer.text)",
    "",
  ].join("\n");
}

/** Return a value of JSON as a literal of Python. */
function python(value) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const items = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${python(item)}`);
  return `{${items.join(", ")}}`;
}

function javascript(asked) {
  const address = JSON.stringify(addressOf(asked));
  if (!asked.body && asked.method === "GET")
    return `const reply = await fetch(${address});\nconsole.log(await reply.text());\n`;
  const lines = [`const reply = await fetch(${address}, {`, `  method: ${JSON.stringify(asked.method)},`];
  if (asked.body) {
    lines.push('  headers: { "Content-Type": "application/json" },');
    lines.push(`  body: JSON.stringify(${JSON.stringify(asked.body)}),`);
  }
  return [...lines, "});", "console.log(await reply.text());", ""].join("\n");
}
