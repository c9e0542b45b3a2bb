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

  const switching = (boxes, tab, part, current) => {
    for (const box of document.querySelectorAll(boxes)) {
      const tabs = [...box.querySelectorAll(`:scope > ${tab}`)];
      const parts = [...box.querySelectorAll(`:scope > ${part}`)];
      if (!tabs.length) continue;
      box.classList.add("pi-live");
      tabs.forEach((one, place) => pressable(one, () => {
        [tabs, parts].forEach((list) => list.forEach((each, index) => each.classList.toggle(current, index === place)));
      }));
    }
  };

  switching(".wds-tabber", ".wds-tabs__wrapper .wds-tabs__tab", ".wds-tab__content", "wds-is-current");
  switching(".pi-panel", ".pi-panel-scroll-wrapper .pi-section-tab", ".pi-section-contents > .pi-section-content", "pi-section-active");
})();
