from __future__ import annotations

import pytest

from wikiapi.wikitext.media.plaintext import visible_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a", "a"),
        (" a \n b ", "a b"),
        ("<b>a</b>b", "ab"),
        ("a<br />b", "a b"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a b"),
        ("a<!-- b -->c", "ac"),
        ("a<!-- b", "a"),
        ("a<style>b</style>c<script>d</script>e", "ace"),
        ("&lt;b&gt; &amp;amp; &#233;", "<b> &amp; é"),
        ("&eacute &notit", "&eacute &notit"),
        ("a < b > c", "a < b > c"),
        ("<a title='x'>b", "b"),
    ],
)
def test_visible_text(html: str, text: str) -> None:
    assert visible_text(html) == text
