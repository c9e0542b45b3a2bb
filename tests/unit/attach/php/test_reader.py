"""What files of PHP assign. The cases are in ``tests/fixtures/localsettings/php.json``."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cases import FIXTURES
from wikiapi.attach.php.reader import LocalSettings, Problem, read_local_settings
from wikiapi.errors import ConfigError

pytest.importorskip("tree_sitter_php")

CASES: dict[str, Any] = json.loads((FIXTURES / "localsettings" / "php.json").read_text("utf-8"))
PHP = shutil.which("php")


def read(path: Path) -> LocalSettings:
    return read_local_settings(path, {}, {"NS_MAIN": 0})


def read_text(folder: Path, text: str) -> LocalSettings:
    path = folder / "LocalSettings.php"
    path.write_text(f"<?php\n{text}", encoding="utf-8")
    return read(path)


def with_text_keys(value: Any) -> Any:
    """Return a value as JSON has it, whose objects have no numbers for names."""
    if not isinstance(value, dict):
        return value
    return {str(key): with_text_keys(each) for key, each in value.items()}


def said(problem: Problem) -> str:
    names = [*problem.variables, *(f"extension {each}" for each in problem.extensions)]
    changes = ", ".join([*names, *problem.others])
    return f"line {problem.place.line}: {problem.reason}" + (f": {changes}" if changes else "")


def settings_of(result: LocalSettings) -> dict[str, Any]:
    return {name: value for name, value in result.values.items() if name.startswith("wg")}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    result = read_text(tmp_path, "\n".join(case["php"]))
    assert with_text_keys(settings_of(result)) == case["values"]
    assert list(map(said, result.problems)) == case.get("problems", [])
    assert list(result.extensions) == case.get("extensions", [])
    assert list(result.skins) == case.get("skins", [])


@pytest.mark.skipif(PHP is None, reason="php is not installed")
@pytest.mark.parametrize(
    "case", [case for case in CASES.values() if "problems" not in case and "skins" not in case]
)
def test_case_is_right(case: dict[str, Any], tmp_path: Path) -> None:
    """PHP itself assigns what the case says."""
    assert PHP is not None
    names = ", ".join(f"'{name}' => ${name}" for name in case["values"])
    show = (
        "register_shutdown_function( function () {"
        f" extract( $GLOBALS ); echo '@@' . json_encode( [ {names} ] );"
        " } );"
    )
    code = "\n".join(
        ["<?php define( 'MEDIAWIKI', 1 ); define( 'NS_MAIN', 0 ); $x = 0;", show, *case["php"]]
    )
    (tmp_path / "case.php").write_text(code, encoding="utf-8")
    options = ["-d", "error_reporting=0", "-d", "serialize_precision=-1"]
    done = subprocess.run(
        [PHP, *options, str(tmp_path / "case.php")], capture_output=True, text=True, check=False
    )
    values = json.loads(done.stdout.rpartition("@@")[2])
    assert as_objects(values) == with_text_keys(case["values"])


def as_objects(value: Any) -> Any:
    """Return PHP's JSON with objects for lists."""
    if isinstance(value, list):
        value = dict(enumerate(value))
    if isinstance(value, dict):
        return {str(key): as_objects(each) for key, each in value.items()}
    return value


# Random literals

SCALARS = (
    st.text(st.characters(exclude_categories=["Cs", "Cc"]))
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.booleans()
    | st.none()
)
KEYS = st.text(st.characters(exclude_categories=["Cs", "Cc"])) | st.integers(-(2**62), 2**62)
VALUES = st.recursive(
    SCALARS, lambda inner: st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)


def written(value: Any, draw: Any) -> str:
    """Return a value as PHP, in one of the ways to write it."""
    if isinstance(value, dict):
        opening, closing = draw(st.sampled_from([("[", "]"), ("array(", ")"), ("[\n\t", ",\n]")]))
        elements = [f"{written(k, draw)} => {written(v, draw)}" for k, v in value.items()]
        return f"{opening} {', '.join(elements)} {closing}" if elements else "[]"
    if isinstance(value, bool) or value is None:
        return draw(st.sampled_from([str.lower, str.upper]))(
            "null" if value is None else str(value)
        )
    if isinstance(value, int):
        return str(value)
    single = value.replace("\\", "\\\\").replace("'", "\\'")
    double = value.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    half = len(value) // 2
    first, second = (written_text(part) for part in (value[:half], value[half:]))
    return str(draw(st.sampled_from([f"'{single}'", f'"{double}"', f"{first} . {second}"])))


def written_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def normalized(value: Any) -> Any:
    """Return a value whose keys are as PHP makes them."""
    from wikiapi.attach.php.values import key_of

    if not isinstance(value, dict):
        return value
    return {key_of(key): normalized(each) for key, each in value.items()}


@given(data=st.data(), value=VALUES)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100
)
def test_literals_are_read_back(data: st.DataObject, value: Any, tmp_path: Path) -> None:
    result = read_text(tmp_path, f"$wgX = {written(value, data.draw)};")
    assert result.problems == []
    assert result.values["wgX"] == normalized(value)


@given(text=st.text(max_size=300) | st.text("$wg[]={}()'\"<>;,.?&|\\ \n\taA0/*#", max_size=300))
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100
)
def test_any_text_is_read_or_left_out(text: str, tmp_path: Path) -> None:
    read_text(tmp_path, text.encode("utf-8", "replace").decode())


# Files


def test_files_beside_and_below_are_read_in_their_place(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "a.php").write_text("<?php $wgA = 'a'; $wgB = __DIR__; return; $wgA = 'late';")
    (tmp_path / "more" / "b.php").write_text("<?php $wgC = basename; $wgD = dirname( __FILE__ );")
    result = read_text(
        tmp_path,
        "$wgA = 'before'; require 'a.php'; include_once \"$IP/more/b.php\";"
        "require_once __DIR__ . '/more/b.php'; $wgE = 'after';",
    )
    assert result.values["wgA"] == "a"
    assert result.values["wgB"] == str(tmp_path)
    assert result.values["wgD"] == str(tmp_path / "more")
    assert result.values["wgE"] == "after"
    assert [str(problem.place) for problem in result.problems] == ["more/b.php, line 1"]
    assert str(result.places["wgA"]) == "a.php, line 1"


def test_a_folder_called_extensions_may_be_the_wikis_own(tmp_path: Path) -> None:
    (tmp_path / "conf" / "extensions").mkdir(parents=True)
    (tmp_path / "conf" / "extensions" / "cite.php").write_text("<?php wfLoadExtension( 'Cite' );")
    result = read_text(
        tmp_path,
        "require 'conf/extensions/cite.php'; require './extensions/A/A.php';"
        "require '/usr/share/mediawiki/extensions/B/B.php'; require __DIR__ . '/extensions/C.php';",
    )
    assert list(result.extensions) == ["Cite", "A", "B", "C"]
    assert result.problems == []


def test_the_program_ends_in_an_included_file(tmp_path: Path) -> None:
    (tmp_path / "a.php").write_text("<?php exit;")
    assert "wgA" not in read_text(tmp_path, "require 'a.php'; $wgA = 1;").values


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("require '/etc/passwd';", "/etc/passwd, which is not in the folder of LocalSettings.php"),
        ("require '../x.php';", "../x.php, which is not in the folder of LocalSettings.php"),
        ("require 'a/../../x.php';", "a/../../x.php, which is not in the folder"),
        ("require 'link.php';", "link.php, which is not in the folder of LocalSettings.php"),
        ("require 'none.php';", "none.php, which is not there"),
        ("require 'LocalSettings.php';", "LocalSettings.php, which includes itself"),
        ("require 'a';", "a, which is not there"),
        ("require $x;", "a file whose name could not be read (it depends on $x)"),
        ("require 5;", "a file whose name is not one"),
        ('require "a\\0b";', "a file whose name is not one"),
        ("require 'big.php';", "big.php is not read: it has more than 1,000,000 bytes"),
        ("include 'http://x.example/a.php';", "http:/x.example/a.php, which is not there"),
    ],
)
def test_files_that_are_not_read(tmp_path: Path, statement: str, reason: str) -> None:
    wiki = tmp_path / "wiki"
    (wiki / "a").mkdir(parents=True)
    (tmp_path / "x.php").write_text("<?php $wgX = 1;")
    (wiki / "link.php").symlink_to(tmp_path / "x.php")
    (wiki / "big.php").write_text("<?php " + " " * 1_000_000)
    result = read_text(wiki, statement)
    assert "wgX" not in result.values
    (problem,) = result.problems
    assert problem.reason.replace(f"{wiki}/", "").replace(f"{tmp_path}/", "../").startswith(reason)
    assert result.loads_others


def test_files_that_include_each_other(tmp_path: Path) -> None:
    (tmp_path / "a.php").write_text("<?php $wgA[] = 1; include 'b.php';")
    (tmp_path / "b.php").write_text(
        "<?php $wgB[] = 1; include 'a.php'; include 'LocalSettings.php';"
    )
    result = read_text(tmp_path, "include 'a.php';")
    assert settings_of(result) == {"wgA": {0: 1}, "wgB": {0: 1}}
    assert [each.reason for each in result.problems] == [
        "a.php, which includes itself",
        "LocalSettings.php, which includes itself",
    ]


def test_a_file_that_is_included_very_often(tmp_path: Path) -> None:
    (tmp_path / "a.php").write_text("<?php $wgA = 1;")
    result = read_text(tmp_path, "include 'a.php';\n" * 300)
    assert result.problems[0].reason == "a.php, after 100 other files"


def test_a_link_to_the_file_has_two_folders(tmp_path: Path) -> None:
    """MediaWiki's folder has a link to the file in a folder of the system, as on Debian."""
    for name in ("mediawiki", "etc"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "more.php").write_text(f"<?php $wgA[] = '{name}';")
    text = '<?php require "$IP/more.php"; require __DIR__ . "/more.php"; $wgIP = $IP;'
    (tmp_path / "etc" / "LocalSettings.php").write_text(text)
    link = tmp_path / "mediawiki" / "LocalSettings.php"
    link.symlink_to(tmp_path / "etc" / "LocalSettings.php")
    result = read(link)
    assert result.problems == []
    assert result.values["wgA"] == {0: "mediawiki", 1: "etc"}
    assert result.values["wgIP"] == str(tmp_path / "mediawiki")


# Hostile files


@pytest.mark.parametrize(
    "text",
    [
        "$wgX = " + "[" * 10_000 + "]" * 10_000 + ";",
        "$wgX = " + "(" * 10_000 + "1" + ")" * 10_000 + ";",
        "$wgX = " + "[" * 40_000,
        "$wgX = 1" + " . 1" * 10_000 + ";",
        "$wgX" + "[0]" * 10_000 + " = 1;",
        "if ( 1 ) {" * 5_000 + "$wgX = 1;" + "}" * 5_000,
        "$wgX = " + "!" * 20_000 + "1;",
        "$wgX = 'x'; " + "$wgX .= $wgX;" * 100,
        "$wgX = [ 1 ]; " + "$wgX[] = $wgX;" * 1_000,
        "$wgX = [ 1 ]; " + "$wgX = [ $wgX ];" * 5_000,
        "$wgX = [ 1 ]; " + "$wgX['x'] = $wgX;" * 5_000,
        "$wgX = 'x'; " + "$wgX = [ $wgX, $wgX ];" * 100,
        "$wgX = " + "9" * 20_000 + ";",
        "$wgX = 1e999 - 1e999; $wgY = (int)1e999; $wgZ[1e999] = 1;",
        '$wgX = "' + "{$wgX}" * 10_000 + '";',
        "$wgX = <<<A\n" + "<<<A\n" * 10_000,
        "wfLoadExtensions( [" + "'a'," * 20_000 + "] );",
        "if ( $x ) { wfLoadExtensions( [" + "'a'," * 20_000 + "] ); }",
        "$wgX" + "['a']" * 10_000 + " = foo();",
        "require '" + "extensions/" * 10_000 + "';",
        "\0" * 20_000,
        "?>" + "<?php ?>" * 10_000,
    ],
    ids=lambda text: str(text[:30]),
)
def test_hostile_text_ends_soon(tmp_path: Path, text: str) -> None:
    start = time.perf_counter()
    with suppress(ConfigError):
        assert len(str(read_text(tmp_path, text).values.get("wgX"))) < 2_000_000
    assert time.perf_counter() - start < 20


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", "is not a file of PHP"),
        (b"\x00\xff binary", "is not a file of PHP"),
        (b"<?php " + b" " * 1_000_000, "has more than 1,000,000 bytes"),
    ],
)
def test_files_that_are_none(tmp_path: Path, content: bytes, error: str) -> None:
    (tmp_path / "x.php").write_bytes(content)
    with pytest.raises(ConfigError, match=error):
        read(tmp_path / "x.php")


def test_no_file(tmp_path: Path) -> None:
    for path in (tmp_path / "none.php", tmp_path):
        with pytest.raises(ConfigError, match="cannot read"):
            read(path)


def test_a_parser_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "tree_sitter_php", None)
    with pytest.raises(ConfigError, match=r"pip install 'wikiapi-server\[localsettings\]'"):
        read_text(tmp_path, "$wgX = 1;")
