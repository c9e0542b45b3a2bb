"""Renderings of stored pages are kept until something changes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from weakref import ref

import pytest

from wikiapi.budget import Allowance
from wikiapi.errors import BudgetExceeded, DeadlineExceeded
from wikiapi.site import Site
from wikiapi.store.queries import generation
from wikiapi.testing import make_site
from wikiapi.title.namespaces import Namespace
from wikiapi.wikitext.options import ParserOptions, Target
from wikiapi.wikitext.output import ParserOutput
from wikiapi.wikitext.pagecache import StoredRevision, footprint

PAGE = StoredRevision(1, 10, "20260101000000")


@pytest.fixture
def site(make_site: Callable[..., Site]) -> Site:
    return make_site({"Main Page": "Text"})


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


@pytest.mark.parametrize(
    ("options", "is_for_everyone"),
    [
        (ParserOptions(), True),
        (ParserOptions(language="en", toc=False), True),
        (ParserOptions(language="de"), False),
        (ParserOptions(user="Ann"), False),
        (ParserOptions(variant="en-x-piglatin"), False),
        (ParserOptions(target=Target.LINKS), False),
    ],
)
def test_views_are_renderings_for_everyone(
    site: Site, options: ParserOptions, *, is_for_everyone: bool
) -> None:
    other = PAGE._replace(revision_id=11)
    output = Rendering(site).of(PAGE, options)
    assert site.page_cache.views([PAGE, other]) == ({PAGE: output} if is_for_everyone else {})


def test_a_change_of_the_store_outdates_views(site: Site) -> None:
    Rendering(site).of(PAGE)
    generation.advance(site.db)
    assert site.page_cache.views([PAGE]) == {}


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
    assert set(kept) == {seconds}


def test_a_rendering_of_another_thread_is_reused(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ended between our look into the cache and our turn."""
    entries = iter((None, ParserOutput(html="theirs")))
    monkeypatch.setattr(site.cache, "get", lambda _key: next(entries))
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


class TooExpensive(Rendering):
    """Uses up the steps of a request, and counts how often."""

    def _render(self) -> ParserOutput:
        self.made.append(ParserOutput())
        self.site.budgets.current.step(1000)
        return self.made[-1]


STEPS = Allowance(steps=100)


def test_a_page_that_takes_more_than_a_request_may_is_not_rendered_again_soon(site: Site) -> None:
    rendering = TooExpensive(site)
    for _ in range(3):
        with pytest.raises(BudgetExceeded) as caught, site.budgets.begin(STEPS):
            rendering.of(PAGE)
        assert (caught.value.resource, caught.value.limit) == ("steps", 100)
    assert len(rendering.made) == 1
    with pytest.raises(BudgetExceeded), site.budgets.begin(STEPS):
        rendering.of(PAGE, ParserOptions(language="de"))
    assert len(rendering.made) == 2, "other options may take less"


def test_a_page_that_took_too_long_is_not_rendered_again_soon(site: Site) -> None:
    made: list[int] = []

    def render() -> ParserOutput:
        made.append(1)
        raise DeadlineExceeded(60)

    for _ in range(2):
        with pytest.raises(DeadlineExceeded), site.budgets.begin(Allowance(seconds=60)):
            site.page_cache.output(PAGE, ParserOptions(), render)
    assert made == [1]


def test_a_request_that_may_use_more_renders_the_page_again(site: Site) -> None:
    rendering = TooExpensive(site)
    with pytest.raises(BudgetExceeded), site.budgets.begin(STEPS):
        rendering.of(PAGE)
    with site.budgets.begin(Allowance(steps=5000)):
        assert rendering.of(PAGE) is rendering.of(PAGE)
    assert len(rendering.made) == 2


def test_a_page_is_not_blamed_for_what_else_the_request_did(site: Site) -> None:
    rendering = TooExpensive(site)
    for _ in range(2):
        with site.budgets.begin(STEPS) as budget:
            budget.step(50)
            with pytest.raises(BudgetExceeded):
                rendering.of(PAGE)
    assert len(rendering.made) == 2


def test_an_edit_allows_a_page_to_be_rendered_again(site: Site) -> None:
    rendering = TooExpensive(site)
    for _ in range(2):
        with pytest.raises(BudgetExceeded), site.budgets.begin(STEPS):
            rendering.of(PAGE)
        generation.advance(site.db)
    assert len(rendering.made) == 2
