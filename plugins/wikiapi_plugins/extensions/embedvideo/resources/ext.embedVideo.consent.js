// Loads a video only after a click and the acceptance of a notice about personal data.
(() => {
  "use strict";

  const start = (figure) => {
    const notice = figure.querySelector(".embedvideo-privacyNotice");
    const loader = figure.querySelector(".embedvideo-loader");
    const consent = figure.querySelector(".embedvideo-consent");
    const config = JSON.parse(figure.dataset.mwIframeconfig);
    if (!notice || !loader || !consent || !/^(https:)?\/\//.test(config.src)) return;

    const ask = (asked) => {
      notice.classList.toggle("hidden", !asked);
      loader.classList.toggle("hidden", asked);
      (asked ? notice.querySelector("button") : loader).focus();
    };
    const load = () => {
      const frame = document.createElement("iframe");
      const shown = { class: "embedvideo-player", allowfullscreen: "", referrerpolicy: "strict-origin-when-cross-origin",
        allow: "accelerometer; clipboard-write; encrypted-media; fullscreen; gyroscope; picture-in-picture; autoplay", ...config };
      for (const [name, value] of Object.entries(shown)) frame.setAttribute(name, value);
      frame.title = loader.textContent.trim();
      consent.replaceWith(frame);
    };
    const service = loader.querySelector(".embedvideo-loader__service");
    if (service) {
      const link = document.createElement("a");
      Object.assign(link, { href: config.src.replace(/([?&])autoplay=1&?/, "$1").replace(/[?&]$/, ""), target: "_blank", rel: "nofollow noopener noreferrer" });
      link.append(...service.childNodes);
      link.addEventListener("click", (event) => event.stopPropagation());
      link.addEventListener("keydown", (event) => event.stopPropagation());
      service.append(link);
    }
    loader.tabIndex = 0;
    loader.addEventListener("click", () => ask(true));
    loader.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") ask(true); });
    notice.querySelector(".embedvideo-privacyNotice__continue").addEventListener("click", load);
    notice.querySelector(".embedvideo-privacyNotice__dismiss").addEventListener("click", () => ask(false));
  };

  for (const figure of document.querySelectorAll("figure.embedvideo[data-mw-iframeconfig]")) start(figure);
})();
