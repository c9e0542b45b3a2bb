"""The reference wiki: what an import of its dump makes, against the database it was made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest

from tests.reference import material
from wikiapi.config import load_config
from wikiapi.factory import open_site
from wikiapi.importing.finish import finish_import
from wikiapi.importing.importer import DumpImporter
from wikiapi.importing.siteinfo import fill_interwiki
from wikiapi.importing.source import open_source
from wikiapi.pages.links.update import LinksUpdate
from wikiapi.site import Site
from wikiapi.store.database import Database
from wikiapi.store.models import Image
from wikiapi.store.queries.interwiki import all_rows
from wikiapi.store.schema import migrate

pytest.importorskip("lupa", reason="pages of the wiki call modules")

pytestmark = pytest.mark.skipif(not material.available(), reason=material.MISSING)

# page_is_new is not compared: MediaWiki says 0 of pages that it has itself imported.
EXACT = {
    "pages": "SELECT page_id, page_namespace, page_title, page_latest, page_len,"
    " page_content_model FROM page",
    "revisions": "SELECT rev_id, rev_page, comment_text, actor_name, actor_user, rev_timestamp,"
    " rev_minor_edit, rev_deleted, rev_len, rev_parent_id, rev_sha1 FROM revision"
    " JOIN comment ON comment_id = rev_comment_id JOIN actor ON actor_id = rev_actor",
    "texts": "SELECT slot_revision_id, role_name, slot_origin, content_size, content_sha1,"
    " model_name, old_text, old_flags FROM slots JOIN slot_roles ON role_id = slot_role_id"
    " JOIN content ON content_id = slot_content_id"
    " JOIN content_models ON model_id = content_model"
    " JOIN text ON old_id = CAST(substr(content_address, 4) AS INTEGER)"
    " WHERE slot_revision_id IN (SELECT rev_id FROM revision)",
    "addresses": "SELECT * FROM ip_changes WHERE ipc_rev_id IN (SELECT rev_id FROM revision)",
}
LINKS = {
    "templatelinks": "SELECT tl_from, lt_namespace, lt_title, tl_from_namespace"
    " FROM templatelinks JOIN linktarget ON lt_id = tl_target_id",
    "imagelinks": "SELECT il_from, il_to, il_from_namespace FROM imagelinks",
    "pagelinks": "SELECT pl_from, lt_namespace, lt_title, pl_from_namespace"
    " FROM pagelinks JOIN linktarget ON lt_id = pl_target_id",
    "externallinks": "SELECT el_from, el_to_domain_index, el_to_path FROM externallinks",
    "langlinks": "SELECT ll_from, ll_lang, ll_title FROM langlinks",
    "iwlinks": "SELECT iwl_from, iwl_prefix, iwl_title FROM iwlinks",
    "redirect": "SELECT rd_from, rd_namespace, rd_title, rd_interwiki, rd_fragment FROM redirect",
    "existencelinks": "SELECT exl_from, lt_namespace, lt_title FROM existencelinks"
    " JOIN linktarget ON lt_id = exl_target_id",
    "categorylinks": "SELECT cl_from, lt_title, cl_sortkey, cl_sortkey_prefix, cl_type"
    " FROM categorylinks JOIN linktarget ON lt_id = cl_target_id",
    "page_props": "SELECT pp_page, pp_propname, pp_value FROM page_props",
    "page_is_redirect": "SELECT page_id, page_is_redirect FROM page",
}


LACKING = {
    # The picture lies on the other wiki, which is not asked when links are derived.
    "page_props": [(113, "page_image_free", "Commons_photo.jpg")],
}
"""Rows that MediaWiki has and an import has not, with the reason."""


class Wikis(NamedTuple):
    imported: Site
    reference: Database


@pytest.fixture(scope="module")
def wikis() -> Iterator[Wikis]:
    config = load_config(material.ROOT / "tests" / "reference" / "refwiki.toml")
    reference = Database(f"sqlite:///{material.unpack('refwiki.sqlite')}", read_only=True)
    db = Database("sqlite:///:memory:")
    migrate.upgrade(db)
    fill_interwiki(db, all_rows(reference))
    site = open_site(replace(config, repositories=()), database=db)
    with open_source(str(material.RECORDED / "refwiki.xml.gz")) as source:
        report = DumpImporter(site).import_dump(source)
    assert report.refused == []
    # A dump holds no files; they come by another import.
    columns = tuple(field.name for field in Image._meta.sorted_fields)
    db.insert_many(Image, reference.execute_sql(f"SELECT {', '.join(columns)} FROM image"), columns)
    LinksUpdate(site).run()
    finish_import(site)
    yield Wikis(site, reference)
    db.close()
    reference.close()


@pytest.mark.parametrize("table", EXACT)
def test_pages_and_revisions_are_the_same(wikis: Wikis, table: str) -> None:
    query = EXACT[table]
    assert sorted(wikis.imported.db.execute_sql(query)) == sorted(
        wikis.reference.execute_sql(query)
    )


@pytest.mark.parametrize("table", LINKS)
def test_links_are_the_same(wikis: Wikis, table: str) -> None:
    ours = Counter(wikis.imported.db.execute_sql(LINKS[table]))
    theirs = Counter(wikis.reference.execute_sql(LINKS[table]))
    assert ours - theirs == Counter()
    assert theirs - ours == Counter(LACKING.get(table, ()))
