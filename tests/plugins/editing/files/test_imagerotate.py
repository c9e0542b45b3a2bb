from __future__ import annotations

from tests.plugins.editing.files.uploadwiki import UploadWiki, png


def test_nothing_can_be_rotated(wiki: UploadWiki) -> None:
    with wiki.user("Ada"):
        wiki.upload("New.png", png())
        titles = "File:New.png|File:Described.png|File:None.png|a[b"
        answer = wiki.post("imagerotate", titles=titles, rotation="90")["imagerotate"]
    codes = {item["title"]: item["errors"][0]["code"] for item in answer if item.get("result")}
    assert codes == {
        "File:New.png": "filetypecannotberotated",
        "File:Described.png": "filedoesnotexist",
        "File:None.png": "filedoesnotexist",
    }
    assert [item["title"] for item in answer if item.get("missing")] == ["File:None.png"]
    assert [item["title"] for item in answer if item.get("invalid")] == ["a[b"]
