"""The wiki that the tests of the query modules ask: few pages, each kind of link among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wikiapi.config import NamespaceConfig
from wikiapi.site import Site
from wikiapi.store.models import (
    ChangeTag,
    ChangeTagDef,
    PageRestrictions,
    ProtectedTitles,
    Revision,
)
from wikiapi.store.queries import pages
from wikiapi.store.queries.visibility import COMMENT, TEXT, USER
from wikiapi.store.write.links import (
    CategoryLink,
    LinkWriter,
    PageLinkSet,
    RedirectTarget,
)
from wikiapi.testing import DeclaredUser, Edit, make_site

SECRET = "hidden-from-everybody"
"""Stands in everything that is suppressed, and nowhere else."""

LETTERS, INFOBOX = "Category:Letters", "Template:Infobox"

LINKS: dict[str, list[str]] = {
    "Main Page": ["Alpha", "Beta"],
    "Alpha": ["Beta", "Gamma", "Missing page", "Help:Editing"],
    "Beta": ["Alpha"],
    "Gamma": ["Alpha"],
    "Gamma double": ["Gamma"],
    "Delta": ["Missing page"],
    "Talk:Alpha": ["Alpha"],
    INFOBOX: ["Alpha"],
    "Template:Old": [INFOBOX],
}
TEMPLATES = {"Alpha": ["Template:Cite", INFOBOX], "Beta": [INFOBOX], "Template:Cite": [INFOBOX]}
IMAGES = {"Alpha": ["Photo.png"], "Beta": ["Photo.png", "Absent.png"]}
CATEGORIES = {
    "Alpha": {"Letters": "", "Greek": "Alpha"},
    "Beta": {"Letters": "b"},
    "Delta": {"Letters": ""},
    LETTERS: {"Root": ""},
}
REDIRECTS = {
    "Gamma": RedirectTarget(0, "Alpha", "", "History"),
    "Gamma double": RedirectTarget(0, "Gamma"),
    "Template:Old": RedirectTarget(10, "Infobox"),
}
PROPERTIES = {"Category:Greek": {"hiddencat": ""}, "Alpha": {"displaytitle": "<i>Alpha</i>"}}

PAGES = {
    "Main Page": "Welcome. [[Alpha]] [[Beta]]",
    "Alpha": [
        Edit("First", user="Ada", comment="begin", minor=True),
        Edit(
            "'''Alpha''' [[Beta]] [[Gamma]] [[Missing page]] [[Help:Editing]] {{Infobox}} {{Cite}}"
            "\n== History ==\nOld. [[File:Photo.png]]\n== Links ==\n[[de:Alpha]]"
            "\n[[Category:Letters]] [[Category:Greek|Alpha]]",
            user="Babbage",
            comment="edit of [[Alpha]]",
        ),
    ],
    "Beta": "[[Alpha]] {{Infobox}} [[File:Photo.png]] [[File:Absent.png]] [[Category:Letters|b]]",
    "Gamma": "#REDIRECT [[Alpha#History]]",
    "Gamma double": "#REDIRECT [[Gamma]]",
    "Delta": Edit("[[Category:Letters]] [[Missing page]]", user="Ada"),
    "Talk:Alpha": "About [[Alpha]]",
    "Template:Infobox": "Box [[Alpha]]",
    "Template:Cite": "Cited {{Infobox}}",
    "Template:Old": "#REDIRECT [[Template:Infobox]]",
    "Category:Letters": "[[Category:Root]]",
    "Category:Greek": "Hidden",
    "File:Photo.png": "A photo",
    "Help:Editing": "How to",
    "Suppressed": [
        Edit(f"{SECRET} text", user="Ada", comment="seen"),
        Edit(f"{SECRET} again", user="Secret user", comment=f"{SECRET} comment"),
    ],
}


def query_wiki(config: Mapping[str, Any] | None = None) -> Site:
    """Make it; the caller closes its store."""
    site = make_site(
        PAGES,
        config=config,
        users=[DeclaredUser("Ada"), DeclaredUser("Babbage"), DeclaredUser("Secret user")],
        files=["Photo.png"],
        interwiki={"de": "https://de.example/wiki/$1"},
        namespaces=[NamespaceConfig(828, "Module"), NamespaceConfig(829, "Module talk")],
    )
    _link(site)
    _protect(site)
    _mark(site)
    _suppress(site)
    return site


def page_id(site: Site, title: str) -> int:
    """Return the id of a page by its title."""
    key = site.titles.parse(title).key
    return pages.by_titles(site.db, [key])[key].page_id


def revision_ids(site: Site, title: str) -> list[int]:
    """Return the ids of a page's revisions, the oldest first."""
    query = Revision.select(Revision.rev_id).where(Revision.rev_page == page_id(site, title))
    return [row[0] for row in site.db.execute(query.order_by(Revision.rev_id))]


def _link(site: Site) -> None:
    """Write the rows that parsing the pages would create, so that no parser is tested."""
    keys = {title: site.titles.parse(title).key for title in PAGES}

    def targets(links: Mapping[str, list[str]], title: str) -> list[tuple[int, str]]:
        return [site.titles.parse(target).key for target in links.get(title, ())]

    LinkWriter(site.db).replace(
        [
            PageLinkSet(
                page_id(site, title),
                key[0],
                templates=targets(TEMPLATES, title),
                pages=targets(LINKS, title),
                images=IMAGES.get(title, ()),
                categories=[
                    CategoryLink(
                        name,
                        prefix,
                        site.collation.member_key(key[1], prefix),
                        "page",
                        "20250101000000",
                    )
                    for name, prefix in CATEGORIES.get(title, {}).items()
                ],
                redirect=REDIRECTS.get(title),
                properties=PROPERTIES.get(title, {}),
            )
            for title, key in keys.items()
        ]
    )


def _protect(site: Site) -> None:
    columns = ("pr_page", "pr_type", "pr_level", "pr_cascade", "pr_expiry")
    rows = [
        (page_id(site, "Beta"), "edit", "sysop", 0, "infinity"),
        (page_id(site, "Beta"), "move", "sysop", 0, "20200101000000"),
        (page_id(site, "Alpha"), "edit", "autoconfirmed", 1, "20300101000000"),
    ]
    site.db.insert_many(PageRestrictions, rows, columns)
    names = ("pt_namespace", "pt_title", "pt_user", "pt_reason_id", "pt_timestamp", "pt_expiry")
    row = (0, "Never", 1, 1, "20240101000000", "infinity", "sysop")
    site.db.insert_many(ProtectedTitles, [row], (*names, "pt_create_perm"))


def _mark(site: Site) -> None:
    site.db.insert_many(
        ChangeTagDef, [("good", 1, 1)], ("ctd_name", "ctd_user_defined", "ctd_count")
    )
    tag = site.db.scalar(ChangeTagDef.select(ChangeTagDef.ctd_id))
    first = revision_ids(site, "Alpha")[0]
    site.db.insert_many(ChangeTag, [(first, tag)], ("ct_rev_id", "ct_tag_id"))


def _suppress(site: Site) -> None:
    first, second = revision_ids(site, "Suppressed")
    for revision, bits in ((first, TEXT), (second, TEXT | COMMENT | USER)):
        site.db.execute_write(Revision.update(rev_deleted=bits).where(Revision.rev_id == revision))
