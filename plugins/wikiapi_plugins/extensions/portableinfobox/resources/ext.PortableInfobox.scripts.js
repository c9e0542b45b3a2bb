// Collapses groups, and switches between the panels and images of a box.
(() => {
  "use strict";

  const pressable = (element, act) => {
    element.tabIndex = 0;
    element.setAttribute("role", "button");
    element.addEventListener("click", act);
    element.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); }
    });
  };

  for (const group of document.querySelectorAll(".pi-collapse")) {
    const header = group.querySelector(":scope > .pi-header");
    if (!header) continue;
    const show = () => header.setAttribute("aria-expanded", String(!group.classList.contains("pi-collapse-closed")));
    group.classList.add("pi-live");
    pressable(header, () => { group.classList.toggle("pi-collapse-closed"); show(); });
    show();
  }

  for (const box of document.querySelectorAll(".wds-tabber")) {
    const tabs = [...box.querySelectorAll(":scope > .wds-tabs__wrapper .wds-tabs__tab")];
    const parts = [...box.querySelectorAll(":scope > .wds-tab__content")];
    if (!tabs.length) continue;
    box.classList.add("pi-live");
    tabs.forEach((tab, place) => pressable(tab, () => {
      [tabs, parts].forEach((list) => list.forEach((one, index) => one.classList.toggle("wds-is-current", index === place)));
    }));
  }
})();
