// Searches the index. Its files are loaded as scripts because pages opened from disk cannot fetch
// other files.
"use strict";
(() => {
  const SHOWN = 50;
  const WORD = /[\p{L}\p{N}]+/gu;
  const DENSE = /[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+|[^\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+/g;
  const IS_DENSE = /^[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/;
  const index = window.wikiIndex;
  const loaded = { t: new Map(), p: new Map() };
  const waiting = new Map();

  window.wikiPart = (name, data) => { waiting.get(name)?.(data); };

  const load = (kind, number) => {
    const known = loaded[kind].get(number);
    if (known) return known;
    const name = `${kind}${number}`;
    const part = new Promise((resolve) => {
      waiting.set(name, resolve);
      const script = document.createElement("script");
      script.src = `search/${name}.js`;
      script.onerror = () => resolve([]);
      document.head.append(script);
    });
    loaded[kind].set(number, part);
    return part;
  };

  // Returns the terms of a text, as the export does: words and, in scripts without spaces, pairs of
  // characters.
  const terms = (text) => {
    const found = [];
    for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(WORD)) {
      for (const [run] of word.matchAll(DENSE)) {
        const letters = [...run];
        if (!IS_DENSE.test(run) || letters.length === 1) found.push(letters.slice(0, 40).join(""));
        else for (let at = 0; at + 1 < letters.length; at++) found.push(letters[at] + letters[at + 1]);
      }
    }
    return [...new Set(found)];
  };

  // Returns the position of the last value that is not greater, in a sorted array.
  const place = (values, value) => {
    let low = 0;
    let high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] <= value) low = middle + 1; else high = middle;
    }
    return Math.max(low - 1, 0);
  };

  // Returns the weights of a term by page; a prefix also matches the terms that begin with it.
  const pagesOf = async (term, isPrefix) => {
    const first = place(index.terms, term);
    const last = isPrefix ? Math.min(place(index.terms, `${term}\uffff`), first + 3) : first;
    const found = new Map();
    for (let number = first; number <= last; number++) {
      for (const [known, postings] of await load("t", number)) {
        const share = known === term ? 1 : isPrefix && known.startsWith(term) ? 0.4 : 0;
        for (let at = 0; share && at < postings.length; at += 2) {
          const weight = share * postings[at + 1];
          if (weight > (found.get(postings[at]) ?? 0)) found.set(postings[at], weight);
        }
      }
    }
    return found;
  };

  const ranked = async (words) => {
    let scores = null;
    for (const [number, term] of words.entries()) {
      const found = await pagesOf(term, number === words.length - 1 && term.length > 1);
      const rarity = Math.log(1 + index.count / (1 + found.size));
      const next = new Map();
      for (const [page, weight] of found) {
        if (scores === null || scores.has(page)) next.set(page, (scores?.get(page) ?? 0) + rarity * weight);
      }
      scores = next;
    }
    return [...(scores ?? [])].sort((one, other) => other[1] - one[1] || one[0] - other[0]);
  };

  // Returns a title, set apart from text around it in another direction.
  const isolated = (title) => {
    const element = document.createElement("bdi");
    element.textContent = title;
    return element;
  };

  const summary = document.getElementById("summary");
  const list = document.getElementById("results");
  const input = document.getElementById("find");
  let asked = 0;

  const show = async () => {
    const number = ++asked;
    const words = terms(input.value);
    const found = words.length ? await ranked(words) : [];
    const items = [];
    for (const [page] of found.slice(0, SHOWN)) {
      const part = await load("p", place(index.pages, page));
      const row = part.find(([id]) => id === page);
      if (row) items.push(row);
    }
    if (number !== asked) return;
    summary.textContent = !words.length ? "" : found.length ? summary.dataset.found.replace("$1", found.length.toLocaleString(document.documentElement.lang)) : summary.dataset.nothing;
    list.replaceChildren(...items.map(([, title, file, start]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = file;
      link.append(isolated(title));
      const text = document.createElement("p");
      text.dir = "auto";
      text.textContent = start;
      item.append(link, text);
      return item;
    }));
  };

  input.value = new URLSearchParams(location.search).get("q") ?? "";
  let timer;
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(show, 150); });
  input.form.addEventListener("submit", (event) => {
    event.preventDefault();
    history.replaceState(null, "", `?q=${encodeURIComponent(input.value)}`);
    show();
  });
  show();
})();
