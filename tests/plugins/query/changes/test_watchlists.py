"""``list=watchlist`` and ``list=watchlistraw``."""

from __future__ import annotations

import pytest

from tests.plugins.editing.pageactions.actors import Actors
from tests.plugins.editing.pageactions.test_histories import TITLES, RandomWriter
from wikiapi.site import Site
from wikiapi.testing import DeclaredUser, Edit, ask

MODULES = {"watchlist": "wl", "watchlistraw": "wr"}


@pytest.mark.parametrize("module", MODULES)
def test_visitors_have_none(module: str, history_site: Site) -> None:
    assert ask(history_site, {"action": "query", "list": module}).codes == "notloggedin"
    assert ask(history_site, {"action": "query", "generator": module}).codes == "notloggedin"


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize(("owner", "code"), [("Ada", "bad_wltoken"), ("Nobody", "bad_wlowner")])
def test_no_token_opens_the_watchlist_of_another_user(
    module: str, owner: str, code: str, history_site: Site
) -> None:
    prefix = MODULES[module]
    credentials = {f"{prefix}owner": owner, f"{prefix}token": ""}
    assert ask(history_site, {"action": "query", "list": module, **credentials}).codes == code


@pytest.mark.parametrize("module", MODULES)
def test_values_are_checked_first(module: str, history_site: Site) -> None:
    params = {"action": "query", "list": module, f"{MODULES[module]}limit": "many"}
    assert ask(history_site, params).codes == "badinteger"


def test_marks_of_patrol_require_a_right() -> None:
    wiki = Actors({"Alpha": "x"})
    options = {"action": "query", "list": "watchlist", "wlprop": "patrol"}
    assert ask(wiki.site, options, user=wiki.users["Ada"]).codes == "patrol"


USER_LINK = (
    '<a href="/w/index.php?title=User:{0}&amp;action=edit&amp;redlink=1" class="mw-userlink new" '
    'title="User:{0} (page does not exist)"><bdi>{0}</bdi></a>'
)
ALPHA = '<a href="/wiki/Alpha" title="Alpha">Alpha</a>'
NO_GAMMA = (
    '<a href="/w/index.php?title=Gamma&amp;action=edit&amp;redlink=1" class="new" '
    'title="Gamma (page does not exist)">Gamma</a>'
)


@pytest.mark.parametrize(
    ("acts", "text"),
    [
        (
            [("move", {"from_": "Alpha", "to": "Beta"})],
            (
                ' moved page <a href="/w/index.php?title=Alpha&amp;redirect=no" '
                'class="mw-redirect" title="Alpha">Alpha</a> to '
                '<a href="/wiki/Beta" title="Beta">Beta</a>'
            ),
        ),
        ([("delete", {"title": "Gamma", "reason": "r"})], f" deleted page {NO_GAMMA}"),
        (
            [("revisiondelete", {"type": "revision", "ids": "1", "hide": "comment|user"})],
            (
                f" changed visibility of a revision on page {ALPHA}: "
                "edit summary hidden and username hidden"
            ),
        ),
        (
            [("delete", {"title": "Gamma"}), ("undelete", {"title": "Gamma"})],
            ' restored page <a href="/wiki/Gamma" title="Gamma">Gamma</a> (1 revision)',
        ),
        (
            [("block", {"user": "Ada", "expiry": "1 day", "nocreate": "1", "autoblock": "1"})],
            (
                f" blocked {USER_LINK.format('Ada')} for "
                '<span class="blockExpiry" title="&lrm;1 day">1 day</span> '
                "(no new accounts, no edits of the own talk page)"
            ),
        ),
        (
            [
                (
                    "block",
                    {
                        "user": "10.0.0.1",
                        "expiry": "infinite",
                        "partial": "1",
                        "allowusertalk": "1",
                        "pagerestrictions": "Alpha|Gamma",
                        "namespacerestrictions": "4",
                    },
                )
            ],
            (
                ' blocked <a href="/wiki/Special:Contributions/10.0.0.1" class="mw-userlink '
                'mw-anonuserlink" title="Special:Contributions/10.0.0.1"><bdi>10.0.0.1</bdi></a> '
                f'from the pages {ALPHA}, <a href="/wiki/Gamma" title="Gamma">Gamma</a> and the '
                "namespace Wiki for "
                '<span class="blockExpiry" title="&lrm;infinity">infinite</span> '
            ),
        ),
        (
            [("userrights", {"user": "Ada", "add": "bot", "expiry": "infinite"})],
            (
                ' changed group membership for <a href="/w/index.php?title=User:Ada&amp;action=edit'
                '&amp;redlink=1" class="new" title="User:Ada (page does not exist)">Ada</a>: '
                "granted bot"
            ),
        ),
    ],
    ids=lambda value: value[-1][0] if isinstance(value, list) else "",
)
def test_entries_are_shown_as_sentences(acts: list[tuple[str, dict[str, str]]], text: str) -> None:
    pages = {"Alpha": [Edit("one", user="Bob"), Edit("two", user="Ada")], "Gamma": "x"}
    root = DeclaredUser("Root", ("sysop", "bureaucrat", "suppress"))
    wiki = Actors(pages, users=(root,))
    wiki.act("Root", "watch", titles="Alpha|Gamma|User:Ada|User:10.0.0.1")
    for action, params in acts:
        wiki.act("Root", action, **params)
    options = {"wlprop": "loginfo", "wltype": "log", "wlallrev": 1}
    entry = wiki.query("Root", list="watchlist", **options)["watchlist"][0]
    assert entry["logdisplay"] == USER_LINK.format("Root") + text


def test_sentences_hide_what_is_hidden() -> None:
    root = DeclaredUser("Root", ("sysop", "bureaucrat", "suppress"))
    wiki = Actors({"Alpha": "x"}, users=(root,))
    for user in ("Root", "Ada"):
        wiki.act(user, "watch", titles="Alpha")
    wiki.act("Root", "move", from_="Alpha", to="Beta")
    entry_id = wiki.log("move")[0]["logid"]
    options = {"wlprop": "loginfo", "wltype": "log", "wlallrev": 1}
    for hide, sentence in (
        ("user", ' moved page <a href="/w/index.php?title=Alpha'),
        ("content", ' <span class="history-deleted">(details of the entry removed)</span>'),
    ):
        hiding = {"type": "logging", "ids": entry_id, "target": "Special:Log/move"}
        wiki.act("Root", "revisiondelete", hide=hide, **hiding)
        (entry,) = wiki.query("Root", list="watchlist", **options)["watchlist"]
        removed = '<span class="history-deleted">(name of the user removed)</span>'
        assert entry["logdisplay"].startswith(removed + sentence)
    assert wiki.query("Ada", list="watchlist", **options)["watchlist"] == []


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_logged_has_a_sentence(seed: int) -> None:
    wiki = Actors({"A": "first", "Talk:A": "talk [[A]]", "Template:T": "[[Category:K]]"})
    writer = RandomWriter(wiki, seed)
    wiki.act("Admin", "watch", titles="|".join(TITLES))
    for _ in range(60):
        writer.act()
    options = {"wlprop": "loginfo", "wltype": "log", "wlallrev": 1, "wllimit": "max"}
    entries = wiki.query("Admin", list="watchlist", **options)["watchlist"]
    assert len(entries) > 5
    for entry in entries:
        assert not {"\u29fc", "$", "\x7f"}.intersection(entry["logdisplay"]), entry
