"""What is believed of another wiki's answers about its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

import pytest

from wikiapi.errors import DumpError
from wikiapi.filerepo.scaling import Size
from wikiapi.importing.files.remote import FilesAnswer, RemoteFiles
from wikiapi.importing.live.client import LiveApi
from wikiapi.store.write.ids import Person

SHA1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"
INFO: dict[str, Any] = {
    "timestamp": "2020-01-02T03:04:05Z", "user": "Ada", "userid": 7, "comment": "new",
    "url": "//files.example/A.png", "descriptionurl": "https://a.example/wiki/File:A.png",
    "size": 9, "width": 3, "height": 2, "sha1": SHA1, "mime": "video/webm", "mediatype": "VIDEO",
    "extmetadata": {
        "ImageDescription": {"value": "<b>A</b> &amp; [[b]] &lt;/nowiki>"},
        "Artist": {"value": "<a href='x'>Ada</a>"},
        "LicenseShortName": {"value": "CC0"},
    },
}  # fmt: skip
PAGE: dict[str, Any] = {
    "title": "Datei:A.png", "imagerepository": "local", "imageinfo": [INFO],
    "revisions": [{"slots": {"main": {"content": "About."}}}],
}  # fmt: skip
ANSWER = {"normalized": [{"from": "File:A.png", "to": "Datei:A.png"}], "pages": [PAGE]}


class Answering(LiveApi):
    """An API that answers all with the same."""

    answer: Any = None
    asked: Mapping[str, str | int] = {}

    def query(self, params: Mapping[str, str | int]) -> Iterator[dict[str, Any]]:
        self.asked = params
        yield self.answer


def files_of(answer: Any, prefix: str = "") -> FilesAnswer:
    api = Answering("https://a.example/w/api.php")
    api.answer = answer
    return RemoteFiles(api, prefix, "en", 1000).find(["A.png"])


def changed(**values: Any) -> dict[str, Any]:
    answer = deepcopy(ANSWER)
    answer["pages"][0]["imageinfo"][0].update(values)
    return answer


def test_a_file_of_the_wiki_itself() -> None:
    (file,) = files_of(ANSWER).files
    assert (file.name, file.url, file.size) == ("A.png", "https://files.example/A.png", 9)
    assert len(file.sha1) == 31
    origin = file.origin
    assert origin.uploader == Person(7, "Ada")
    assert (origin.comment, origin.timestamp) == ("new", "20200102030405")
    assert (origin.text, origin.mime, origin.media_type) == ("About.", "video/webm", "VIDEO")
    assert origin.size == Size(3, 2)


@pytest.mark.parametrize("is_shared", [True, False])
def test_a_file_of_a_third_wiki(is_shared: bool) -> None:
    answer = deepcopy(ANSWER)
    if is_shared:
        answer["pages"][0]["imagerepository"] = "commons"
    (file,) = files_of(answer, "" if is_shared else "commons").files
    assert file.origin.uploader == Person(0, "commons>Ada")
    assert file.origin.text == (
        "<nowiki>A & [[b]] &lt;/nowiki></nowiki>\n\n"
        "<nowiki>Ada</nowiki> · <nowiki>CC0</nowiki> · https://a.example/wiki/File:A.png"
    )


def test_digests_of_both_kinds() -> None:
    (file,) = files_of(changed(sha1="phoiac9h4m842xq45sp7s6u21eteeq1")).files
    assert file.sha1 == files_of(ANSWER).files[0].sha1


@pytest.mark.parametrize(
    "values", [{"filemissing": True}, {"url": ""}, {"url": None}, {"filehidden": True}]
)
def test_files_that_are_not_there(values: dict[str, Any]) -> None:
    assert files_of(changed(**values)) == FilesAnswer()
    assert files_of({"pages": [{"title": "File:A.png", "missing": True}]}) == FilesAnswer()
    assert files_of({}) == FilesAnswer()


def test_what_is_wrong_with_a_file_is_told_of_it() -> None:
    assert files_of(changed(sha1="")).wrong[0][0] == "A.png"
    assert files_of(changed(sha1="x" * 40)).files == []
    assert "size" in files_of(changed(size=-1)).wrong[0][1]
    assert files_of(changed(timestamp="2020-02-30T00:00:00Z")).wrong


def test_odd_names_and_types_are_not_taken_over() -> None:
    (file,) = files_of(changed(user="a\nb", mime="x", mediatype="<b>")).files
    assert file.origin.uploader == Person(0, "Unknown user")
    assert (file.origin.mime, file.origin.media_type) == ("", "")
    (file,) = files_of(changed(comment="x" * 9000)).files
    assert len(file.origin.comment) == 500
    answer = deepcopy(ANSWER)
    answer["pages"][0]["revisions"][0]["slots"]["main"]["content"] = "x" * 1001
    assert files_of(answer).files[0].origin.text == ""


def test_redirects_in_a_circle_end() -> None:
    steps = [{"from": "File:A.png", "to": "B"}, {"from": "B", "to": "File:A.png"}]
    assert files_of({"redirects": steps, "pages": []}) == FilesAnswer()


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    if isinstance(value, dict | list):
        for name, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*at, name))


@pytest.mark.parametrize(
    "odd", [None, True, -1, 10**30, 1.5, "", "\0", "x" * 70_000, "http://[", [], {}, [[]], [{}]]
)
def test_no_answer_raises_anything_else(odd: Any) -> None:
    for at in places(ANSWER):
        answer: Any = deepcopy(ANSWER)
        if not at:
            continue
        inner = answer
        for name in at[:-1]:
            inner = inner[name]
        inner[at[-1]] = odd
        for prefix in ("", "far"):
            try:
                files_of(answer, prefix)
            except DumpError:
                continue
