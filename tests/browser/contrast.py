"""Texts that are hard to read: their contrast as WCAG 2 computes it, on the styles of a page."""

from __future__ import annotations

from tests.browser.chromium import Browser

_SCRIPT = """
const channel = c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
const luminance = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
const parse = text => text.match(/[\\d.]+/g).map(Number);
const over = ([r, g, b, a = 1], ground) => [r, g, b].map((c, n) => c * a + ground[n] * (1 - a));
const ground = element => {
  const layers = [];
  for (let e = element; e; e = e.parentElement) {
    const colour = parse(getComputedStyle(e).backgroundColor);
    layers.unshift(colour);
    if (colour.length < 4 || colour[3] === 1) break;
  }
  return layers.reduce((below, layer) => over(layer, below), [255, 255, 255]);
};
const faint = [];
for (const e of document.querySelectorAll("body, body *")) {
  const own = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
  const typed = e.matches("input:not([type=hidden], [type=checkbox], [type=radio]), textarea");
  const box = e.getBoundingClientRect();
  if (!(own || typed) || !e.checkVisibility() || box.width * box.height < 4) continue;
  const style = getComputedStyle(e);
  const behind = ground(e);
  const front = [style.color];
  if (typed && e.placeholder) front.push(getComputedStyle(e, "::placeholder").color);
  const size = parseFloat(style.fontSize);
  const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
  for (const colour of front) {
    const [one, other] = [luminance(over(parse(colour), behind)), luminance(behind)];
    const ratio = (Math.max(one, other) + .05) / (Math.min(one, other) + .05);
    if (ratio < (isLarge ? 3 : 4.5)) faint.push(`${ratio.toFixed(2)} ${e.outerHTML.slice(0, 120)}`);
  }
}
return faint;
"""


def faint_texts(browser: Browser) -> list[str]:
    """Return the texts of the page that miss level AA, each with its contrast and element.

    Large letters need 3, others 4.5. Grounds that let others show through are taken together.
    """
    return list(browser.script(_SCRIPT))
