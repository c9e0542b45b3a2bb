"""Messages are read where MediaWiki, its extensions and a plain folder have them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from wikiapi.errors import DumpError
from wikiapi.importing.messages import folder as folder_module
from wikiapi.importing.messages.folder import MessageFolder


def write(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(data)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A MediaWiki tree, whose extensions are links, as in Debian."""
    root = tmp_path / "mediawiki"
    write(root / "languages/i18n/fr.json", {"@metadata": {"authors": []}, "about": "core"})
    write(root / "languages/i18n/exif/fr.json", {"exif-make": "exif"})
    write(root / "languages/i18n/qqq.json", {"about": "explained"})
    write(root / "includes/api/i18n/fr.json", {"apierror-x": "api"})
    write(root / "skins/Vector/i18n/fr.json", {"vector-more": "skin"})
    write(root / "skins/README", b"no folder")
    real = tmp_path / "extensions-core" / "Cite"
    write(real / "i18n/fr.json", {"cite": "extension"})
    write(real / "i18n/api/fr.json", {"apihelp-cite": "inner"})
    write(real / "modules/ve-cite/i18n/fr.json", {"ve-cite": "nested"})
    write(real / "node_modules/x/i18n/fr.json", {"ignored": "x"})
    (real / "again").symlink_to(real)
    (root / "extensions").mkdir()
    (root / "extensions" / "Cite").symlink_to(real)
    return root


def test_a_mediawiki_tree(tree: Path) -> None:
    assert dict(MessageFolder(tree).texts("fr").items()) == {
        "about": "core",
        "apierror-x": "api",
        "apihelp-cite": "inner",
        "cite": "extension",
        "exif-make": "exif",
        "ve-cite": "nested",
        "vector-more": "skin",
    }


def test_an_extension(tree: Path) -> None:
    texts = MessageFolder(tree / "extensions" / "Cite").texts("fr")
    assert dict(texts.items()) == {"cite": "extension", "apihelp-cite": "inner"}


def test_a_plain_folder(tmp_path: Path) -> None:
    write(tmp_path / "fr.json", {"a": "b"})
    write(tmp_path / "de.json.gz", gzip.compress(b'{"c": "d"}'))
    write(tmp_path / "notes.txt", b"")
    source = MessageFolder(tmp_path)
    assert dict(source.texts("fr").items()) == {"a": "b"}
    assert dict(source.texts("de").items()) == {"c": "d"}
    assert len(source.texts("ja")) == 0


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"<?php", "fr.json: not JSON"),
        (["about"], "fr.json: not a file of messages"),
        ({"about": 7}, "fr.json: the message 'about' is not a text"),
        ({"a\nb": "x"}, r"fr.json: 'a\\nb' is not the name of a message"),
        ({"about": "x" * 3000}, "fr.json: more than 0 MiB"),
        (b'{"about": "\\ud800"}', "fr.json: not JSON"),
    ],
)
def test_a_file_that_is_none_of_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: Any, problem: str
) -> None:
    monkeypatch.setattr(folder_module, "_MAX_BYTES", 2000)
    write(tmp_path / "fr.json", content)
    with pytest.raises(DumpError, match=problem):
        MessageFolder(tmp_path).texts("fr")


@pytest.mark.parametrize(
    "data", [b"\x1f\x8b", b"no gzip", gzip.compress(b"{}")[:-4], gzip.compress(bytes(10_000))]
)
def test_a_damaged_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(folder_module, "_MAX_BYTES", 2000)
    write(tmp_path / "fr.json.gz", data)
    with pytest.raises(DumpError, match=r"fr.json.gz: (cannot be read|more than)"):
        MessageFolder(tmp_path).texts("fr")


def test_a_folder_without_messages(tmp_path: Path) -> None:
    with pytest.raises(DumpError, match="contains no messages: neither languages/i18n"):
        MessageFolder(tmp_path)
