"""The lists that are walked along, with what each needs to be asked for."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Walked:
    """A module with the parameters that make it answer; ``at_least`` so many items in all."""

    name: str
    prefix: str
    params: dict[str, str] = field(default_factory=dict)
    at_least: int = 2
    generates: bool = True

    def query(self, **more: str) -> dict[str, str]:
        """Return the parameters of a request; ``more`` without the prefix."""
        own = {self.prefix + name: value for name, value in (self.params | more).items()}
        return {"list": self.name, **own}

    def generator(self, **more: str) -> dict[str, str]:
        """Return the same as a generator."""
        own = {f"g{self.prefix}{n}": value for n, value in (self.params | more).items()}
        return {"generator": self.name, **own}


WALKED = (
    Walked("allcategories", "ac"),
    Walked("allusers", "au", generates=False),
    Walked("backlinks", "bl", {"title": "Beta"}),
    Walked("backlinks", "bl", {"title": "Beta", "namespace": "0|10", "dir": "descending"}),
    Walked("blocks", "bk", generates=False),
    Walked("categorymembers", "cm", {"title": "Category:Letters"}),
    Walked("categorymembers", "cm", {"title": "Category:Letters", "dir": "desc"}),
    Walked("categorymembers", "cm", {"title": "Category:Letters", "sort": "timestamp"}),
    Walked("embeddedin", "ei", {"title": "Template:Nav"}),
    Walked("exturlusage", "eu"),
    Walked("filearchive", "fa", generates=False),
    Walked("imageusage", "iu", {"title": "File:Photo.png"}, at_least=1),
    Walked("iwbacklinks", "iwbl"),
    Walked("langbacklinks", "lbl", {"dir": "descending"}),
    Walked("pagepropnames", "ppn", generates=False),
    Walked("pageswithprop", "pwp", {"propname": "displaytitle"}, at_least=1),
    Walked("prefixsearch", "ps", {"search": "A"}),
    Walked("protectedtitles", "pt"),
    Walked("search", "sr", {"search": "gamma"}),
    Walked("trackingcategories", "tc", at_least=1),
)
