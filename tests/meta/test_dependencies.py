"""setup.cfg requires every package that the code imports, and none that it does not."""

from __future__ import annotations

import ast
import re
import sys
from importlib.metadata import packages_distributions

from tests.meta.test_packaging import package_dirs, read_setup_cfg

OPTIONAL = {
    "gunicorn": "workers",
    "icu": "icu",
    "lupa": "lua",
    "math_core": "math",
    "mwclient": "mwclient",
    "prometheus_client": "metrics",
    "psycopg": "postgresql",
    "py7zr": "sevenzip",
    "pymemcache": "memcached",
    "pymysql": "mysql",
    "pytest": "test",
    "pywikibot": "pywikibot",
    "redis": "redis",
    "tree_sitter": "localsettings",
    "tree_sitter_php": "localsettings",
}
"""Imported only where the extra is installed that is named here."""

DISTRIBUTIONS = {"icu": "PyICU"}
"""The names of those whose distribution has another one."""

READ_BY_OTHERS = {"tzdata"}
"""Distributions of data: zoneinfo of the standard library reads the time zones."""


def imported() -> set[str]:
    """Return the top-level names of imported packages, except for ours and the standard library."""
    names: set[str] = set()
    for folder in package_dirs().values():
        for file in folder.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    names |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names - package_dirs().keys()


def required(section: str, key: str) -> set[str]:
    lines = read_setup_cfg()[section][key].split("\n")
    return {normalized(re.split(r"[<>=\[]", line)[0]) for line in lines if line.strip()}


def normalized(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution.strip()).lower()


def test_requirements_are_the_imported_packages() -> None:
    distributions = packages_distributions()
    needed = {normalized(distributions[name][0]) for name in imported() - OPTIONAL.keys()}
    assert required("options", "install_requires") == needed | READ_BY_OTHERS


def test_optional_packages_are_in_an_extra() -> None:
    for package, extra in OPTIONAL.items():
        distribution = normalized(DISTRIBUTIONS.get(package, package))
        assert distribution in required("options.extras_require", extra)
