// Applies the theme and the width that the reader has chosen, before anything is drawn.
"use strict";

const look = (() => {
  const root = document.documentElement;
  const scheme = /\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/g;
  const written = new WeakMap();
  const key = (name) => `wikiapi-${name}`;
  const get = (name) => {
    try { return localStorage.getItem(key(name)) || ""; } catch { return ""; }
  };

  // Conditions on the colour scheme of the system become conditions that are always or never true.
  const choose = (rules, theme) => {
    for (const rule of rules) {
      if (rule.media) {
        const text = written.get(rule) ?? rule.media.mediaText;
        if (text.includes("prefers-color-scheme")) {
          written.set(rule, text);
          const chosen = theme ? text.replace(scheme, (_, name) => name === theme ? "(min-width: 0px)" : "(max-width: 0px)") : text;
          if (rule.media.mediaText !== chosen) rule.media.mediaText = chosen;
        }
      }
      if (rule.cssRules) choose(rule.cssRules, theme);
    }
  };
  const apply = () => {
    const theme = get("theme");
    root.style.colorScheme = theme;
    root.classList.toggle("wide-text", get("width") === "wide");
    for (const sheet of document.styleSheets) {
      try { choose(sheet.cssRules, theme); } catch { /* a sheet of another site */ }
    }
  };
  const set = (name, value) => {
    try {
      if (value) localStorage.setItem(key(name), value);
      else localStorage.removeItem(key(name));
    } catch { /* storage is disabled */ }
    apply();
  };
  apply();
  document.addEventListener("DOMContentLoaded", apply);
  addEventListener("load", apply);
  addEventListener("storage", apply);
  return { get, set };
})();
