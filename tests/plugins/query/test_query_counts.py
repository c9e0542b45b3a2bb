"""The number of database queries is fixed, however much is listed."""

from __future__ import annotations

import pytest

from wikiapi.site import Site
from wikiapi.testing import ask

COUNTS = [
    ("list=allcategories", 1),
    ("list=allcategories&acprop=hidden|size", 2),
    ("list=allusers", 1),
    ("list=allusers&auprop=groups|rights|blockinfo", 4),
    ("list=backlinks&bltitle=Beta", 1),
    ("list=backlinks&bltitle=Beta&blredirect=", 2),
    ("list=backlinks&blpageid=3", 2),
    ("list=blocks", 1),
    ("list=blocks&bkprop=restrictions|parsedreason", 3),
    ("list=categorymembers&cmtitle=Category:Letters", 3),
    ("list=categorymembers&cmtitle=Category:Letters&cmsort=timestamp", 1),
    ("list=embeddedin&eititle=Template:Nav", 1),
    ("list=exturlusage", 1),
    ("list=filearchive", 1),
    ("list=iwbacklinks", 1),
    ("list=langbacklinks", 1),
    ("list=pagepropnames", 1),
    ("list=pageswithprop&pwppropname=notoc", 1),
    ("list=prefixsearch&pssearch=A", 1),
    ("list=protectedtitles", 1),
    ("list=querypage&qppage=Mostlinked", 1),
    ("list=random&rnlimit=max", 2),
    ("list=search&srsearch=lorem&srwhat=text", 6),
    ("list=trackingcategories", 2),  # one for the names of the categories, which are texts
    ("list=users&ususers=Ada|Babbage|Robot&usprop=groups|rights|blockinfo|gender", 6),
    ("prop=categoryinfo&titles=Category:Letters|Category:Greek|Category:Root", 3),
    ("prop=contributors&titles=Alpha|Beta|Talk:Alpha", 3),
    ("prop=extlinks&titles=Alpha|Main Page|Delta", 2),
    ("prop=iwlinks&titles=Alpha|Talk:Alpha&iwprop=url", 2),
    ("prop=langlinks&titles=Alpha|Beta&llprop=url|langname", 2),
    ("prop=pageprops&titles=Alpha|Beta|Category:Greek", 2),
    ("generator=backlinks&gbltitle=Beta", 1),
    ("generator=categorymembers&gcmtitle=Category:Letters", 3),
    ("generator=search&gsrsearch=lorem&gsrwhat=text", 2),
]


@pytest.mark.parametrize(("params", "number"), COUNTS)
def test_number_of_queries(params: str, number: int, link_site: Site) -> None:
    assert link_site.db.full_text
    parts = dict(part.split("=", 1) for part in params.split("&"))
    link_site.messages.names()  # read once, so that the order of the cases does not matter
    with link_site.db.recording() as log:
        assert not ask(link_site, {"action": "query", **parts}).codes
    assert len(log) == number, "\n".join(record.sql for record in log)
