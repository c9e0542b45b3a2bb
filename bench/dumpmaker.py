"""A generated dump that resembles a real one: articles with links, categories and a template."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from bench.export import END, header, page

TEMPLATES = 200
CATEGORIES = 1000
EDITORS = 500
SYLLABLES = ("ba", "den", "ful", "ga", "hor", "kel", "lim", "mor", "nat", "pel", "ri", "son", "tur")
NAMESPACES = {0: "", 10: "Template", 14: "Category"}
TEMPLATE = (
    '<includeonly>{| class="infobox"\n! {{{name|{{PAGENAME}}}}}\n|-\n| {{{1|}}}\n|}'
    "[[Category:Group %d]]</includeonly>"
)


class DumpMaker:
    """Writes a dump that depends only on the number of pages."""

    def __init__(self, pages: int) -> None:
        """Initialise with the number of pages, including templates and categories."""
        self._pages = pages
        self._random = random.Random(45)

    def write(self, path: Path) -> None:
        """Write the dump."""
        with path.open("w", encoding="utf-8") as file:
            file.write(header("Benchmark", "benchmark", NAMESPACES))
            for number, (ns, title, text) in enumerate(self._all_pages(), 1):
                file.write(page(number, ns, title, text, user=1 + number % EDITORS))
            file.write(END)

    def _all_pages(self) -> Iterator[tuple[int, str, str]]:
        for n in range(TEMPLATES):
            yield 10, f"Template:Box {n}", TEMPLATE % (n % 20)
        for n in range(CATEGORIES):
            yield 14, f"Category:Group {n}", f"A group. [[Category:Group {n // 10}]]"
        for n in range(self._pages - TEMPLATES - CATEGORIES):
            yield 0, self._title(n), self._article()

    def _title(self, n: int) -> str:
        return f"Article {n}"

    def _article(self) -> str:
        pick = self._random.randrange
        paragraphs = (self._paragraph() for _ in range(pick(2, 5)))
        box = f"{{{{Box {pick(TEMPLATES)}|name=Thing|{self._words(4)}}}}}\n"
        categories = "".join(f"\n[[Category:Group {pick(CATEGORIES)}]]" for _ in range(pick(1, 4)))
        return box + "\n\n".join(paragraphs) + "\n" + categories

    def _paragraph(self) -> str:
        heading = f"== {self._words(2).capitalize()} ==\n"
        links = " and ".join(self._link() for _ in range(self._random.randrange(1, 5)))
        return f"{heading}'''{self._words(25).capitalize()}''' {links}. {self._words(30)}."

    def _link(self) -> str:
        target = self._title(self._random.randrange(self._pages))
        return f"[[{target}|{self._words(1)}]]" if self._random.random() < 0.5 else f"[[{target}]]"

    def _words(self, count: int) -> str:
        choose = self._random.choices
        return " ".join("".join(choose(SYLLABLES, k=2)) for _ in range(count))
