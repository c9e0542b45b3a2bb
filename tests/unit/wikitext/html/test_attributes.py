"""Values of attributes as later stages of the parser must find them: without any markup."""

from __future__ import annotations

import pytest

from wikiapi.wikitext.html.attributes import encode_attribute

VALUES = {
    "plain words": "plain words",
    'a&b"c<d>e': "a&amp;b&quot;c&lt;d&gt;e",
    "one\ntwo\rthree\tfour": "one&#10;two&#13;three&#9;four",
    "{{a|[[b]]}}": "&#123;&#123;a&#124;&#91;&#91;b&#93;&#93;&#125;&#125;",
    "__NOTOC__": "&#95;_NOTOC&#95;_",
    "___": "&#95;__",
    "it's": "it's",
    "''a'''": "&#39;&#39;a&#39;&#39;&#39;",
    "https://example.org": "https&#58;//example.org",
    "https:/example.org": "https:/example.org",
}


@pytest.mark.parametrize("value", VALUES)
def test_markup_in_a_value_is_escaped(value: str) -> None:
    assert encode_attribute(value) == VALUES[value]
