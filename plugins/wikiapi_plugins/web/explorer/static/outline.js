/** Navigation in a long form: a button for each section, and a search for parameters. */

import { el } from "explorer/dom";

/** Return buttons that scroll to the sections of a form. */
export function outline(form) {
  return [...form.querySelectorAll(".module")].map((section) => {
    const go = () => {
      const details = section.querySelector(":scope > details");
      if (details) details.open = true;
      section.scrollIntoView({ block: "start" });
      section.querySelector("input, select, textarea")?.focus({ preventScroll: true });
    };
    const text = section.querySelector("h3").textContent;
    return el("button", { type: "button", class: "small", onclick: go }, text);
  });
}

/** Show only the rows whose name or help contains a text; all rows if it is empty. */
export function search(form, text) {
  const wanted = text.trim().toLowerCase();
  for (const section of form.querySelectorAll(".module")) {
    let found = 0;
    for (const row of section.querySelectorAll(".row")) {
      row.hidden = Boolean(wanted) && !row.textContent.toLowerCase().includes(wanted);
      if (!row.hidden) found += 1;
    }
    section.classList.toggle("without", Boolean(wanted) && !found);
    if (wanted && found) for (const fold of section.querySelectorAll("details")) fold.open = true;
  }
}
