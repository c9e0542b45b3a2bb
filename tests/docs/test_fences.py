"""Every fenced block of the documentation runs in a test, or is checked as far as it can be.

What is run: the tutorial, the guides and the named files of other pages here and in
:mod:`tests.docs.test_walks` and :mod:`tests.docs.test_guides`; the curl examples of the README in
:mod:`tests.meta.test_readme`; the sessions and examples of commands in
:mod:`tests.meta.test_commands_docs`. Everything, run or not, has to pass the check of its language.
"""

from __future__ import annotations
import __future__

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import yaml

from docs import commands
from tests.docs import commandlines, test_guides
from tests.docs.fences import ALL, ROOT, Fence, Session, fences_of, name_of, sessions
from tests.docs.test_walks import WALKED
from wikiapi.cli.support.options import Command
from wikiapi.config import parse_config

GUIDES = {f"docs/{guide}.md" for guide in test_guides.GUIDES}
RUN_PAGES = {name_of(page) for page in WALKED} | GUIDES
RUN_FILES = {"ask.py"}
"""Programs that need what their test prepares: see tests/docs/test_walks.py."""
ALLOWED_ACTIONS = re.compile(r"actions/[a-z-]+@v\d+")

PROSE = {
    "text": "output, or a drawing",
    "wikitext": "a page; rendered where its guide is walked through",
    "nginx": "a part of examples/deployment/nginx.conf, which tests/meta/test_deployment.py runs",
}
"""Languages that nothing here can read, and why that is enough."""


def python(fence: Fence) -> Iterator[str]:
    flags = __future__.annotations.compiler_flag
    try:
        code = compile(fence.text, str(fence), "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        yield str(error)
        return
    if fence.page not in RUN_PAGES and fence.file not in RUN_FILES:
        exec(code, {"__name__": "documentation"})


def toml(fence: Fence) -> Iterator[str]:
    data = tomllib.loads(fence.text)
    if fence.file != "pyproject.toml":
        parse_config(data)
    yield from ()


def json_text(fence: Fence) -> Iterator[str]:
    json.loads(fence.text)
    yield from ()


def yaml_text(fence: Fence) -> Iterator[str]:
    """Yield the texts of a job of GitHub or GitLab, whose commands and actions are checked."""
    for key, value in scalars(yaml.safe_load(fence.text)):
        if key == "uses" and not ALLOWED_ACTIONS.fullmatch(value):
            yield f"an action of somebody: {value}"
        if key in ("run", "script"):
            for line in value.splitlines():
                yield from commandlines.problems(line)


def scalars(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a document with the key that it is under."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from scalars(inner, str(name))
    elif isinstance(value, list):
        for inner in value:
            yield from scalars(inner, key)
    elif isinstance(value, str):
        yield key, value


def command_lines(fence: Fence) -> Iterator[str]:
    for session in sessions([fence]):
        yield from commandlines.problems(session.line)


CHECKS: dict[str, Callable[[Fence], Iterator[str]]] = {
    "json": json_text,
    "python": python,
    "sh": command_lines,
    "toml": toml,
    "yaml": yaml_text,
}


def runner(fence: Fence) -> str | None:
    """Return the program that runs a block of commands; ``None`` if it is only checked."""
    if fence.page in {name_of(page) for page in WALKED} and not fence.not_run:
        return "walk"
    if fence.page == "README.md" and fence.text.startswith("curl "):
        return "readme"
    if fence.page == "docs/commands.md":
        return "commands"
    return None


@pytest.mark.parametrize("fence", ALL, ids=str)
def test_block_is_right(fence: Fence) -> None:
    assert fence.language in CHECKS.keys() | PROSE.keys()
    if fence.language in CHECKS:
        assert list(CHECKS[fence.language](fence)) == []


@pytest.mark.parametrize("fence", [fence for fence in ALL if fence.output], ids=str)
def test_what_shows_output_is_run(fence: Fence) -> None:
    assert runner(fence), "nothing would notice if this output changed"


def test_only_commands_of_walks_have_reasons_not_to_run() -> None:
    walked = {name_of(page) for page in WALKED}
    for fence in ALL:
        if fence.not_run:
            assert fence.language == "sh"
            assert fence.page in walked


@pytest.mark.parametrize("page", sorted(RUN_PAGES))
def test_code_of_a_page_that_is_run_is_a_file(page: str) -> None:
    code = [fence for fence in ALL if fence.page == page and fence.language == "python"]
    assert [fence for fence in code if not fence.file] == []


def test_examples_of_commands_are_run() -> None:
    """The blocks of the reference are made from the examples that the tests run."""
    examples = {
        example.line
        for entry in commands.documented()
        if isinstance(entry.command, Command)
        for example in entry.command.examples
    }
    _, mark, made = commands.COMMANDS_PAGE.read_text(encoding="utf-8").partition(commands.MARK)
    lines = {session.line for session in sessions(fences_of(mark + made, "docs/commands.md"))}
    assert lines == examples


def test_every_exception_is_used() -> None:
    used = {
        program
        for fence in ALL
        for session in sessions([fence])
        for program in commandlines.programs(session.line)
    }
    assert commandlines.NOT_CHECKED.keys() - used == set()
    assert PROSE.keys() - {fence.language for fence in ALL} == set()


PAGE = """\
<!-- not run: needs a network -->

```sh
curl x
```

```sh
# A remark.
cd tour
echo '
a

b' \\
    > file
wikiapi serve   # until Ctrl-C
```

```text
Wiki answers
```

1. In another terminal:

   ```sh
   curl x
   ```

A drawing:

```text
-->
```
"""


def test_commands_have_the_output_below_them() -> None:
    blocks = fences_of(PAGE, "page.md")
    assert [(fence.line, fence.not_run) for fence in blocks] == [
        (3, "needs a network"), (7, ""), (18, ""), (24, ""), (30, "")
    ]  # fmt: skip
    assert list(sessions(blocks)) == [
        Session("curl x", ""),
        Session("cd tour", ""),
        Session("echo '\na\n\nb'     > file", ""),
        Session("wikiapi serve   # until Ctrl-C", "Wiki answers\n"),
        Session("curl x", ""),
    ]


@pytest.mark.parametrize("text", ["", "# nothing\n", "echo '\n", "echo \\\n"])
def test_a_block_without_a_whole_command_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="command"):
        list(sessions(fences_of(f"```sh\n{text}```\n", "page.md")))


def test_blocks_are_found() -> None:
    marks = sum(
        len(re.findall(r"^ *(?:`{3}|~{3})\S", (ROOT / page).read_text("utf-8"), re.MULTILINE))
        for page in {fence.page for fence in ALL}
    )
    assert marks == len(ALL) > 120


@pytest.mark.parametrize(
    "line",
    [
        "wikiapi sreve",
        "wikiapi serve --lisen 127.0.0.1:1",
        "wikiapi serve --threads many",
        "wikiapi db copy sqlite:///a.sqlite",
        "wikiapi parse --stage nonsense text",
        "wikiapi doctor | wikiapi nonsense",
        'eval "$(wikiapi completion tcsh)"',
        "make nonsense",
        "make test NONSENSE=1",
        "pip install '.[nonsense]'",
        "pip install 'wikiapi-server[nonsense]'",
        "pip install wikiapi",
        "pip install 'wikiapi[lua]'",
        "python -m nonsense",
        "nonsense --help",
        "$ wikiapi serve",
    ],
)
def test_a_wrong_line_is_found(line: str) -> None:
    assert list(commandlines.problems(line))


@pytest.mark.parametrize(
    "line",
    [
        "wikiapi get --post action=parse text=@page.wikitext > answer",
        "wikiapi db copy sqlite:///a.sqlite sqlite:///b.sqlite",
        "echo '{{PAGENAME}}' | wikiapi parse --stage expand --title Tea",
        "make test ARGS='-k title'",
        "pip install '../wikiapi[lua]' pytest",
        "pip install 'wikiapi-server[lua]'",
    ],
)
def test_a_right_line_passes(line: str) -> None:
    assert list(commandlines.problems(line)) == []
