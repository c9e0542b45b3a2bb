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

for (const form of document.querySelectorAll("form[data-suggest]")) suggest(form);
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
