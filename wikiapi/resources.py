"""Style sheets and scripts of plugins for use on pages.

``load.php`` serves them by the names of their modules. Tags add the names that a page needs to
``state.output.modules`` and ``module_styles``, and ``action=parse`` reports them as ``modules`` and
``modulestyles``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

__all__ = [
    "ResourceModule",
    "read_modules",
]


_NO_DEPENDENCIES: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_STYLES, _SCRIPTS = ".css", ".js"


@dataclass(frozen=True, slots=True)
class ResourceModule:
    """A style sheet and a script that are loaded by one name, such as ``ext.cite.styles``.

    Attributes:
        name: the name, which cannot contain ``|``, ``,`` and ``!``.
        styles: a style sheet; empty for none.
        scripts: a script, which runs in a function with the parameters ``$``, ``jQuery``,
            ``require`` and ``module``; empty for none.
        dependencies: names of the modules whose scripts run before this one.
        in_reader: whether the script works by itself and also runs on the pages of the reader,
            which do not run the scripts of other modules.
        frame_sources: addresses of sites that the script shows in frames after a click.
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
    """Return the modules in a folder, whose files are named ``<module>.css`` and ``<module>.js``.

    Args:
        folder: the folder; its other files are ignored.
        dependencies: by module, the names of the modules whose scripts run before its own.
        in_reader: whether the scripts also run on the pages of the reader.
        frame_sources: addresses of sites that the scripts show in frames.
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
