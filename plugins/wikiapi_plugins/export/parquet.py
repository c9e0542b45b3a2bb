"""A dataset: pages and chunks as Parquet files, with a card that describes them.

The layout is that of the Hugging Face Hub: https://huggingface.co/docs/hub/datasets-cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from wikiapi.errors import PluginError
from wikiapi.languages import html_code
from wikiapi.site import Site
from wikiapi.texts import counted
from wikiapi_plugins.export import CHUNKS, PAGES

_CARD = "README.md"
_ROWS = 1_000
"""Rows of a row group, and so of what is in memory at once."""
_KINDS: Mapping[str, str] = {PAGES: "page", CHUNKS: "chunk"}
_OF_REVISION = (
    ("page_id", "int64", "the id of the page"),
    ("revision_id", "int64", "the id of the revision"),
    ("timestamp", "timestamp", "when the revision was saved"),
    ("title", "string", "the title with its namespace"),
    ("namespace", "int32", "the number of the namespace"),
)
_CATEGORIES = ("categories", "strings", "the categories of the page")
_COLUMNS: Mapping[str, Sequence[tuple[str, str, str]]] = {
    PAGES: (
        ("id", "string", "identifies the page in this and other datasets of the wiki"),
        *_OF_REVISION,
        ("url", "string", "the address of the page"),
        _CATEGORIES,
        ("sections", "sections", "the level, title and anchor of each heading"),
        ("text", "string", "the page as Markdown, with templates expanded"),
    ),
    CHUNKS: (
        ("id", "string", "identifies the chunk"),
        *_OF_REVISION,
        _CATEGORIES,
        ("section", "strings", "the headings above the chunk, from the outermost"),
        ("url", "string", "the address of the section"),
        ("text", "string", "a part of the page as Markdown"),
    ),
}
"""The columns of each kind of record: name, type, and meaning."""


def check_pyarrow() -> None:
    """Check that pyarrow is installed.

    Raises:
        PluginError: it is not installed.
    """
    _pyarrow()


def write_dataset(site: Site, records: Path, kinds: Sequence[str]) -> None:
    """Write the Parquet files and the card beside a file of JSON lines.

    Args:
        site: the wiki.
        records: the file, with records of these kinds.
        kinds: :data:`~wikiapi_plugins.export.PAGES`, :data:`~wikiapi_plugins.export.CHUNKS`.
    """
    numbers = {kind: _write_file(records, kind) for kind in kinds}
    card = _card(site, numbers)
    (records.parent / _CARD).write_text(card, encoding="utf-8", newline="\n")


def _write_file(records: Path, kind: str) -> int:
    """Write the records of one kind to a Parquet file, and return their number."""
    arrow, parquet = _pyarrow()
    types = {
        "string": arrow.string(),
        "int32": arrow.int32(),
        "int64": arrow.int64(),
        "timestamp": arrow.timestamp("s", tz="UTC"),
        "strings": arrow.list_(arrow.string()),
        "sections": arrow.list_(
            arrow.struct(
                [("level", arrow.int8()), ("title", arrow.string()), ("anchor", arrow.string())]
            )
        ),
    }
    schema = arrow.schema([(name, types[kept_as]) for name, kept_as, _ in _COLUMNS[kind]])
    path = records.with_name(f"{kind}.parquet")
    part = path.with_name(f"{path.name}.part")
    written = 0
    with parquet.ParquetWriter(part, schema, compression="zstd") as writer:
        rows = _rows(records, kind)
        while batch := list(islice(rows, _ROWS)):
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))
            written += len(batch)
    part.replace(path)
    return written


def _rows(records: Path, kind: str) -> Iterator[dict[str, Any]]:
    names = [name for name, *_ in _COLUMNS[kind]]
    with records.open("rb") as lines:
        for line in lines:
            record = orjson.loads(line)
            if record["kind"] == _KINDS[kind]:
                row = {name: record[name] for name in names}
                # The timestamps of some imported revisions are no dates.
                try:
                    row["timestamp"] = datetime.fromisoformat(row["timestamp"])
                except ValueError:
                    row["timestamp"] = None
                yield row


def _card(site: Site, numbers: Mapping[str, int]) -> str:
    """Return the description of the dataset, with the metadata that libraries read."""
    settings = site.config.site
    metadata: dict[str, Any] = {
        "pretty_name": settings.name,
        "language": [html_code(site.language)],
        "configs": [
            {
                "config_name": kind,
                "data_files": f"{kind}.parquet",
                **({"default": True} if place == 0 else {}),
            }
            for place, kind in enumerate(numbers)
        ],
    }
    # JSON values are valid YAML.
    head = "".join(f"{name}: {orjson.dumps(value).decode()}\n" for name, value in metadata.items())
    rights = settings.rights_text or settings.rights_url
    wiki = f"<{settings.source}>" if settings.source else settings.name
    about = [
        f"# {settings.name}",
        f"Pages of {wiki}, rendered and converted to Markdown by wikiapi, without redirects.",
        *([f"License of the texts: {rights} {settings.rights_url}".rstrip()] if rights else []),
    ]
    for kind, number in numbers.items():
        about.append(f"## `{kind}`: {counted(number, _KINDS[kind])}")
        rows = [f"| `{name}` | {meaning} |" for name, _, meaning in _COLUMNS[kind]]
        about.append("\n".join(("| column | content |", "|---|---|", *rows)))
    return f"---\n{head}---\n\n" + "\n\n".join(about) + "\n"


def _pyarrow() -> tuple[Any, Any]:
    """Return the modules ``pyarrow`` and ``pyarrow.parquet``.

    Raises:
        PluginError: they are not installed.
    """
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise PluginError(
            "--parquet needs pyarrow: pip install 'wikiapi-server[parquet]'"
        ) from error
