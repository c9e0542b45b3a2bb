"""A contract for import-linter: plugins import what the core lists in ``__all__``.

``pyproject.toml`` names it. It reads source files only, so that imports for types count as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from importlinter import Contract, ContractCheck, fields, output


class PublicFloorContract(Contract):
    """Modules import only names that the packages of another package list in ``__all__``."""

    source_package = fields.StringField()
    public_package = fields.StringField()

    def check(self, graph: Any, verbose: bool) -> ContractCheck:
        """Return the outcome, with each import that breaks the contract as metadata."""
        broken = [
            f"{path}:{line}: {name}"
            for path in _files(str(self.source_package))
            for line, name in outside(path, str(self.public_package))
        ]
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports that break the contract."""
        for line in check.metadata["broken"]:
            output.print_error(f"{line} is not in an __all__", bold=False)


def outside(path: Path, package: str) -> Iterator[tuple[int, str]]:
    """Yield line and full name of what a file imports from a package, but from no ``__all__``."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (
                (node.lineno, alias.name)
                for alias in node.names
                if alias.name.startswith(f"{package}.")
            )
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package:
            public = public_names(str(node.module))
            for alias in node.names:
                if alias.name not in public:
                    yield node.lineno, f"{node.module}.{alias.name}"


@cache
def public_names(module: str) -> frozenset[str]:
    """Return the names that a module lists in ``__all__``; none if it has no such list."""
    spec = find_spec(module)
    assert spec is not None, module
    assert spec.origin is not None, module
    for node in ast.parse(Path(spec.origin).read_bytes()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return frozenset(ast.literal_eval(node.value))
    return frozenset()


def _files(package: str) -> list[Path]:
    spec = find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations
    return sorted(Path(spec.submodule_search_locations[0]).rglob("*.py"))
