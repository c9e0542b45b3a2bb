"""Checks of the store: its database, layout, permissions and contents, and their titles."""

from __future__ import annotations

import stat
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from peewee import fn

from wikiapi.attach.extensions import usual_names
from wikiapi.cli.doctor.installation import Installation, note, problem, warning
from wikiapi.cli.support.advice import advice_for
from wikiapi.config import Config
from wikiapi.errors import CollationUnavailable
from wikiapi.factory import NOT_OURS
from wikiapi.importing.gaps import UnknownName, recorded_names, runs_lua, sample_names
from wikiapi.importing.importer import unfinished
from wikiapi.importing.origin import load_origin, messages_command, wiki_id
from wikiapi.importing.siteinfo import differences
from wikiapi.languages.casing import capitals, with_capital
from wikiapi.pages.links.collation import collation_change, names_of_keys, wrong_keys
from wikiapi.pages.links.derivation import changed_settings
from wikiapi.site import Site
from wikiapi.store.check import Finding
from wikiapi.store.copying import is_unfinished
from wikiapi.store.database import Database
from wikiapi.store.fulltext import index_of
from wikiapi.store.models import ALL_MODELS, Content, ContentModels, Page, PageLinks
from wikiapi.store.queries import interwiki, pages
from wikiapi.store.schema import migrate
from wikiapi.store.write.bulk import missing_indexes
from wikiapi.texts import counted
from wikiapi.title.namespaces import Namespace

_NAME = "store"
_SQLITE = "sqlite:///"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def check_reachable(installation: Installation) -> Iterator[Finding]:
    """Check that the database can be reached."""
    if installation.config and installation.store is None and installation.store_error:
        error = installation.store_error
        yield problem(_NAME, str(error), advice_for(error))


def check_layout(db: Database) -> Iterator[Finding]:
    """Check that wikiapi supports the version of the store's layout."""
    version = migrate.version(db)
    has_pages = migrate.has_table(db, "page")
    if not version and not has_pages:
        yield problem(_NAME, "the database has no tables", "`wikiapi import DUMP` creates them.")
    elif not version:
        text = "this is a MediaWiki database: wikiapi serves it, but never writes to it"
        advice = (
            "`wikiapi config from LocalSettings.php` takes over the wiki's name, paths, namespaces"
            " and other settings."
        )
        yield note(_NAME, text, advice)
    elif version > migrate.LATEST:
        text = f"the store has layout {version}, but this version of wikiapi knows {migrate.LATEST}"
        yield problem(_NAME, text, "`pip install --upgrade wikiapi-server`")
    elif version < migrate.LATEST:
        text = f"the store has layout {version}, but {migrate.LATEST} is required"
        yield problem(_NAME, text, "Copy the store, then run `wikiapi db upgrade`.")


def check_writable(installation: Installation) -> Iterator[Finding]:
    """Check that a wiki that should be writable has a database to which wikiapi can write."""
    config, db = installation.config, installation.store
    if config is None or db is None or not config.site.writable:
        return
    if not migrate.version(db) and migrate.has_table(db, "page"):
        advice = "Set writable = false in [site], or import a dump of the wiki into a new store."
        yield problem(_NAME, NOT_OURS, advice)
    elif config.database.read_only:
        text = "site.writable has no effect, because database.read_only is set: nobody can log in"
        yield warning(_NAME, text, "Set one of them to false.")


def check_permissions(config: Config) -> Iterator[Finding]:
    """Check that other users cannot open the file, which contains suppressed texts."""
    url = config.database.url
    path = Path(url.removeprefix(_SQLITE))
    if not url.startswith(_SQLITE) or not path.is_file():
        return
    if path.stat().st_mode & _OTHERS:
        mode = stat.filemode(path.stat().st_mode)
        text = f"other users can open {path} ({mode}), which contains data that the API hides"
        yield warning(_NAME, text, f"`chmod 600 {path}`")


def check_tables(db: Database) -> Iterator[Finding]:
    """Check that tables and indexes are complete."""
    if not migrate.has_table(db, "page"):
        return
    names = [model._meta.table_name for model in ALL_MODELS]
    missing = [name for name in names if not migrate.has_table(db, name)]
    if missing and migrate.version(db):
        text = f"tables are missing: {_listed(missing)}"
        yield problem(_NAME, text, "Import the dump again into a new store.")
    elif missing:
        text = f"this MediaWiki is not 1.45: its database lacks {_listed(missing)}"
        yield warning(_NAME, text, "Modules that need them return errors; update.php creates them.")
    if migrate.version(db) and (lacking := missing_indexes(db)):
        text = f"{counted(len(lacking), 'index is', 'indexes are')} missing, so queries are slow:"
        text = f"{text} {_listed(lacking)}"
        yield warning(_NAME, text, "An import was interrupted: `wikiapi links` creates them again.")


def _listed(names: list[str]) -> str:
    first = ", ".join(names[:5])
    return f"{first} and {len(names) - 5} more" if len(names) > 5 else first


_CONTENT = "content"
_LUA_MODEL = "Scribunto"
_SECONDS = 5.0
"""How long to parse pages of a MediaWiki database to find unknown names."""
_LINKS = "`wikiapi links` derives them."
_ALL_LINKS = "`wikiapi links --all` derives them again."
_KEYS = "`wikiapi links` makes them again."
_SEARCH = "`wikiapi db copy` into an empty database creates a store with a complete index."


def check_pages(site: Site) -> Iterator[Finding]:
    """Check that there are pages, and that their import has been completed."""
    db = site.db
    if not _count(db, Page.page_id):
        yield problem(_CONTENT, "the store has no pages", "`wikiapi import DUMP` imports them.")
    for items in unfinished(db):
        text = f"an import was stopped after {counted(items, 'page')}"
        yield warning(_CONTENT, text, "Run the same `wikiapi import` again to resume it.")
    if migrate.version(db) and is_unfinished(db):
        text = "the store is an incomplete copy"
        yield problem(_CONTENT, text, "Run the same `wikiapi db copy` again to complete it.")


def check_links(site: Site) -> Iterator[Finding]:
    """Check that the link tables have been filled."""
    db = site.db
    if migrate.version(db) and (changed := changed_settings(db, site.config)):
        text = f"links were derived with other settings: {', '.join(changed)}"
        yield warning(_CONTENT, text, _LINKS)
    count = _count(db, Page.page_id)
    waiting = int(
        db.scalar(Page.select(fn.COUNT(Page.page_id)).where(Page.page_links_updated.is_null()))
    )
    if waiting and migrate.version(db):
        text = f"the links of {waiting} of {count} pages have not been derived"
        yield warning(_CONTENT, text, _LINKS)
    elif count > 1 and not db.row(PageLinks.select(PageLinks.pl_from).limit(1)):
        yield note(
            _CONTENT, "no page links to another", "`wikiapi links --all` derives them again."
        )


_SAMPLE = 500
"""The number of sort keys that are compared."""


def check_collation(site: Site) -> Iterator[Finding]:
    """Check that the sort keys of categories are those of the wiki's collation."""
    db, order = site.db, site.collation
    if others := [name for name in names_of_keys(db) if name != order.name]:
        text = f"sort keys were made by {_listed(others)}, and {order.name!r} is set"
        keep = f"Set category_collation = {others[0]!r} in [site] of wikiapi.toml."
        yield warning(_CONTENT, text, _KEYS if migrate.version(db) else keep)
        return
    try:
        change = collation_change(db, order) if migrate.version(db) else None
        wrong = list(wrong_keys(db, order, _SAMPLE))
    except CollationUnavailable as error:
        text = (
            f"the wiki sorts by {order.name!r}, and PyICU is not installed: categories keep their"
        )
        text = f"{text} order, their headings are capital letters, and cmstartsortkeyprefix fails"
        yield warning(_CONTENT, text, f"`pip install '{error.package}'`")
        return
    if change:
        yield warning(_CONTENT, str(change).rstrip("."), _KEYS)
    elif wrong:
        first = site.titles.make(*wrong[0]).prefixed_text
        keys = counted(len(wrong), "sort key is not what", "sort keys are not what")
        text = f"{keys} {order.name!r} makes here of the first {_SAMPLE}, such as that of {first!r}"
        other = (
            "Other versions of ICU make other keys, so that starting at a prefix may be inexact."
        )
        yield warning(_CONTENT, text, _ALL_LINKS if migrate.version(db) else other)


def check_search(site: Site) -> Iterator[Finding]:
    """Check that there is a full-text index that contains every page."""
    db = site.db
    if not db.full_text:
        reason = "there is no full-text index"
        if not db.dialect.searches_mediawiki and not migrate.version(db):
            reason = "MediaWiki's own full-text index on a database server is not read"
        text = f"{reason}: list=search answers with an error"
        yield warning(_CONTENT, text, _SEARCH)
        return
    indexed, count = index_of(db).indexed(), _count(db, Page.page_id)
    if indexed is not None and indexed < count:
        text = f"{count - indexed} of {count} pages are not in the full-text index"
        yield warning(_CONTENT, text, _SEARCH)


def check_wiki(site: Site) -> Iterator[Finding]:
    """Check that the configuration belongs to the wiki in the store."""
    imported = wiki_id(site.db)
    configured = site.config.site.wiki_id
    if imported and imported != configured:
        yield warning(
            _CONTENT,
            f"the pages are of the wiki {imported!r}, but the configuration is for {configured!r}",
            "`wikiapi import --write-config NEW.toml` with the same dump writes one that fits;"
            " or set wiki_id, name and the namespaces yourself.",
        )


def check_namespaces(site: Site) -> Iterator[Finding]:
    """Check that every namespace with pages is configured."""
    query = Page.select(Page.page_namespace, fn.COUNT(Page.page_id)).group_by(Page.page_namespace)
    for number, count in site.db.execute(query):
        if site.namespaces.get(number) is None:
            name = " or ".join(usual_names(number)) or "its name"
            yield problem(
                _CONTENT,
                f"{counted(count, 'page is', 'pages are')} in namespace {number}, which is not"
                " configured",
                f"Add [[namespaces]] with id = {number} and {name} to wikiapi.toml.",
            )


def check_main_page(site: Site) -> Iterator[Finding]:
    """Check that the main page exists."""
    title = site.main_page
    if not pages.by_titles(site.db, [title.key]) and _count(site.db, Page.page_id):
        text = f"the main page, {title.prefixed_text!r}, is not in the store"
        yield note(_CONTENT, text, "Set main_page in [site] to an existing page.")


def check_messages(site: Site) -> Iterator[Finding]:
    """Check that there are messages in the wiki's language."""
    if not site.messages.catalog.is_translated(site.language):
        text = f"there are no messages in the wiki's language, {site.language!r}"
        advice = f"Sentences are in English. `{messages_command(site.config.site)}` gets others."
        yield note(_CONTENT, text, advice)


def check_content_models(site: Site) -> Iterator[Finding]:
    """Check that the content models of all pages can be rendered."""
    models = site.content_models
    used = {
        name
        for (name,) in site.db.execute(
            Content.select(ContentModels.model_name)
            .join(ContentModels, on=(ContentModels.model_id == Content.content_model))
            .distinct()
        )
    }
    for name in sorted(used - models.keys() - {"wikitext"}):
        text = f"pages have the content model {name!r}, which no plugin renders"
        yield warning(
            _CONTENT, text, f"`wikiapi plugins` shows whether one for {name} is disabled."
        )
    if _LUA_MODEL in used and not runs_lua():
        text = "there are Lua modules, but Lua is not installed: {{#invoke:}} shows an error"
        yield warning(
            _CONTENT, text, "`pip install 'wikiapi-server[lua]'`, then `wikiapi links --all`."
        )


def check_unknown(site: Site) -> Iterator[Finding]:
    """Report the tags and parser functions that no plugin knows, grouped by extension."""
    if not site.config.site.track_unknown:
        return
    if migrate.version(site.db):
        yield from _unknown(recorded_names(site.db), "")
        return
    sample = sample_names(site, _SECONDS)
    part = "" if sample.parsed >= sample.pages else f" (of the first {sample.parsed})"
    yield from _unknown(sample.names, part)


def _unknown(names: Iterable[UnknownName], part: str) -> Iterator[Finding]:
    by_extension: dict[str, list[str]] = defaultdict(list)
    for name, count, extension in names:
        by_extension[extension].append(f"{name} on {counted(count, 'page')}{part}")
    for extension, unknown in by_extension.items():
        of = f"of the extension {extension}" if extension else "of an unknown extension"
        text = f"no plugin knows {', '.join(unknown)}, {of}"
        advice = "They are shown as text. `wikiapi plugins` lists the plugins, and whether one for"
        yield note(_CONTENT, text, f"{advice} them is disabled.")


def check_interwiki(site: Site) -> Iterator[Finding]:
    """Check that there is an interwiki map, and that its addresses are allowed."""
    rows = interwiki.all_rows(site.db)
    for row in rows:
        if site.interwiki.get(row.prefix) is None:
            text = f"the interwiki prefix {row.prefix!r} is ignored: it leads to {row.url[:100]!r}"
            yield warning(_CONTENT, text, "Use http or https addresses, or relative ones.")
    if not rows:
        text = "the interwiki map is empty, so links to other wikis lead to pages of this one"
        advice = "`wikiapi import --interwiki MAP.json` fills it in a new store."
        yield note(_CONTENT, text, advice)


def _count(db: Database, column: Any) -> int:
    return int(db.scalar(column.model.select(fn.COUNT(column))))


_ENOUGH = 100
"""Pages of a namespace among which, if titles are case-sensitive, some begin with a small
letter."""
_CODE_POINTS = 0x110000


class _Small(NamedTuple):
    """The pages of a namespace that begin with a small letter: their number, and one of them."""

    number: int
    example: str


def check_dump(site: Site) -> Iterator[Finding]:
    """Check that the configuration says what the head of the dump said."""
    origin = load_origin(site.db)
    for text in differences(origin, site.config.site, site.namespaces):
        advice = "Change or remove the setting in wikiapi.toml, unless this is intended."
        yield warning(_CONTENT, text, advice)


def check_capitals(site: Site) -> Iterator[Finding]:
    """Check that the first letters of titles are as the configuration says."""
    query = Page.select(Page.page_namespace, fn.COUNT(Page.page_id)).group_by(Page.page_namespace)
    for number, count in site.db.execute(query):
        namespace = site.namespaces.get(number)
        if namespace is None:
            continue
        small = _small_titles(site.db, number, site.language)
        if namespace.first_letter and small.number:
            begin = counted(small.number, "title begins", "titles begin")
            text = (
                f"{begin} with a small letter in {_name(namespace)}, such as"
                f" {small.example.replace('_', ' ')!r}, but titles are capitalised here, so that"
                " nobody can reach these pages"
            )
            advice = f"To make titles case-sensitive, {_setting(namespace, 'false')}."
            yield warning(_CONTENT, text, advice)
        elif not namespace.first_letter and not small.number and count >= _ENOUGH:
            text = (
                f"none of {count} titles in {_name(namespace)} begins with a small letter, although"
                " they are case-sensitive"
            )
            advice = f"If this is not intended, {_setting(namespace, 'true')}."
            yield note(_CONTENT, text, advice)


def _name(namespace: Namespace) -> str:
    return f"the namespace {namespace.name!r}" if namespace.name else "the main namespace"


def _setting(namespace: Namespace, value: str) -> str:
    if namespace.name:
        return f"set first_letter = {value} in [[namespaces]] with id = {namespace.id}"
    return f"set capital_links = {value} in [site]"


def _small_titles(db: Database, namespace: int, language: str) -> _Small:
    """Return how many titles begin with a letter that is capitalised in a language.

    The next title from each of these letters on is looked up, and those in between are skipped, so
    that this takes as many queries as there are first letters of titles beside them.
    """
    letters = _small_letters(language)
    place, count, example = 0, 0, ""
    in_namespace = Page.page_namespace == namespace
    while place < len(letters):
        letter = letters[place]
        title = db.scalar(
            Page.select(Page.page_title)
            .where(in_namespace, Page.page_title >= letter)
            .order_by(Page.page_title)
            .limit(1)
        )
        if title is None:
            break
        first = str(title)[:1]
        if first == letter:
            example = example or str(title)
            until = Page.page_title < chr(ord(letter) + 1)
            beginning = (in_namespace, Page.page_title >= letter, until)
            count += int(db.scalar(Page.select(fn.COUNT(Page.page_id)).where(*beginning)))
            place += 1
        else:
            place = max(place + 1, bisect_left(letters, first))
    return _Small(count, example)


@lru_cache(maxsize=4)
def _small_letters(language: str) -> tuple[str, ...]:
    """Return the letters of all scripts that titles do not begin with if they are capitalised."""
    own: Mapping[str, str] = capitals(language)
    letters = map(chr, range(_CODE_POINTS))
    return tuple(each for each in letters if each.isalpha() and with_capital(each, own) != each)
