"""The conformance suite finds the mistakes of actions that write."""

from __future__ import annotations

import pytest

from wikiapi.api import PAGE, WriteAction, current_page, named_page
from wikiapi.hookspecs import hookimpl
from wikiapi.pages import NewText, PageWriter
from wikiapi.store.models import RecentChanges
from wikiapi.testing.conformance import modules_of
from wikiapi.testing.conformance.writes import (
    blocks_are_enforced,
    writes_are_guarded,
    writes_are_recorded,
)


class Appends(WriteAction):
    """Add a line to a page."""

    name = "append"
    params = PAGE
    examples = (("action=append&title=Main Page&token=123ABC", "Add a line"),)
    is_listed = True

    def perform(self) -> None:
        """Save the page with one line more."""
        page = current_page(self, named_page(self, "title", "pageid"))
        self.check(page)
        new = NewText(f"{page.text or ''}\nx", page.model, skips_recent_changes=not self.is_listed)
        PageWriter(self.context.performer).save(page.title, page.row, new)

    def check(self, page):
        self.check_allowed("edit", page.title, page.row)


class AllowsAll(Appends):
    """Let everybody add a line."""

    def check(self, page):
        pass


class IgnoresBlocks(Appends):
    """Ask only for the right to edit."""

    def check(self, page):
        self.require_right("edit", "apierror-permissiondenied-generic")


class HidesChanges(Appends):
    """Save pages that recent changes do not have."""

    is_listed = False


class RepeatsChanges(Appends):
    """Enter each change twice."""

    def perform(self) -> None:
        super().perform()
        names = [name for name in RecentChanges._meta.columns if name != "rc_id"]
        listed = ", ".join(names)
        self.db.execute_sql(
            f"INSERT INTO recentchanges ({listed}) SELECT {listed} FROM recentchanges"
        )


class WithoutExample(Appends):
    """Add a line, with an example that is refused."""

    examples = (("action=append&title=[]&token=123ABC", "A title that cannot be"),)


def problems(make_site, module, check):
    class Plugin:
        @hookimpl
        def register_actions(self):
            return [module]

    config = {"site": {"writable": True}}
    site = make_site({"Main Page": "a"}, config=config, plugins=[Plugin()])
    # There are other log entries.
    site.db.execute_sql(
        "INSERT INTO logging (log_type, log_action, log_timestamp, log_actor, log_namespace,"
        " log_title, log_comment_id, log_params, log_deleted)"
        " VALUES ('block', 'block', '20200101000000', 1, 2, 'X', 1, '', 0)"
    )
    modules = [each for each in modules_of(site) if each.name == "append"]
    return [problem.removeprefix("append: ") for problem in check(site, modules)]


@pytest.mark.parametrize("check", [writes_are_guarded, blocks_are_enforced, writes_are_recorded])
def test_an_action_that_does_all(make_site, check):
    assert problems(make_site, Appends, check) == []


@pytest.mark.parametrize(
    ("module", "check", "expected"),
    [
        (AllowsAll, writes_are_guarded, "not refused for a user who may only read"),
        (AllowsAll, blocks_are_enforced, "a blocked user has changed a page"),
        (IgnoresBlocks, blocks_are_enforced, "a blocked user has changed a page"),
        (HidesChanges, writes_are_recorded, "revision 2 is 0 times in recent changes"),
        (RepeatsChanges, writes_are_recorded, "revision 2 is 2 times in recent changes"),
        (
            WithoutExample,
            writes_are_recorded,
            "its example is refused for an administrator: invalidtitle",
        ),
    ],
)
def test_an_action_with_a_mistake(make_site, module, check, expected):
    assert expected in problems(make_site, module, check)
