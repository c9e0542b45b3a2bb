/** Elements, made so that no text is ever taken for markup. */

const KEPT = new Set(["B", "CODE", "DD", "DL", "DT", "EM", "I", "KBD", "P", "STRONG"]);

/** An element; attributes that are false or missing are left out, those that begin with "on" listen. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

/** A help text of the API: a few elements without attributes, the rest as text. */
export function markup(text) {
  const source = new DOMParser().parseFromString(text, "text/html").body;
  const made = document.createDocumentFragment();
  copy(source, made);
  return made;
}

function copy(from, to) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
    else if (node.nodeType === Node.ELEMENT_NODE) {
      const target = KEPT.has(node.tagName) ? document.createElement(node.tagName) : to;
      copy(node, target);
      if (target !== to) to.append(target);
    }
  }
}

/** Give a parent these children, without touching those that are already in place. */
export function arrange(parent, wanted) {
  const focused = document.activeElement?.id;
  const keep = new Set(wanted);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
  wanted.forEach((node, place) => {
    if (parent.children[place] !== node) parent.insertBefore(node, parent.children[place] ?? null);
  });
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}
