/**
 * The request as code in several languages. Each function takes `{url, method, entries}`, with the
 * entries that `request` in plan.js returns.
 */

import { withoutSecrets } from "explorer/permalink";

const AGENT = "my-tool/1.0 (me@example.org)";

/** The functions by the names of the languages. */
export const LANGUAGES = new Map([
  ["Address", address],
  ["curl", curl],
  ["Python, requests", requests],
  ["Python, mwclient", mwclient],
  ["Python, pywikibot", pywikibot],
  ["JavaScript", javascript],
]);

const token = ({ entries }) => entries.find(([, , param]) => param.tokentype);
const pairs = ({ entries }) => entries.map(([name, value]) => [name, value]);
const tokenQuery = (type) => ({
  action: "query", meta: "tokens", type, format: "json", formatversion: "2",
});

function address(asked) {
  return `${asked.url}?${new URLSearchParams(withoutSecrets(asked.entries))}`;
}

function shell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function curl(asked) {
  const found = token(asked);
  const lines = [];
  const jar = found ? " -b cookies.txt -c cookies.txt" : "";
  if (found) {
    const type = found[2].tokentype;
    const from = shell(`${asked.url}?${new URLSearchParams(tokenQuery(type))}`);
    lines.push(`token=$(curl -s${jar} ${from} | sed 's/.*token":"\\([^"]*\\)".*/\\1/; s/\\\\\\\\/\\\\/g')`);
  }
  const parts = [`curl -s${asked.method === "GET" ? "G" : ""}${jar} ${shell(asked.url)}`];
  for (const [name, value, param] of asked.entries)
    parts.push(
      param.tokentype ? `--data-urlencode "${name}=$token"` : `--data-urlencode ${shell(`${name}=${value}`)}`,
    );
  lines.push(parts.join(" \\\n  "));
  return lines.join("\n");
}

/** Return a string literal that is valid in Python and JavaScript. */
function quoted(text) {
  return JSON.stringify(text);
}

function dictionary(entries, tokenCode, indent) {
  const lines = entries.map(
    ([name, value, param]) =>
      `${indent}    ${quoted(name)}: ${param?.tokentype ? tokenCode : quoted(value)},\n`,
  );
  return `{\n${lines.join("")}${indent}}`;
}

function requests(asked) {
  const found = token(asked);
  const lines = ["import requests", "", `API = ${quoted(asked.url)}`, "session = requests.Session()"];
  lines.push(`session.headers["User-Agent"] = ${quoted(AGENT)}`);
  if (found) {
    const type = found[2].tokentype;
    const query = dictionary(Object.entries(tokenQuery(type)), "", "");
    lines.push(`tokens = session.get(API, params=${query}, timeout=30).json()["query"]["tokens"]`);
  }
  const code = found ? `tokens["${found[2].tokentype}token"]` : "";
  const where = asked.method === "GET" ? "params" : "data";
  const sent = dictionary(asked.entries, code, "");
  lines.push(`answer = session.${asked.method.toLowerCase()}(API, ${where}=${sent}, timeout=30)`);
  return [...lines, "print(answer.text)", ""].join("\n");
}

function others(asked, names) {
  return asked.entries.filter(([name]) => !names.has(name));
}

function mwclient(asked) {
  const url = new URL(asked.url);
  const folder = url.pathname.slice(0, url.pathname.lastIndexOf("/") + 1);
  const action = pairs(asked).find(([name]) => name === "action")?.[1] ?? "help";
  const code = `site.get_token(${quoted(token(asked)?.[2].tokentype ?? "")})`;
  const sent = dictionary(others(asked, new Set(["action", "format"])), code, "");
  return [
    "import json",
    "",
    "import mwclient",
    "",
    `site = mwclient.Site(`,
    `    ${quoted(url.host)}, path=${quoted(folder)}, scheme=${quoted(url.protocol.slice(0, -1))},`,
    `    clients_useragent=${quoted(AGENT)},`,
    ")",
    `answer = site.api(${quoted(action)}, http_method=${quoted(asked.method)}, **${sent})`,
    "print(json.dumps(answer))",
    "",
  ].join("\n");
}

function pywikibot(asked) {
  const code = `site.tokens[${quoted(token(asked)?.[2].tokentype ?? "")}]`;
  const sent = dictionary(others(asked, new Set(["format"])), code, "");
  const post = asked.method === "POST" ? "True" : "False";
  return [
    "import json",
    "import os",
    "",
    'os.environ.setdefault("PYWIKIBOT_NO_USER_CONFIG", "2")',
    "",
    "import pywikibot",
    "from pywikibot.data.api import Request",
    "",
    `site = pywikibot.Site(url=${quoted(asked.url)})`,
    `parameters = ${sent}`,
    `answer = Request(site=site, use_get=${post === "True" ? "False" : "True"}, parameters=parameters).submit()`,
    "print(json.dumps(answer))",
    "",
  ].join("\n");
}

function javascript(asked) {
  const found = token(asked);
  const lines = [`const api = ${quoted(asked.url)};`];
  if (found) {
    const query = dictionary(Object.entries(tokenQuery(found[2].tokentype)), "", "");
    lines.push(`const asked = await fetch(\`\${api}?\${new URLSearchParams(${query})}\`);`);
    lines.push(`const { tokens } = (await asked.json()).query;`);
  }
  const code = found ? `tokens.${found[2].tokentype}token` : "";
  lines.push(`const parameters = new URLSearchParams(${dictionary(asked.entries, code, "")});`);
  lines.push(
    asked.method === "GET"
      ? "const reply = await fetch(`${api}?${parameters}`);"
      : 'const reply = await fetch(api, { method: "POST", body: parameters });',
  );
  return [...lines, "console.log(await reply.text());", ""].join("\n");
}
