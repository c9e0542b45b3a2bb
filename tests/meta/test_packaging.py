"""setup.cfg names every package on disk: a forgotten one is silently absent from the wheel."""

from __future__ import annotations

from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).parents[2]


def read_setup_cfg() -> ConfigParser:
    parser = ConfigParser(interpolation=None)
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    return parser


def package_dirs() -> dict[str, Path]:
    lines = read_setup_cfg()["options"]["package_dir"].strip().splitlines()
    pairs = (line.split("=") for line in lines)
    return {name.strip(): ROOT / folder.strip() for name, folder in pairs}


def packages_on_disk() -> set[str]:
    names = set()
    for package, folder in package_dirs().items():
        for init in folder.rglob("__init__.py"):
            names.add(".".join((package, *init.parent.relative_to(folder).parts)))
    return names


def test_packages_are_those_on_disk() -> None:
    listed = read_setup_cfg()["options"]["packages"].split()
    assert listed == sorted(packages_on_disk())


def test_every_module_is_in_a_package() -> None:
    stray = [
        str(module.relative_to(ROOT))
        for folder in package_dirs().values()
        for module in folder.rglob("*.py")
        if not (module.parent / "__init__.py").exists()
    ]
    assert stray == []
