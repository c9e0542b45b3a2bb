from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

pytest_plugins = ["pytester"]

FAMILY = """
import pytest

pytestmark = pytest.mark.wiki({"Tea": "hot", "Water": "wet"}, users=["Ada"])


def test_module(wiki):
    assert wiki.text("Tea") == "hot"
    wiki.edit("Tea", "drunk", user="Ada")


@pytest.mark.wiki(pages={"Tea": "cold"}, clock="2020-02-02T00:00:00Z")
class TestClass:
    def test_class(self, wiki):
        assert (wiki.text("Tea"), wiki.text("Water")) == ("cold", "wet")
        assert wiki.clock.now.year == 2020

    @pytest.mark.wiki({"Water": "ice"}, config={"site": {"language": "de"}})
    def test_function(self, wiki):
        assert (wiki.text("Tea"), wiki.text("Water")) == ("cold", "ice")
        assert wiki.site.language == "de"


def test_isolated(wiki):
    assert wiki.text("Tea") == "hot"
"""


def run(pytester: pytest.Pytester, *options: str, **how: bool) -> pytest.RunResult:
    """Run pytest without a plugin that takes longer to start than our tests to run."""
    run_it = pytester.runpytest_subprocess if how.get("apart") else pytester.runpytest_inprocess
    return run_it("-p", "no:schemathesis", "-p", "no:cacheprovider", *options)


def test_markers_add_up_and_tests_are_isolated(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(FAMILY)
    run(pytester, "--strict-markers").assert_outcomes(passed=4)


def test_a_test_makes_wikis_as_it_needs_them(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        def test_two(make_wiki, wiki):
            other = make_wiki({"Tea": "hot"}, users=["Ada"], interwiki={"de": "https://de.example/$1"})
            assert wiki.text("Tea") is None
            assert other.text("Tea") == "hot"

        def test_wrong(make_wiki):
            with pytest.raises(TypeError, match="a wiki has no file"):
                make_wiki(file=["A.png"])
        """
    )
    run(pytester).assert_outcomes(passed=2)


def test_a_session_has_a_wiki_for_all_its_tests(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        made = []

        @pytest.fixture(scope="session")
        def shared(make_session_wiki):
            made.append(make_session_wiki({"Tea": "hot"}))
            return made[-1]

        def test_one(shared):
            assert shared.text("Tea") == "hot"

        def test_two(shared):
            assert made == [shared]
        """
    )
    run(pytester).assert_outcomes(passed=2)


def test_a_module_has_a_wiki_for_all_its_tests(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        pytestmark = pytest.mark.wiki({"Tea": "hot"}, writable=False)

        @pytest.fixture(scope="module")
        def first(module_wiki):
            return module_wiki

        def test_one(first):
            assert first.text("Tea") == "hot"
            assert not first.site.is_writable

        def test_two(first, module_wiki, wiki):
            assert module_wiki is first
            assert wiki is not first
        """
    )
    run(pytester).assert_outcomes(passed=2)


def test_settings_hold_for_all_wikis(pytester: pytest.Pytester) -> None:
    pytester.makeini(
        """
        [pytest]
        wiki_config = wiki.toml
        wiki_pages = pages
        wiki_clock = 2021-01-01T00:00:00Z
        """
    )
    folder = pytester.mkdir("pages")
    for name, text in {"main/Tea.wikitext": "hot", "template/A%2FB.wikitext": "nested"}.items():
        (folder / name).parent.mkdir()
        (folder / name).write_text(text, encoding="utf-8")
    pytester.path.joinpath("wiki.toml").write_text(
        '[site]\nlanguage = "de"\n[database]\nurl = "sqlite:///nowhere/wiki.sqlite"\n', "utf-8"
    )
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.wiki({"Water": "wet"})
        def test_defaults(wiki):
            assert (wiki.text("Tea"), wiki.text("Template:A/B")) == ("hot", "nested")
            assert wiki.text("Water") == "wet"
            assert wiki.site.language == "de"
            assert wiki.clock.now.year == 2021

        @pytest.mark.wiki({"Tea": "cold"})
        def test_nearer(wiki):
            assert wiki.text("Tea") == "cold"
        """
    )
    run(pytester).assert_outcomes(passed=2)


def test_a_project_overrides_the_defaults(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import pytest
        from wikiapi.testing import Declaration

        @pytest.fixture(scope="session")
        def wiki_defaults():
            return Declaration(users=["Ada"], pages={"Tea": "hot"})
        """
    )
    pytester.makepyfile("def test(wiki):\n    assert wiki.text('Tea') == 'hot'\n")
    run(pytester).assert_outcomes(passed=1)


def test_a_wrong_page_is_an_error_of_its_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.wiki({"[": ""})
        def test_title(wiki):
            pass

        @pytest.mark.wiki(config={"site": {"langauge": "de"}})
        def test_setting(wiki):
            pass
        """
    )
    result = run(pytester)
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*InvalidTitle*", "*langauge*"])


def test_fixtures_and_marker_are_listed_with_their_help(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--markers")
    result.stdout.fnmatch_lines(["@pytest.mark.wiki(pages={}, *"])
    result = run(pytester, "--fixtures")
    result.stdout.fnmatch_lines(["wiki -- *", "*Return a wiki with the declarations*"])
    result.stdout.fnmatch_lines(["make_session_wiki*session scope* -- *"])


def test_a_project_without_wikis_does_not_load_wikiapi(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_modules(pytestconfig):
            assert pytestconfig.pluginmanager.has_plugin("wikiapi")
            ours = {name for name in sys.modules if name.partition(".")[0] == "wikiapi"}
            assert ours == {"wikiapi", "wikiapi.testing", "wikiapi.testing.pytest_plugin"}
            assert not {"peewee", "lark", "werkzeug", "waitress", "pluggy_"} & set(sys.modules)
        """
    )
    run(pytester, apart=True).assert_outcomes(passed=1)


def test_wikiapi_needs_no_pytest(tmp_path: Path) -> None:
    (tmp_path / "pytest.py").write_text("raise ImportError('there is no pytest here')", "utf-8")
    code = "from wikiapi.testing import Wiki, Declaration; Wiki(Declaration()).close(); print('ok')"
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout == "ok\n", done.stderr


def test_only_the_conformance_suite_has_its_assertions_rewritten(pytester: pytest.Pytester) -> None:
    # An editable installation lists no files, from which pytest takes the names of packages.
    pytester.makepyfile(
        early="""
        import pytest

        @pytest.hookimpl(tryfirst=True)
        def pytest_addoption(pluginmanager):
            pluginmanager.rewrite_hook.mark_rewrite("wikiapi", "wikiapi_plugins", "helpers")
        """,
        helpers="def check():\n    assert 'a' + 'b' == 'c'\n",
        test_it="""
        import helpers

        def test(wiki):
            import wikiapi.testing.conformance
            for module in (wikiapi.site, wikiapi.testing.wiki):
                assert "pytest" not in str(module.__cached__) and "@pytest_ar" not in vars(module)
            assert "@pytest_ar" in vars(wikiapi.testing.conformance)
            assert "@pytest_ar" in vars(helpers)
        """,
    )
    run(pytester, "-p", "early", apart=True).assert_outcomes(passed=1)
