from __future__ import annotations

import pytest

from wikiapi.wikitext.preprocess.preprocessor import Preprocessor
from wikiapi.wikitext.source import section_text

TEXT = """before

== One ==
a
=== Below ===
b
<nowiki>
== None ==
</nowiki>
== Two ==
{{T|
== In a call ==
}}
== Three ==
c


"""


@pytest.fixture(scope="module")
def preprocessor() -> Preprocessor:
    return Preprocessor(["nowiki"], 1000)


@pytest.mark.parametrize(
    ("section", "begins", "ends"),
    [
        ("0", "before", "before"),
        ("1", "== One ==", "</nowiki>"),
        ("2", "=== Below ===", "</nowiki>"),
        ("3", "== Two ==", "}}"),
    ],
)
def test_sections(section: str, begins: str, ends: str, preprocessor: Preprocessor) -> None:
    text = section_text(TEXT, section, preprocessor)
    assert text is not None
    assert text.startswith(begins)
    assert text.endswith(ends)


def test_text_without_headings(preprocessor: Preprocessor) -> None:
    assert section_text("x\n\u3000\n", "0", preprocessor) == "x\n\u3000"


@pytest.mark.parametrize("section", ["99", "-1", "1\n", "٣", "x", "", "T-9", "1_0", "9" * 5000])
def test_no_such_section(section: str, preprocessor: Preprocessor) -> None:
    assert section_text(TEXT, section, preprocessor) is None


def test_sections_of_a_transcluded_page_are_counted_apart(preprocessor: Preprocessor) -> None:
    text = "<noinclude>\n== Own ==\n</noinclude>\n== Both ==\nx"
    assert section_text(text, "2", preprocessor) == "== Both ==\nx"
    assert section_text(text, "T-1", preprocessor) == "== Both ==\nx"
