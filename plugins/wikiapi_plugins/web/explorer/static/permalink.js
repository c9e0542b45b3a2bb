/** The request in the fragment of the page's URL, without secrets such as passwords. */

/** Return the values in a fragment, by parameter. */
export function fromHash(hash) {
  return new Map(new URLSearchParams(hash.replace(/^#/, "")));
}

/** Return the names and values of the entries that are not secret. */
export function withoutSecrets(entries) {
  const open = entries.filter(([, , param]) => !param.sensitive && param.type !== "password");
  return open.map(([name, value]) => [name, value]);
}

/** Return the fragment for the entries of a request. */
export function toHash(entries) {
  return `#${new URLSearchParams(withoutSecrets(entries))}`;
}
