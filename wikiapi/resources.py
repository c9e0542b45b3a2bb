"""Style sheets and scripts that plugins bring along for pages.

``load.php`` serves them under the names by which pages ask for them: those that a tag notes in
``state.output.modules`` and ``module_styles``, and that ``action=parse`` tells as ``modules`` and
``modulestyles``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

_NO_DEPENDENCIES: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_STYLES, _SCRIPTS = ".css", ".js"


@dataclass(frozen=True, slots=True)
class ResourceModule:
    """Style sheet and script that are loaded under one name (``ext.cite.styles``).

    Attributes:
        name: the name, without the characters ``|``, ``,`` and ``!``.
        styles: a style sheet; empty for none.
        scripts: a script, which runs in a function with the parameters ``$``, ``jQuery``,
            ``require`` and ``module``; empty for none.
        dependencies: names of modules whose scripts run before.
        in_reader: whether the script needs nothing else and is part of the reader's pages too,
            where the scripts of other modules do not run.
        frame_sources: addresses of sites that the script shows in frames, after a click.
    """

    name: str
    styles: str = ""
    scripts: str = ""
    dependencies: tuple[str, ...] = ()
    in_reader: bool = False
    frame_sources: tuple[str, ...] = ()


def read_modules(
    folder: Path,
    dependencies: Mapping[str, tuple[str, ...]] = _NO_DEPENDENCIES,
    *,
    in_reader: bool = False,
    frame_sources: tuple[str, ...] = (),
) -> list[ResourceModule]:
    """Return the modules of a folder, whose files are named ``<module>.css`` and ``<module>.js``.

    Args:
        folder: the folder, whose other files are not read.
        dependencies: by module, the names of modules whose scripts run before.
        in_reader: whether their scripts are part of the reader's pages.
        frame_sources: addresses of sites that their scripts show in frames.
    """
    paths = sorted(path for path in folder.iterdir() if path.suffix in (_STYLES, _SCRIPTS))
    return [
        ResourceModule(
            name,
            _text(folder / f"{name}{_STYLES}"),
            _text(folder / f"{name}{_SCRIPTS}"),
            dependencies.get(name, ()),
            in_reader,
            frame_sources,
        )
        for name in dict.fromkeys(path.name.removesuffix(path.suffix) for path in paths)
    ]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""
