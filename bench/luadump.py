"""A generated dump whose pages call Lua modules: infoboxes, citations, coordinates and others.

The modules and templates are files in ``luawiki``; two data modules are generated.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.export import END, header, page

FILES = Path(__file__).parent / "luawiki"
NAME = "Benchmark"
TEMPLATE, MODULE = 10, 828
NAMESPACES = {0: "", 6: "File", TEMPLATE: "Template", 14: "Category", MODULE: "Module"}
COUNTRIES = 240
NAVBOXES = 150
EDITORS = 300
SYLLABLES = ("ba", "den", "ful", "ga", "hor", "kel", "lim", "mor", "nat", "pel", "ri", "son", "tur")
CONTINENTS = ("Africa", "America", "Asia", "Europe", "Oceania")
MONTHS = ("January", "March", "April", "June", "August", "October", "December")
JOURNALS = ("Annals", "Letters on Stones", "Proceedings", "Review of Rivers", "Yearbook")
UNITS = {
    "length": {"mm": 0.001, "cm": 0.01, "m": 1, "km": 1000, "ft": 0.3048, "mi": 1609.34},
    "area": {"m2": 1, "ha": 1e4, "km2": 1e6, "sqft": 0.0929, "acre": 4046.86, "sqmi": 2.59e6},
    "mass": {"g": 0.001, "kg": 1, "t": 1000, "lb": 0.4536, "oz": 0.02835},
    "volume": {"ml": 1e-6, "l": 0.001, "m3": 1, "gal": 0.003785},
}
_NO_LUA = 0.1
"""The share of pages without any module."""


class LuaDumpMaker:
    """Writes a dump that depends only on the number of pages."""

    def __init__(self, pages: int) -> None:
        """Initialise with the number of pages, including templates and modules."""
        self._pages = pages
        self._random = random.Random(46)
        self._pick = self._random.randrange
        self._shapes: tuple[tuple[Callable[[int], str], int], ...] = (
            (self._place, 40),
            (self._person, 30),
            (self._list, 10),
            (self._work, 20),
        )

    def write(self, path: Path) -> None:
        """Write the dump."""
        with path.open("w", encoding="utf-8") as file:
            file.write(header(NAME, "benchmark", NAMESPACES))
            for number, (ns, title, text) in enumerate(self.pages(), 1):
                model, form = (
                    ("Scribunto", "text/plain") if ns == 828 else ("wikitext", "text/x-wiki")
                )
                user = 1 + number % EDITORS
                file.write(page(number, ns, title, text, model=model, form=form, user=user))
            file.write(END)

    def pages(self) -> Iterator[tuple[int, str, str]]:
        """Yield namespace, title and text of each page."""
        tools = list(self._tools())
        yield from tools
        kinds, weights = zip(*self._shapes, strict=True)
        for n in range(self._pages - len(tools)):
            plain = self._random.random() < _NO_LUA
            text = self._prose(6) if plain else self._random.choices(kinds, weights)[0](n)
            yield 0, self._title(n), text

    def _tools(self) -> Iterator[tuple[int, str, str]]:
        for ns, prefix, folder in (
            (MODULE, "Module", "modules"),
            (TEMPLATE, "Template", "templates"),
        ):
            for file in sorted((FILES / folder).rglob("*.*")):
                name = file.relative_to(FILES / folder).with_suffix("")
                yield ns, f"{prefix}:{name}", file.read_text(encoding="utf-8")
        yield MODULE, "Module:Country/data", self._countries()
        yield MODULE, "Module:Convert/units", self._units()
        for n in range(NAVBOXES):
            yield TEMPLATE, f"Template:Group {n}", self._navbox(n)

    def _countries(self) -> str:
        lines = ["local countries, aliases = {}, {}"]
        for n in range(COUNTRIES):
            name = self._words(1).capitalize() + f" {n}"
            fields = (
                f"name = '{name}', flag = 'Flag of {name}.svg', continent = '{CONTINENTS[n % 5]}'"
            )
            lines += [f"countries.C{n} = {{ {fields} }}", f"aliases['{name.upper()}'] = 'C{n}'"]
        return "\n".join([*lines, "return { countries = countries, aliases = aliases }\n"])

    def _units(self) -> str:
        lines = ["return {"]
        for kind, units in UNITS.items():
            for name, factor in units.items():
                fields = (
                    f"kind = '{kind}', factor = {factor}, name = 'one {name}', plural = '{name}'"
                )
                lines.append(
                    f"\t['{name}'] = {{ {fields}, page = 'Unit {name}', symbol = '{name}' }},"
                )
        return "\n".join([*lines, "}\n"])

    def _navbox(self, n: int) -> str:
        lines = [f"{{{{Navbox|name=Group {n}|title=[[{self._words(2)}]]"]
        for index in range(1, self._pick(2, 6)):
            items = "".join(f"\n* {self._link()}" for _ in range(self._pick(5, 20)))
            lines.append(f"|group{index}={self._words(1)}|list{index}={items}")
        return "\n".join(lines) + f"\n}}}}<includeonly>[[Category:Group {n % 20}]]</includeonly>"

    def _place(self, n: int) -> str:
        pick = self._pick
        box = f"""{{{{Infobox place
| name = {self._words(1).capitalize()}
| image = Place {pick(5000)}.jpg
| country = {{{{Flag|C{pick(COUNTRIES)}}}}}
| code = C{pick(COUNTRIES)}
| population = {pick(200, 3_000_000)}
| area = {pick(1, 9000)}
| height = {pick(0, 3000)}
| lat = {pick(0, 80)} | latm = {pick(60)} | long = {pick(0, 170)} | longm = {pick(60)}
}}}}
"""
        text = f"{self._prose(3)}\n{{{{Main|{self._title(pick(self._pages))}}}}}\n{self._prose(2)}"
        distance = f"It is {{{{Convert|{pick(2, 400)}|km|mi}}}} from {self._link()}."
        return (
            f"{box}{text}\n{distance}\n{self._sources(pick(1, 8))}\n{{{{Group {pick(NAVBOXES)}}}}}"
        )

    def _person(self, n: int) -> str:
        pick = self._pick
        born = pick(1850, 1990)
        died = f"{born + pick(30, 90)}-0{pick(1, 9)}-1{pick(9)}" if born < 1930 else ""
        box = f"""{{{{Infobox person
| name = {self._words(1).capitalize()} {self._words(1).capitalize()}
| born = {born}-0{pick(1, 9)}-2{pick(8)}
| died = {died}
| work = {self._words(2)}
| country = C{pick(COUNTRIES)}
}}}}
"""
        text = self._prose(pick(2, 5))
        stub = "{{Stub}}" if pick(4) == 0 else ""
        return f"{box}{text}\n{self._sources(pick(1, 12))}{stub}\n[[Category:People {pick(40)}]]"

    def _list(self, n: int) -> str:
        pick = self._pick
        figures = ";".join(
            f"{self._title(pick(self._pages))}={pick(1, 90_000)}" for _ in range(pick(5, 30))
        )
        rows = "".join(
            f"|-\n| {{{{Flag|C{pick(COUNTRIES)}}}}} || {self._link()}"
            f" || {{{{Convert|{pick(5000)}|m|ft|0}}}}\n"
            for _ in range(pick(5, 25))
        )
        table = f'{{| class="wikitable"\n! Country !! Place !! Height\n{rows}|}}'
        invoke = f"{{{{#invoke:Table|figures|{figures}}}}}"
        return f"{self._prose(1)}\n{invoke}\n{table}\n{self._sources(2)}"

    def _work(self, n: int) -> str:
        above, author, about = self._words(2), self._link(), self._words(5)
        box = f"{{{{Infobox|above={above}|label1=Author|data1={author}|data2={about}}}}}\n"
        text = f"{self._prose(self._pick(2, 7))}\n{self._sources(self._pick(3, 15))}"
        return f"{box}{text}\n[[Category:Works {n % 30}]]"

    def _sources(self, count: int) -> str:
        return "== Sources ==\n" + "".join(f"* {self._source()}\n" for _ in range(count))

    def _source(self) -> str:
        pick, parts = self._pick, []
        for index in range(1, pick(1, 5)):
            parts += [f"last{index}={self._name()}", f"first{index}={self._name()}"]
        parts.append(f"title={self._words(4)}")
        kind = pick(3)
        if kind == 0:
            parts += [f"journal={JOURNALS[pick(len(JOURNALS))]}", f"volume={pick(90)}"]
            parts.append(f"doi=10.{pick(9999)}/{self._words(1)}")
        elif kind == 1:
            parts += [f"publisher={self._words(2)}", f"isbn=978{pick(10**10):010}"]
            parts.append(f"oclc={pick(10**7)}")
        else:
            parts.append(f"url=https://site{pick(300)}.example/{self._words(1)}/{pick(9999)}")
            parts.append(f"access-date=2019-0{pick(1, 9)}-1{pick(9)}")
        if pick(3):
            parts.append(f"date={pick(1, 28)} {MONTHS[pick(len(MONTHS))]} {pick(1900, 2020)}")
        if pick(9) == 0:
            parts.append("format=PDF")
        return "{{Cite|" + "|".join(parts) + "}}"

    def _name(self) -> str:
        return self._words(1).capitalize()

    def _title(self, n: int) -> str:
        return f"Article {n}"

    def _prose(self, paragraphs: int) -> str:
        return "\n".join(self._paragraph() for _ in range(paragraphs))

    def _paragraph(self) -> str:
        heading = f"== {self._words(2).capitalize()} ==\n" if self._pick(2) else ""
        links = " and ".join(self._link() for _ in range(self._pick(1, 5)))
        start = f"'''{self._words(3).capitalize()}''' {self._words(40)}"
        return f"{heading}{start} {links}. {self._words(30)}.\n"

    def _link(self) -> str:
        target = self._title(self._pick(self._pages))
        return f"[[{target}|{self._words(1)}]]" if self._pick(2) else f"[[{target}]]"

    def _words(self, count: int) -> str:
        choose = self._random.choices
        return " ".join("".join(choose(SYLLABLES, k=2)) for _ in range(count))
