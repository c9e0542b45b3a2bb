// Makes reading more comfortable. All pages work without it.
"use strict";

const delayed = (work, milliseconds) => {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), milliseconds);
  };
};

const make = (name, attributes = {}, text = "") => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
};

// Suggestions below the search box: a combobox with a listbox, as specified by ARIA.
const suggest = (form) => {
  const input = form.querySelector("input[type=search]");
  const list = make("ul", { class: "suggestions", role: "listbox", id: "suggestions", hidden: "" });
  const attributes = { role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" };
  for (const [key, value] of Object.entries(attributes)) input.setAttribute(key, value);
  form.append(list);
  let chosen = -1;
  let asked = 0;

  const show = (open) => {
    list.hidden = !open;
    input.setAttribute("aria-expanded", String(open));
    if (!open) choose(-1);
  };
  const choose = (index) => {
    const items = [...list.children];
    chosen = index;
    items.forEach((item, place) => item.setAttribute("aria-selected", String(place === index)));
    if (items[index]) input.setAttribute("aria-activedescendant", items[index].id);
    else input.removeAttribute("aria-activedescendant");
  };
  const fill = (found) => {
    list.replaceChildren(...found.map(({ title, redirect }, place) => {
      const item = make("li", { role: "option", id: `suggestion-${place}`, "aria-selected": "false" }, title);
      if (redirect) item.append(" ", make("span", { class: "quiet" }, `(${redirect})`));
      item.dataset.title = redirect || title;
      item.addEventListener("mousedown", (event) => { event.preventDefault(); go(item.dataset.title); });
      return item;
    }));
    show(found.length > 0);
  };
  const go = (title) => {
    input.value = title;
    show(false);
    form.requestSubmit();
  };
  const ask = delayed(async () => {
    const text = input.value.trim();
    const number = ++asked;
    if (!text) return show(false);
    const address = new URL(form.dataset.suggest, location.href);
    address.searchParams.set("suggest", text);
    try {
      const found = await (await fetch(address)).json();
      if (number === asked && document.activeElement === input) fill(found);
    } catch {
      show(false);
    }
  }, 120);

  input.addEventListener("input", ask);
  input.addEventListener("blur", () => show(false));
  input.addEventListener("keydown", (event) => {
    const count = list.children.length;
    if (event.key === "Escape" && !list.hidden) { event.preventDefault(); show(false); }
    else if (list.hidden || !count) return;
    else if (event.key === "ArrowDown") { event.preventDefault(); choose((chosen + 1) % count); }
    else if (event.key === "ArrowUp") { event.preventDefault(); choose((chosen - 1 + count) % count); }
    else if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); go(list.children[chosen].dataset.title); }
  });
};

// The table of contents: closed on narrow screens; beside the text, it highlights the current section.
const contents = (toc) => {
  if (matchMedia("(max-width: 63.99rem)").matches) toc.querySelector("details").open = false;
  const links = new Map([...toc.querySelectorAll("a")].map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const headings = [...document.querySelectorAll(".mw-heading > [id], .mw-headline")].filter((heading) => links.has(heading.id));
  let current = null;
  const mark = () => {
    const above = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const link = above.length ? links.get(above[above.length - 1].id) : null;
    if (link === current) return;
    current?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "true");
    current = link;
  };
  addEventListener("scroll", delayed(mark, 60), { passive: true });
  mark();
};

// Collapsible parts of a page.
const collapsible = (element) => {
  const rows = element.tagName === "TABLE" ? [...element.rows].slice(1) : null;
  const body = element.querySelector(":scope > .mw-collapsible-content");
  const parts = rows || (body ? [body] : [...element.children]);
  const place = rows ? element.caption || element.rows[0]?.cells[element.rows[0].cells.length - 1] : element;
  if (!place || !parts.length) return;
  const words = { true: element.dataset.collapsetext || "▴", false: element.dataset.expandtext || "▾" };
  const toggle = make("button", { type: "button", class: "mw-collapsible-toggle" });
  const show = (open) => {
    for (const part of parts) if (part !== toggle) part.hidden = !open;
    toggle.textContent = words[open];
    toggle.setAttribute("aria-expanded", String(open));
    toggle.setAttribute("aria-label", document.documentElement.dataset.fold || words[open]);
  };
  toggle.addEventListener("click", () => show(toggle.getAttribute("aria-expanded") === "false"));
  place.prepend(toggle);
  show(!element.classList.contains("mw-collapsed"));
};

// Tables that can be sorted by a column.
const key = (row, column) => (row.cells[column]?.dataset.sortValue ?? row.cells[column]?.textContent ?? "").trim();
const compare = (one, other) => {
  const [a, b] = [one, other].map((text) => Number(text.replace(/[\s,%]/g, "")));
  return one && other && !Number.isNaN(a) && !Number.isNaN(b) ? a - b : one.localeCompare(other, document.documentElement.lang, { numeric: true });
};
const sortable = (table) => {
  const head = table.rows[0];
  const body = [...table.rows].slice(1);
  const regular = [...table.rows].every((row) => [...row.cells].every((cell) => cell.rowSpan === 1 && cell.colSpan === 1));
  if (!head || !body.length || !regular || [...head.cells].some((cell) => cell.tagName !== "TH")) return;
  [...head.cells].forEach((cell, column) => {
    if (cell.classList.contains("unsortable") || cell.querySelector("a, button")) return;
    const button = make("button", { type: "button", class: "sort" });
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => {
      const down = cell.getAttribute("aria-sort") === "ascending";
      for (const other of head.cells) other.removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      const moving = body.filter((row) => !row.classList.contains("sortbottom"));
      const last = body.filter((row) => row.classList.contains("sortbottom"));
      moving.sort((one, other) => compare(key(one, column), key(other, column)) * (down ? -1 : 1));
      head.after(...moving, ...last);
    });
  });
};

// Tables that are wider than the page can be scrolled separately, also with the keyboard.
const framed = (box) => {
  const frame = make("div", { class: "scroll-frame" });
  box.replaceWith(frame);
  frame.append(box);
  const mark = () => {
    const [least, most] = [Math.min(0, box.scrollLeft), Math.max(0, box.scrollLeft)];
    const room = box.scrollWidth - box.clientWidth;
    const rtl = getComputedStyle(box).direction === "rtl";
    frame.classList.toggle("more-left", rtl ? room + least > 1 : most > 1);
    frame.classList.toggle("more-right", rtl ? least < -1 : room - most > 1);
  };
  box.addEventListener("scroll", mark, { passive: true });
  new ResizeObserver(mark).observe(box);
};
let framedTables = 0;
const scrollable = (table) => {
  if (table.scrollWidth <= table.clientWidth + 1 && table.offsetWidth <= table.parentElement.clientWidth + 1) return;
  framedTables += 1;
  const label = `${(table.caption || document.querySelector("h1")).textContent.trim()} (${framedTables})`;
  const box = make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label });
  table.replaceWith(box);
  box.append(table);
  framed(box);
};

// The choice of a theme and of the width of texts; look.js applies it.
const chooser = (box) => {
  const [theme, width] = [box.querySelector("select"), box.querySelector("input")];
  theme.value = look.get("theme");
  width.checked = look.get("width") === "wide";
  theme.addEventListener("change", () => look.set("theme", theme.value));
  width.addEventListener("change", () => look.set("width", width.checked ? width.value : ""));
  box.hidden = false;
};

// The beginning of a page, while the pointer or the focus is on a link to it.
const previews = (area) => {
  const box = make("div", { class: "link-preview", role: "tooltip", id: "link-preview", hidden: "" });
  const answers = new Map();
  let link = null;
  let timer;
  let hiding;
  document.body.append(box);

  const address = (candidate) => {
    const url = new URL(candidate.href, location.href);
    const isPage = url.origin === location.origin && [...url.searchParams.keys()].every((name) => name === "title");
    const isHere = url.pathname + url.search === location.pathname + location.search;
    if (!isPage || isHere || candidate.matches(".new, .external, .mw-file-description") || candidate.querySelector("img")) return null;
    url.hash = "";
    url.searchParams.set("action", "preview");
    return url.href;
  };
  const ask = async (url) => {
    const reply = await fetch(url);
    const isPreview = reply.ok && (reply.headers.get("content-type") || "").startsWith("application/json");
    return isPreview ? reply.json() : null;
  };
  const hide = () => {
    clearTimeout(timer);
    clearTimeout(hiding);
    link?.removeAttribute("aria-describedby");
    if (link?.dataset.title) link.title = link.dataset.title;
    link = null;
    box.hidden = true;
  };
  const show = (page) => {
    if (link.title) link.dataset.title = link.title;
    link.removeAttribute("title");
    box.replaceChildren();
    if (page.picture) box.append(make("img", { src: page.picture, alt: "" }));
    box.append(make("strong", {}, page.title), make("span", {}, page.text));
    box.lang = page.lang;
    box.dir = page.dir;
    box.hidden = false;
    link.setAttribute("aria-describedby", box.id);
    const line = link.getClientRects()[0];
    const left = Math.min(line.left, document.documentElement.clientWidth - box.offsetWidth - 12);
    const isBelow = line.bottom + box.offsetHeight + 16 < innerHeight || line.top < box.offsetHeight + 16;
    box.style.left = `${Math.max(12, left) + scrollX}px`;
    box.style.top = `${(isBelow ? line.bottom + 6 : line.top - box.offsetHeight - 6) + scrollY}px`;
  };
  const begin = (candidate, delay) => {
    const url = candidate && address(candidate);
    if (candidate === link) return clearTimeout(hiding);
    hide();
    if (!url) return;
    link = candidate;
    timer = setTimeout(async () => {
      if (!answers.has(url)) answers.set(url, ask(url).catch(() => null));
      const page = await answers.get(url);
      if (page?.text && link === candidate) show(page);
    }, delay);
  };
  const leave = (event) => {
    // The pointer may go on to the preview.
    if (link && !link.contains(event.relatedTarget)) hiding = setTimeout(hide, event.type === "focusout" ? 0 : 200);
  };
  area.addEventListener("pointerover", (event) => {
    const candidate = event.target.closest("a[href]");
    if (candidate && event.pointerType !== "touch") begin(candidate, 350);
  });
  area.addEventListener("pointerout", leave);
  box.addEventListener("pointerenter", () => clearTimeout(hiding));
  box.addEventListener("pointerleave", hide);
  area.addEventListener("focusin", (event) => {
    const candidate = event.target.closest("a[href]");
    if (candidate?.matches(":focus-visible")) begin(candidate, 500);
  });
  area.addEventListener("focusout", leave);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
};

for (const form of document.querySelectorAll("form[data-suggest]")) suggest(form);
for (const box of document.querySelectorAll(".look")) chooser(box);
for (const area of document.querySelectorAll(".reading")) previews(area);
for (const toc of document.querySelectorAll(".toc")) contents(toc);
for (const table of document.querySelectorAll("table.sortable")) sortable(table);
for (const element of document.querySelectorAll(".mw-collapsible")) collapsible(element);
for (const table of document.querySelectorAll(".mw-parser-output table")) if (!table.parentElement.closest("table")) scrollable(table);
for (const box of document.querySelectorAll(".wide")) framed(box);
for (const input of document.querySelectorAll(".mw-parser-output input:not([type=hidden], [type=submit], [type=checkbox], [type=radio])")) {
  const button = input.form?.querySelector("input[type=submit], button");
  if (!input.labels?.length && !input.ariaLabel) input.ariaLabel = button?.value || button?.textContent.trim() || input.name;
}
for (const box of document.querySelectorAll(".mw-parser-output, .mw-parser-output pre")) {
  if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
}
