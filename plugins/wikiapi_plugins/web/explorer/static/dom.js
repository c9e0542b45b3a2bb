/** Creating elements in such a way that text is never interpreted as markup. */

const KEPT = new Set(["B", "CODE", "DD", "DL", "DT", "EM", "I", "KBD", "P", "STRONG"]);

/**
 * Create an element. Attributes that are false, null or undefined are omitted; those that begin with
 * "on" are event listeners.
 */
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

/** Return a help text of the API, in which only a few elements, without attributes, are kept. */
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

/** Make these nodes the children of a parent, without moving those that are already in place. */
export function arrange(parent, wanted) {
  const focused = document.activeElement?.id;
  const keep = new Set(wanted);
  for (const child of [...parent.children]) if (!keep.has(child)) child.remove();
  wanted.forEach((node, place) => {
    if (parent.children[place] !== node) parent.insertBefore(node, parent.children[place] ?? null);
  });
  if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
}
