"""What can be done with each type of file."""

from __future__ import annotations

import pytest

from wikiapi.filerepo.media import HANDLERS, handler_of
from wikiapi.filerepo.media.svg import LARGEST
from wikiapi.filerepo.scaling import Size, ThumbParams

EXIF = {"Make": "RefCam", "MEDIAWIKI_EXIF_VERSION": 2}


@pytest.mark.parametrize(
    ("mime", "text", "params"),
    [
        ("image/png", "120px", ThumbParams(120)),
        ("image/jpeg", "qlow-120px", ThumbParams(120, quality="low")),
        ("image/svg+xml", "langde-120px", ThumbParams(120, language="de")),
        ("image/svg+xml", "120px", ThumbParams(120)),
        ("image/png", "langde-120px", None),
        ("image/png", "120px\n", None),
        ("image/png", "٣px", None),
        ("image/png", "x", None),
        ("image/png", "9" * 30 + "px", None),
    ],
)
def test_parameters_in_a_name(mime: str, text: str, params: ThumbParams | None) -> None:
    assert HANDLERS[mime].parse_params(text) == params


@pytest.mark.parametrize("mime", HANDLERS)
def test_parameters_are_written_as_they_are_read(mime: str) -> None:
    handler = HANDLERS[mime]
    params = handler.parse_params("120px")
    assert params
    scaled = handler.normalise(params, Size(640, 480))
    assert scaled
    assert handler.write_params(params, scaled) == "120px"


def test_written_language_and_quality() -> None:
    svg, jpeg = HANDLERS["image/svg+xml"], HANDLERS["image/jpeg"]
    german, low = ThumbParams(120, language="de"), ThumbParams(120, quality="low")
    scaled = svg.normalise(german, Size(64, 48))
    assert scaled
    assert svg.write_params(german, scaled) == "langde-120px"
    assert svg.write_params(ThumbParams(120, language="en"), scaled) == "120px"
    assert jpeg.write_params(low, scaled) == "qlow-120px"


def test_bitmaps_are_not_enlarged() -> None:
    scaled = HANDLERS["image/png"].normalise(ThumbParams(2**62), Size(640, 480))
    assert scaled
    assert scaled.physical == (640, 480)


@pytest.mark.parametrize("source", [Size(100, 50), Size(50, 100)])
def test_pictures_of_drawings_are_capped(source: Size) -> None:
    scaled = HANDLERS["image/svg+xml"].normalise(ThumbParams(2**62), source)
    assert scaled
    assert min(scaled.physical) == LARGEST


@pytest.mark.parametrize(
    ("mime", "name", "extension"),
    [
        ("image/jpeg", "A.jpg", "jpg"),
        ("image/jpeg", "A.png", "jpeg"),
        ("image/svg+xml", "A.svg", "png"),
        ("image/webp", "A.webp", "png"),
        ("image/bmp", "A.bmp", "png"),
    ],
)
def test_type_of_thumbnails(mime: str, name: str, extension: str) -> None:
    assert HANDLERS[mime].type_of_thumb(name, mime).extension == extension


def test_no_handler() -> None:
    assert handler_of("audio/ogg") is None


@pytest.mark.parametrize(
    ("mime", "metadata", "common"),
    [
        ("image/jpeg", EXIF, {"Make": "RefCam"}),
        ("image/jpeg", {"_error": "0"}, {}),
        ("image/png", {"metadata": {"_MW_PNG_VERSION": 1, "Artist": "A"}}, {"Artist": "A"}),
        ("image/gif", {"metadata": {"_MW_GIF_VERSION": 1}}, {}),
        ("image/gif", {}, {}),
        ("image/svg+xml", {"width": 1, "title": "T"}, {"ObjectName": "T"}),
        ("image/svg+xml", {0: "T"}, {}),
        ("image/svg+xml", {"error": {"message": "x"}, "title": "T"}, {}),
        ("image/webp", {"media-metadata": {"Make": "M"}}, {"Make": "M"}),
        ("image/bmp", {"a": 1}, {}),
    ],
)
def test_common_metadata(mime: str, metadata: dict[str, object], common: dict[str, object]) -> None:
    assert HANDLERS[mime].common_metadata(metadata) == common


@pytest.mark.parametrize(
    ("version", "converted"),
    [("1", 1), (" 1;2", 1), ("2", 2), ("latest", 2), ("", 2), ("١", 2)],
)
def test_version_of_exif_metadata(version: str, converted: int) -> None:
    metadata = HANDLERS["image/jpeg"].convert_metadata(EXIF, version)
    assert metadata["MEDIAWIKI_EXIF_VERSION"] == converted


@pytest.mark.parametrize(
    ("value", "flat"),
    [
        (["a", "b"], "\n*a\n*b"),
        ({"_type": "ol", "0": "a", "1": "b"}, "\n#a\n#b"),
        ({"_type": "lang", "de": "D", "x-default": "X"}, "X"),
        ({"_type": "lang", "de": "D"}, "D"),
        (["a"], "a"),
        ([], ""),
        (7, 7),
    ],
)
def test_lists_in_version_1_are_text(value: object, flat: object) -> None:
    metadata = HANDLERS["image/jpeg"].convert_metadata(EXIF | {"Key": value}, "1")
    assert metadata["Key"] == flat


@pytest.mark.parametrize(
    ("software", "text"),
    [
        ([["Gimp", "2.8"], ["x", "y"]], "Gimp (Version 2.8)"),
        ([["Gimp"]], "Gimp"),
        ([[]], ""),
    ],
)
def test_software_with_its_version(software: object, text: str) -> None:
    metadata = EXIF | {"Software": software}
    assert HANDLERS["image/jpeg"].convert_metadata(metadata, "1")["Software"] == text
