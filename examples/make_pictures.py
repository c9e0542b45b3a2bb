"""Generate the pictures of the demo wiki: ``python examples/make_pictures.py``."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

FILES = Path(__file__).parent / "demo" / "files"
INK, PAPER, ACCENT = (32, 33, 34), (248, 249, 250), (51, 102, 204)

DIAGRAM = """<svg xmlns="http://www.w3.org/2000/svg" width="640" height="120" viewBox="0 0 640 120">
  <title>How a request flows through wikiapi</title>
  <g fill="#f8f9fa" stroke="#3366cc" stroke-width="2">
    {boxes}
  </g>
  <g fill="#202122" font-family="sans-serif" font-size="14" text-anchor="middle">
    {labels}
  </g>
</svg>
"""
STAGES = ("request", "page set", "modules", "result", "format")


def draw_logo(size: int) -> Image.Image:
    """Return the logo: two pairs of braces around a dot."""
    picture = Image.new("RGBA", (size, size), (*PAPER, 0))
    draw = ImageDraw.Draw(picture)
    unit = size // 16
    draw.rounded_rectangle((0, 0, size - 1, size - 1), radius=3 * unit, fill=ACCENT)
    for left in (3, 5):
        draw.arc(
            (left * unit, 4 * unit, (left + 3) * unit, 12 * unit), 90, 270, PAPER, width=unit // 2
        )
        right = 16 - left - 3
        draw.arc(
            (right * unit, 4 * unit, (right + 3) * unit, 12 * unit), 270, 90, PAPER, width=unit // 2
        )
    draw.ellipse((7 * unit, 7 * unit, 9 * unit, 9 * unit), fill=PAPER)
    return picture


def draw_landscape(width: int, height: int) -> Image.Image:
    """Return a landscape with smooth colours, which compresses well as JPEG."""
    picture = Image.new("RGB", (width, height))
    draw = ImageDraw.Draw(picture)
    for y in range(height):
        share = y / height
        draw.line((0, y, width, y), fill=(int(90 + 140 * share), int(150 + 70 * share), 235))
    draw.ellipse((width * 0.7, height * 0.15, width * 0.7 + 60, height * 0.15 + 60), fill=PAPER)
    draw.ellipse((-width * 0.3, height * 0.6, width * 0.7, height * 1.6), fill=(84, 140, 76))
    draw.ellipse((width * 0.3, height * 0.7, width * 1.4, height * 1.8), fill=(62, 112, 66))
    return picture


def diagram() -> str:
    """Return a diagram with the stages of a request."""
    lefts = [10 + 126 * n for n in range(len(STAGES))]
    boxes = (f'<rect x="{x}" y="40" width="110" height="40" rx="6"/>' for x in lefts)
    labels = (
        f'<text x="{x + 55}" y="65">{stage}</text>' for x, stage in zip(lefts, STAGES, strict=True)
    )
    return DIAGRAM.format(boxes="\n    ".join(boxes), labels="\n    ".join(labels))


def main() -> None:
    """Generate all pictures."""
    FILES.mkdir(parents=True, exist_ok=True)
    draw_logo(256).save(FILES / "Wikiapi_logo.png", optimize=True)
    draw_logo(32).save(FILES / "Wikiapi_icon.png", optimize=True)
    draw_landscape(640, 400).save(FILES / "Landscape.jpg", quality=70)
    (FILES / "Request_flow.svg").write_text(diagram(), encoding="utf-8")


if __name__ == "__main__":
    main()
