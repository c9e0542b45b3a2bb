"""Texts of the interface in folders."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiapi.languages.folders import FolderTexts, Texts, with_spaces


def write(folder: Path, language: str, texts: object, *, packed: bool = False) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    data = json.dumps(texts).encode()
    if packed:
        (folder / f"{language}.json.gz").write_bytes(gzip.compress(data))
    else:
        (folder / f"{language}.json").write_bytes(data)
    return folder


def test_the_first_folder_that_has_a_text_is_used(tmp_path: Path) -> None:
    first = write(tmp_path / "first", "fr", {"boat": "bateau", "sea": "mer"})
    second = write(tmp_path / "second", "fr", {"boat": "barque", "sky": "ciel"}, packed=True)
    texts = FolderTexts([first, second])
    assert [texts.get(name, "fr") for name in ("boat", "sea", "sky")] == ["bateau", "mer", "ciel"]
    assert list(texts.names("fr")) == ["boat", "sea", "sky"]


def test_a_folder_may_have_a_wildcard(tmp_path: Path) -> None:
    write(tmp_path / "extensions" / "Boats" / "i18n", "fr", {"boat": "bateau"})
    write(tmp_path / "extensions" / "Skies" / "i18n", "fr", {"sky": "ciel"})
    texts = FolderTexts([f"{tmp_path}/extensions/*/i18n"])
    assert (texts.get("boat", "fr"), texts.get("sky", "fr")) == ("bateau", "ciel")


def test_what_is_not_a_text_is_ignored(tmp_path: Path) -> None:
    content = {"@metadata": {"authors": ["Ada"]}, "boat": "bateau", "list": ["a"], "none": None}
    texts = FolderTexts([write(tmp_path, "fr", content)])
    assert list(texts.names("fr")) == ["boat"]


def test_names_begin_with_a_small_letter_and_spaces_are_kept(tmp_path: Path) -> None:
    texts = FolderTexts([write(tmp_path, "fr", {"Boat-sep": "&#32;et&#32;"})])
    assert texts.get("boat-sep", "fr") == " et "


@pytest.mark.parametrize("name", ["en.json", "fr.json.gz"])
@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\x1f\x8b\x08", b"[" * 100_000, b"\xff"])
def test_a_damaged_file_has_no_texts(
    tmp_path: Path, name: str, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / name).write_bytes(content)
    assert FolderTexts([tmp_path]).get("boat", name[:2]) is None
    assert name in caplog.text


@pytest.mark.parametrize("language", ["de", "../fr", "", "qqq", "fr.json", "/fr", "fr\0"])
def test_a_language_without_a_file_has_no_texts(tmp_path: Path, language: str) -> None:
    write(tmp_path, "fr", {"boat": "bateau"})
    write(tmp_path, "qqq", {"boat": "A thing that swims."})
    assert FolderTexts([tmp_path]).get("boat", language) is None


def test_a_missing_folder_has_no_texts(tmp_path: Path) -> None:
    texts = FolderTexts([tmp_path / "none"])
    assert texts.get("boat", "fr") is None
    assert list(texts.names("fr")) == []


def test_a_language_is_read_when_it_is_first_needed(tmp_path: Path) -> None:
    texts = FolderTexts([write(tmp_path, "fr", {"boat": "bateau"})])
    write(tmp_path, "de", {"boat": "Boot"})
    assert texts.get("boat", "de") == "Boot"
    (tmp_path / "de.json").unlink()
    assert texts.get("boat", "de") == "Boot"


def test_texts_are_read_again_when_the_wiki_is_opened_after_they_have_changed(
    tmp_path: Path,
) -> None:
    write(tmp_path, "fr", {"boat": "bateau"})
    assert FolderTexts([tmp_path]).get("boat", "fr") == "bateau"
    write(tmp_path, "fr", {"boat": "petit bateau"})
    assert FolderTexts([tmp_path]).get("boat", "fr") == "petit bateau"


@given(
    st.dictionaries(st.text(st.characters(codec="utf-8")), st.text(st.characters(codec="utf-8")))
)
def test_texts_are_those_of_the_dictionary(texts: dict[str, str]) -> None:
    packed = Texts(texts)
    assert {name: packed.get(name) for name in packed} == texts
    assert packed.get("no such name, as it is too long for hypothesis to find") is None


def test_references_stand_for_spaces() -> None:
    assert with_spaces("&#32;a&nbsp;b&#160;c&shy;&amp;") == " a\u00a0b\u00a0c\u00ad&amp;"
