/** The request in the address of the page, without what nobody else should see. */

/** The values that an address holds, by parameter. */
export function fromHash(hash) {
  return new Map(new URLSearchParams(hash.replace(/^#/, "")));
}

/** The names and values of those entries that anybody may see. */
export function withoutSecrets(entries) {
  const open = entries.filter(([, , param]) => !param.sensitive && param.type !== "password");
  return open.map(([name, value]) => [name, value]);
}

/** The part of an address that stands for the entries of a request. */
export function toHash(entries) {
  return `#${new URLSearchParams(withoutSecrets(entries))}`;
}
