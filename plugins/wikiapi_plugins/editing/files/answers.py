"""The ``imageinfo`` in the answers to uploads."""

from __future__ import annotations

from wikiapi.api import Obj
from wikiapi.filerepo import File
from wikiapi.site import Site
from wikiapi.title import Title
from wikiapi_plugins.editing.files.stash import Stashed
from wikiapi_plugins.editing.files.stashrepository import stashed_file
from wikiapi_plugins.query.files.fileinfo import PROP_NAMES, file_items
from wikiapi_plugins.query.files.fileprops import InfoOptions, ListedVersion, extended_metadata
from wikiapi_plugins.query.files.imageinfo import upload_warnings
from wikiapi_plugins.query.files.stashimageinfo import PROPS_OF_STASHES


def published_info(site: Site, title: Title, *, is_new_page: bool, former: Stashed | None) -> Obj:
    """Return the information about a file that was just published.

    The HTML of the warnings about it is added when the transaction is committed, because it takes
    some time.

    Args:
        site: the wiki.
        title: the title of the file.
        is_new_page: whether its page was created with it. The answer then has no short URL,
            because MediaWiki does not know the page id yet.
        former: the stashed file that was published, if it came from the stash.
    """
    file = site.files.local.find([title.dbkey])[title.dbkey]
    options = _options(site, PROP_NAMES)
    if former is not None and (before := stashed_file(site, former)):
        # MediaWiki caches extended metadata by content, so that a published file still has the
        # object name that it had in the stash.
        shared = extended_metadata(before, before.current)
        options.by_content[file.current.sha1] = shared
    item = _item(site, options, file)
    item["html"] = ""
    site.db.on_commit(lambda: item.update(html=upload_warnings(site, [file])[0]))
    if is_new_page:
        item.pop("descriptionshorturl", None)
    return item


def stashed_info(site: Site, stashed: Stashed) -> Obj | None:
    """Return the information about a stashed file; ``None`` if chunks are missing."""
    file = stashed_file(site, stashed)
    return _item(site, _options(site, PROPS_OF_STASHES), file) if file else None


def _options(site: Site, props: tuple[str, ...]) -> InfoOptions:
    return InfoOptions(frozenset(props), site.files.full_url)


def _item(site: Site, options: InfoOptions, file: File) -> Obj:
    return file_items(site, options, [ListedVersion(file, file.current)])[0]
