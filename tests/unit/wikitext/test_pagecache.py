"""Renderings of stored pages are kept until something changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from weakref import ref

import pytest

from wikiapi.site import Site
from wikiapi.store.queries import generation
from wikiapi.testing import make_site
from wikiapi.title.namespaces import Namespace
from wikiapi.wikitext.options import ParserOptions
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.pagecache import StoredRevision, footprint

PAGE = StoredRevision(1, 10, "20260101000000")


@pytest.fixture
def site() -> Iterator[Site]:
    site = make_site({"Main Page": "Text"})
    yield site
    site.db.close()


@dataclass
class Rendering:
    """Renders, and counts how often."""

    site: Site
    expiry: int | None = None
    made: list[ParserOutput] = field(default_factory=list)

    def of(self, revision: StoredRevision, options: ParserOptions | None = None) -> ParserOutput:
        return self.site.page_cache.output(revision, options or ParserOptions(), self._render)

    def _render(self) -> ParserOutput:
        self.made.append(ParserOutput(html="<p>", cache_expiry=self.expiry))
        return self.made[-1]


def test_a_page_is_rendered_once(site: Site) -> None:
    rendering = Rendering(site)
    assert rendering.of(PAGE) is rendering.of(PAGE)
    assert len(rendering.made) == 1


@pytest.mark.parametrize(
    "other",
    [
        StoredRevision(2, 10, "20260101000000"),
        StoredRevision(1, 11, "20260101000000"),
        StoredRevision(1, 10, "20260101000001"),
    ],
)
def test_another_revision_is_another_rendering(site: Site, other: StoredRevision) -> None:
    rendering = Rendering(site)
    assert rendering.of(PAGE) is not rendering.of(other)


def test_options_distinguish_renderings(site: Site) -> None:
    rendering = Rendering(site)
    plain = rendering.of(PAGE)
    assert rendering.of(PAGE, ParserOptions(language="de")) is not plain
    assert rendering.of(PAGE, ParserOptions(limit_report=False)) is not plain
    assert len(rendering.made) == 3


def test_a_change_of_the_store_outdates_everything(site: Site) -> None:
    rendering = Rendering(site)
    before = generation.current(site.db)
    rendering.of(PAGE)
    generation.advance(site.db)
    assert generation.current(site.db) == before + 1
    rendering.of(PAGE)
    assert len(rendering.made) == 2


def test_what_changes_at_once_is_not_cached(site: Site) -> None:
    rendering = Rendering(site, expiry=0)
    rendering.of(PAGE)
    rendering.of(PAGE)
    assert len(rendering.made) == 2


@pytest.mark.parametrize(
    ("expiry", "seconds"), [(1, 15), (60, 60), (3600, 3600), (10**7, 86_400), (None, 86_400)]
)
def test_a_page_is_cached_as_long_as_its_times_are_valid_but_not_for_moments(
    site: Site, monkeypatch: pytest.MonkeyPatch, expiry: int | None, seconds: int
) -> None:
    kept: list[int] = []
    monkeypatch.setattr(site.cache, "put", lambda *_, seconds, size: kept.append(seconds))
    Rendering(site, expiry).of(PAGE)
    assert kept == [seconds]


def test_a_rendering_of_another_thread_is_reused(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ended between our look into the cache and our turn."""
    found = iter((None, ParserOutput(html="theirs")))
    monkeypatch.setattr(site.cache, "get", lambda _key: next(found))
    rendering = Rendering(site)
    assert rendering.of(PAGE).html == "theirs"
    assert rendering.made == []


def test_an_exception_is_not_cached(site: Site) -> None:
    def fail() -> ParserOutput:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        site.page_cache.output(PAGE, ParserOptions(), fail)
    assert Rendering(site).of(PAGE).html == "<p>"


def test_a_full_cache_takes_no_more_than_it_may() -> None:
    """However much else than HTML a rendering has."""
    site = make_site(config={"cache": {"size": 500_000}})
    links = [site.titles.make(0, f"Page_{number}") for number in range(100)]
    made: list[ref[ParserOutput]] = []

    def render() -> ParserOutput:
        # Titles of its own, as a rendering has them.
        own = {title.key: replace(title) for title in links}
        output = ParserOutput(html="<p>", links=own)
        made.append(ref(output))
        return output

    with closing(site.db):
        for number in range(60):
            site.page_cache.output(PAGE._replace(page_id=number), ParserOptions(), render)
        kept = [output for one in made if (output := one())]
        taken = sum(footprint(output, shared=(Namespace,)) for output in kept)
    assert len(kept) < len(made) == 60
    assert 250_000 < taken <= 500_000
