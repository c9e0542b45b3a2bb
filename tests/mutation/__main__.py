"""Changes rules one by one, and tells which changes no test notices: ``make mutants``.

The areas stand in ``pyproject.toml``: the modules to change, and the tests that should notice.
mutmut imports packages from where it runs, so that it gets the layout of an installation: a folder
for each area under ``.state/mutation``, in which the packages lie side by side. There its other
commands work as well, such as ``mutmut browse``.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATE = ROOT / ".state" / "mutation"
PACKAGES = {
    "wikiapi": "wikiapi",
    "wikiapi_plugins": "plugins/wikiapi_plugins",
    "wikiapi_grammar": "grammar",
}
LINKS = {**PACKAGES, "tests": "tests", "pyproject.toml": "pyproject.toml"}
# Tests of random texts are slow, and what only they notice deserves a case with a name.
SELECTION = ("-m", "not hypothesis and not slow", "-k", "not mariadb and not postgresql")
# pytest collects garbage to find what was raised unseen: a fifth of the time of a mutant.
OMITTED = ("-p", "no:unraisableexception", "-p", "no:cacheprovider")
MUTMUT = Path(sys.executable).with_name("mutmut")


def main(arguments: list[str]) -> None:
    """Run the named areas, or all; further arguments are mutmut's, such as ``--max-children``."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        areas = tomllib.load(file)["tool"]["mutants"]
    named = [argument for argument in arguments if argument in areas]
    options = [argument for argument in arguments if argument not in areas]
    for name in named or areas:
        print(f"== {name}", flush=True)
        folder = prepared(name, **areas[name])
        subprocess.run([MUTMUT, "run", *options], cwd=folder, check=True)
        subprocess.run([MUTMUT, "results"], cwd=folder, check=True)
        print(f"mutmut show NAME in {folder.relative_to(ROOT)} shows a change.", flush=True)


def prepared(name: str, modules: list[str], tests: list[str]) -> Path:
    """Return the folder of an area, without what an earlier run left in it."""
    folder = STATE / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for link, target in LINKS.items():
        (folder / link).symlink_to(ROOT / target)
    config = ConfigParser()
    config["mutmut"] = {
        "source_paths": _lines(PACKAGES),
        "only_mutate": _lines(module.removeprefix("plugins/") for module in modules),
        "pytest_add_cli_args": _lines((*SELECTION, *OMITTED)),
        "pytest_add_cli_args_test_selection": _lines(tests),
        # A test's caches and threads must not outlive it: they hide mutants.
        "process_isolation": "forkserver",
    }
    with (folder / "setup.cfg").open("w", encoding="utf-8") as file:
        config.write(file)
    return folder


def _lines(values: object) -> str:
    return "\n" + "\n".join(values)


if __name__ == "__main__":
    main(sys.argv[1:])
