// Switches tabs by mouse and keyboard, and fetches pages when their tabs are opened.
(() => {
  "use strict";

  const fetched = async (holder) => {
    const title = holder.dataset.mwTabberPage;
    if (!title || typeof mw === "undefined" || !mw.util) return;
    holder.removeAttribute("data-mw-tabber-page");
    const query = new URLSearchParams({ action: "parse", format: "json", formatversion: "2", prop: "text", page: title, disablelimitreport: "1", disableeditsection: "1" });
    const answer = await (await fetch(`${mw.util.wikiScript("api")}?${query}`)).json();
    if (answer.parse) holder.innerHTML = answer.parse.text;
  };

  const start = (tabber) => {
    const tabs = [...tabber.querySelectorAll(":scope > .tabber__header > .tabber__tabs > .tabber__tab")];
    const panels = [...tabber.querySelectorAll(":scope > .tabber__section > .tabber__panel")];
    const open = (index) => {
      tabs.forEach((tab, place) => {
        tab.setAttribute("aria-selected", String(place === index));
        tab.tabIndex = place === index ? 0 : -1;
      });
      panels.forEach((panel, place) => { panel.hidden = place !== index; });
      for (const holder of panels[index].querySelectorAll("[data-mw-tabber-page]")) fetched(holder);
    };
    tabs.forEach((tab, place) => {
      tab.addEventListener("click", (event) => {
        event.preventDefault();
        open(place);
      });
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = (place + step + tabs.length) % tabs.length;
        open(next);
        tabs[next].focus();
      });
    });
    const named = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    const wanted = panels.findIndex((panel) => panel.contains(named));
    tabber.classList.replace("tabber--init", "tabber--live");
    open(Math.max(wanted, 0));
  };

  for (const tabber of document.querySelectorAll(".tabber--init")) start(tabber);
})();
