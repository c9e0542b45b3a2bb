// The tabs of <headertabs />, selected by mouse, by keyboard or by #tab=Name in the address.
(() => {
  "use strict";

  const box = document.getElementById("headertabs");
  if (!box) return;
  const tabs = [...box.querySelectorAll("[role=tab]")];
  const panels = [...box.querySelectorAll("[role=tabpanel]")];

  const open = (index) => {
    tabs.forEach((tab, place) => {
      tab.setAttribute("aria-selected", String(place === index));
      tab.tabIndex = place === index ? 0 : -1;
    });
    panels.forEach((panel, place) => { panel.hidden = place !== index; });
  };
  const named = () => {
    const name = decodeURIComponent(location.hash.replace(/^#(?:tab=)?/, ""));
    const element = document.getElementById(name);
    return panels.findIndex((panel) => panel === element || (element && panel.contains(element)));
  };

  tabs.forEach((tab, place) => {
    tab.setAttribute("aria-controls", panels[place].id);
    tab.addEventListener("click", () => open(place));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (event.key === "Enter" || event.key === " ") open(place);
      if (!step) return;
      const next = (place + step + tabs.length) % tabs.length;
      open(next);
      tabs[next].focus();
    });
  });
  box.querySelector("[role=tablist]").removeAttribute("tabindex");
  box.classList.add("ht-live");
  addEventListener("hashchange", () => { if (named() >= 0) open(named()); });
  open(Math.max(named(), 0));
})();
