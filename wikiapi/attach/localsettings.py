"""Takes over the settings of a wiki from its ``LocalSettings.php``."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from wikiapi.attach.conversions import (
    DIFFERENT_DEFAULTS,
    Setting,
    Unsuitable,
    Variables,
    initial_values,
    namespace_constants,
    number_of,
    settings_with_variables,
    text_of,
    value_of,
)
from wikiapi.attach.database import take_database
from wikiapi.attach.extensions import (
    PARSER_FUNCTIONS,
    STRING_FUNCTIONS,
    Installed,
    constants,
    facts,
    namespaces_of,
    take_extensions,
)
from wikiapi.attach.php.reader import INSTALL_PATH, LocalSettings, Problem, read_local_settings
from wikiapi.attach.php.values import is_true
from wikiapi.attach.takeover import NamespaceFacts, Takeover, namespace_entries
from wikiapi.config import SiteConfig
from wikiapi.title.namespaces import (
    CATEGORY_TALK,
    MAIN,
    MODULE,
    MODULE_TALK,
    PROJECT_TALK,
    core_namespaces,
)

_OF_EXTENSIONS = re.compile(r"(?:wg|eg|smwg|srfg|sfg|pfg|ce|edg)[A-Z]\w*")
"""Names of variables that are settings, of MediaWiki or of an extension."""
_DEFAULT = "MediaWiki's default"
_SKINS = "skins and the look of pages"
_COMMONS = {
    "name": "wikimediacommons",
    "api": "https://commons.wikimedia.org/w/api.php",
    "display_name": "Wikimedia Commons",
    "fetch_description": True,
}
"""The repository of ``$wgUseInstantCommons``."""


def take_over(path: Path, installed: Installed) -> Takeover:
    """Return what is taken over from a ``LocalSettings.php``, which is read and not run.

    Raises:
        ConfigError: it cannot be read.
    """
    defined = {**namespace_constants(), **constants()}
    settings = read_local_settings(path, initial_values(installed.groups), defined)
    return _LocalSettingsTakeover(settings, installed).run()


class _LocalSettingsTakeover:
    """One takeover, in the order of the report."""

    def __init__(self, settings: LocalSettings, installed: Installed) -> None:
        self._settings = settings
        self._installed = installed
        self._variables = Variables(settings)
        self._variables.asked.update(("wgScript", "wgUsePathInfo"))
        self._folder = Path(str(settings.values[INSTALL_PATH]))
        self._main_file = settings.files[0].name
        self._by_id: dict[int, NamespaceFacts] = {}
        self._said: dict[int, dict[str, None]] = {}
        self.takeover = Takeover()

    def run(self) -> Takeover:
        for setting in settings_with_variables():
            if setting.key not in _SEPARATE:
                self._setting(setting)
        self._part(self._upload_folder, ("wgUploadDirectory",))
        self._part(self._database, ("wgDBtype",))
        self._part(self._namespaces, ("wgExtraNamespaces",))
        self._part(self._repositories, ("wgForeignFileRepos",))
        self._extensions()
        self._report_rest()
        self.takeover.settle_sizes()
        return self.takeover

    def _part(self, take: Callable[[], None], names: tuple[str, ...]) -> None:
        try:
            take()
        except Unsuitable as unsuitable:
            self.takeover.miss(f"{self._source(names)}: {unsuitable}")

    # Settings with a variable

    def _setting(self, setting: Setting) -> None:
        variables = self._variables
        names_set = [name for name in setting.variables if variables.is_set(name)]
        is_doubtful = any(map(variables.is_doubtful, setting.variables))
        if not names_set and (is_doubtful or setting.key not in DIFFERENT_DEFAULTS):
            return
        source = self._source(setting.variables)
        try:
            value = value_of(setting, variables)
        except Unsuitable as unsuitable:
            self.takeover.miss(f"{source}: {unsuitable}")
            return
        if setting.key == "permissions.groups" and isinstance(value, dict):
            usual = self._installed.groups
            value = {
                name: rights
                for name, rights in value.items()
                if set(rights) != set(usual.get(name, ())) or name not in usual
            }
        if value == _as_toml(setting.default):
            self.takeover.defaults.append(setting.key)
        else:
            self.takeover.take(setting.table, setting.name, value, source)

    # Files, database

    def _upload_folder(self) -> None:
        named = self._variables.text("wgUploadDirectory")
        source = self._source(("wgUploadDirectory",))
        folders = {source: Path(named or self._folder / "images")}
        folders["the folder beside LocalSettings.php"] = self._folder / "images"
        for reason, folder in folders.items():
            if folder.is_dir():
                self.takeover.take("files", "folder", str(folder), reason)
                return
        if named or "files.uploads" in self.takeover.defaults:
            self.takeover.miss(f"{source}: the upload folder, {folders[source]}, is not here")

    def _database(self) -> None:
        take_database(self.takeover, self._variables, self._folder, self._source)

    # Namespaces

    def _namespaces(self) -> None:
        takeover = self.takeover
        site = takeover.settings.get("site", {})
        project = str(site.get("project_namespace") or site.get("name") or SiteConfig.name)
        for extension in self._settings.extensions:
            for each in namespaces_of(extension):
                self._namespace(each.id, f"extension {extension}")
                self._by_id[each.id] = each
        self._change_namespaces()
        differing = namespace_entries(
            self._by_id.values(),
            str(site.get("language", "")),
            project.replace("_", " "),
            capital_links=bool(site.get("capital_links", True)),
        )
        for entry in differing:
            takeover.take_entry("namespaces", entry, ", ".join(self._said[entry["id"]]))
        for each in self._by_id.values():
            is_core = each.id <= CATEGORY_TALK or each.id in (MODULE, MODULE_TALK)
            if not is_core and not each.name:
                said = ", ".join(self._said[each.id])
                self.takeover.miss(f"namespace {each.id} ({said}): no file that was read names it")

    def _namespace(self, number: int, said_by: str) -> NamespaceFacts:
        """Return a namespace, to be changed by a variable or an extension."""
        self._said.setdefault(number, {}).setdefault(said_by)
        return self._by_id.setdefault(number, NamespaceFacts(number))

    def _change_namespaces(self) -> None:
        """Change namespaces as the variables that are set say."""
        usual = {each.id: each for each in core_namespaces("")}
        for name, changes in _OF_NAMESPACES.items():
            if not self._variables.is_set(name):
                continue
            try:
                for number, attribute, value in changes(self._variables, name):
                    if attribute in _USUAL and value == getattr(usual.get(number), attribute, None):
                        continue
                    each = self._namespace(number, f"${name}")
                    before = getattr(each, attribute)
                    added = isinstance(before, tuple)
                    setattr(each, attribute, (*before, value) if added else value)
            except Unsuitable as unsuitable:
                self.takeover.miss(f"{self._source((name,))}: {unsuitable}")

    # Repositories

    def _repositories(self) -> None:
        variables = self._variables
        if variables.flag("wgUseInstantCommons"):
            self.takeover.take_entry(
                "repositories", _COMMONS, self._source(("wgUseInstantCommons",))
            )
        source = self._source(("wgForeignFileRepos",))
        for repository in variables.array("wgForeignFileRepos").values():
            if not isinstance(repository, dict):
                raise Unsuitable("an element of $wgForeignFileRepos is no array")
            name, api = repository.get("name"), repository.get("apibase")
            if not isinstance(name, str) or not isinstance(api, str):
                kind = repository.get("class", "a repository")
                self.takeover.miss(
                    f"{source}: {kind} is not read by its API: files of it are missing"
                )
                continue
            entry: dict[str, object] = {"name": name, "api": api}
            if is_true(repository.get("fetchDescription", False)):
                entry["fetch_description"] = True
            self.takeover.take_entry("repositories", entry, source)
        if variables.flag("wgUseSharedUploads"):
            shared = self._source(("wgUseSharedUploads",))
            self.takeover.miss(f"{shared}: a shared upload folder is not read")

    # Extensions

    def _extensions(self) -> None:
        settings, variables = self._settings, self._variables
        loaded = {name: self._line(place) for name, place in settings.extensions.items()}
        doubtful = {name for problem in settings.problems for name in problem.extensions}
        covering = take_extensions(
            self.takeover,
            loaded,
            self._installed,
            all_known=not settings.loads_others and not doubtful - loaded.keys(),
        )
        if settings.loads_others or doubtful - loaded.keys():
            self.takeover.miss(
                "plugins for other extensions stay on, because not all that are loaded could be"
                " read: name those that are too many in plugins.disabled"
            )
        for name, option in facts().options.items():
            if not variables.is_set(name):
                continue
            if option.plugin not in covering:
                source = self._source((name,))
                self.takeover.miss(f"{source}: its extension is not loaded, or has no plugin")
                continue
            try:
                value = _OPTION_KINDS[option.kind](variables, name)
            except Unsuitable as unsuitable:
                self.takeover.miss(f"{self._source((name,))}: {unsuitable}")
            else:
                self.takeover.take_option(option.plugin, option.name, value, self._source((name,)))
        options = self.takeover.settings.get("extensions", {}).get(PARSER_FUNCTIONS, {})
        if PARSER_FUNCTIONS in covering and STRING_FUNCTIONS not in options:
            self.takeover.take_option(PARSER_FUNCTIONS, STRING_FUNCTIONS, False, _DEFAULT)

    # The rest

    def _report_rest(self) -> None:
        """Report the skins, the variables that are not settings here, and what was not read."""
        settings, takeover = self._settings, self.takeover
        for skin in settings.skins:
            takeover.leave(_SKINS, f"skin {skin}")
        # Variables that the files set and that no setting here depends on.
        unused = [name for name in settings.places if name not in self._variables.asked]
        for name in unused:
            turns_on = settings.values.get(name) not in (None, "", {})
            if subject := subject_of(name):
                takeover.leave(subject, f"${name}")
            elif turns_on and _OF_EXTENSIONS.fullmatch(name):
                takeover.miss(f"{self._source((name,))}: there is no such setting here")
        for problem in settings.problems:
            self._report_problem(problem)

    def _report_problem(self, problem: Problem) -> None:
        names = [name for name in problem.variables if _OF_EXTENSIONS.fullmatch(name)]
        subjects = {name: subject_of(name) for name in names if name not in self._variables.asked}
        if names and not problem.extensions and all(subjects.get(name) for name in names):
            for name in names:
                self.takeover.leave(subjects[name], f"${name}")
            return
        named = [f"${name}" for name in names]
        named += [*(f"extension {name}" for name in problem.extensions), *problem.others]
        what = f": {', '.join(named)}" if named else ""
        self.takeover.miss(f"{self._line(problem.place)}: {problem.reason}{what}")

    def _source(self, names: tuple[str, ...]) -> str:
        """Return the variables that are set, and the line of the last of them."""
        places = self._settings.places
        named = [name for name in names if name in places]
        if not named:
            return _DEFAULT
        listed = ", ".join(f"${name}" for name in named)
        return f"{listed}, {self._line(places[named[-1]])}"

    def _line(self, place: object) -> str:
        """Return a line, with its file unless it is in ``LocalSettings.php`` itself."""
        return str(place).removeprefix(f"{self._main_file}, ")


def subject_of(name: str) -> str:
    """Return what a variable is about that has no meaning here, or "" for another one."""
    names, beginnings = _meaningless()
    if name in names:
        return names[name]
    fitting = (subject for beginning, subject in beginnings.items() if name.startswith(beginning))
    return next(fitting, "")


class _Meaningless(NamedTuple):
    """The subjects of variables, by their names and by the beginnings of names."""

    names: Mapping[str, str]
    beginnings: Mapping[str, str]


@lru_cache(maxsize=1)
def _meaningless() -> _Meaningless:
    """Return the facts in ``meaningless.json``, where a beginning ends with an asterisk."""
    text = resources.files(__package__).joinpath("meaningless.json").read_text("utf-8")
    data: Mapping[str, list[str]] = json.loads(text)
    subjects = {name: subject for subject, names in data.items() for name in names}
    return _Meaningless(
        {name: subject for name, subject in subjects.items() if not name.endswith("*")},
        {name[:-1]: subject for name, subject in subjects.items() if name.endswith("*")},
    )


def _as_toml(value: object) -> object:
    """Return a value as TOML has it: with lists for tuples."""
    return [_as_toml(each) for each in value] if isinstance(value, tuple) else value


def _keys(variables: Variables, name: str) -> list[int]:
    return [number for number, on in variables.by_namespace(name) if is_true(on)]


def _numbers(variables: Variables, name: str) -> list[int]:
    return [number_of(value, name) for value in variables.array(name).values()]


_OPTION_KINDS: Mapping[str, Callable[[Variables, str], object]] = {
    "any": lambda variables, name: bool(variables.array(name)),
    "flag": lambda variables, name: variables.flag(name),
    "keys": _keys,
    "number": lambda variables, name: variables.number(name),
    "numbers": _numbers,
    "text": lambda variables, name: variables.text(name),
    "texts": lambda variables, name: variables.texts(name),
}
"""How the values of options of plugins are read, by their kinds in ``extensions.json``."""

_SEPARATE = frozenset({"files.folder"})
"""Settings with a variable that this module takes over by itself."""

_Changes = Iterator[tuple[int, str, object]]
"""Numbers of namespaces, attributes of :class:`NamespaceFacts`, and their values; for an attribute
with several, one of them."""


def _talk(variables: Variables, name: str) -> _Changes:
    yield PROJECT_TALK, "name", variables.text(name).replace("_", " ")


def _aliases(variables: Variables, name: str) -> _Changes:
    for alias, number in variables.array(name).items():
        yield number_of(number, name), "aliases", str(alias).replace("_", " ")


def _names(variables: Variables, name: str) -> _Changes:
    for number, local in variables.by_namespace(name):
        yield number, "name", text_of(local, name).replace("_", " ")


def _flags(attribute: str) -> Callable[[Variables, str], _Changes]:
    """Return a reader of an array with a truth value for each namespace."""

    def read(variables: Variables, name: str) -> _Changes:
        for number, on in variables.by_namespace(name):
            if attribute != "subpages" or number != MAIN:
                yield number, attribute, is_true(on)

    return read


def _members(attribute: str, value: bool) -> Callable[[Variables, str], _Changes]:
    """Return a reader of a list of namespaces."""

    def read(variables: Variables, name: str) -> _Changes:
        for number in variables.array(name).values():
            yield number_of(number, name), attribute, value

    return read


def _texts(attribute: str) -> Callable[[Variables, str], _Changes]:
    """Return a reader of an array with a text for each namespace."""

    def read(variables: Variables, name: str) -> _Changes:
        for number, text in variables.by_namespace(name):
            yield number, attribute, text_of(text, name).replace(" ", "")

    return read


def _rights(variables: Variables, name: str) -> _Changes:
    for number, rights in variables.by_namespace(name):
        for right in rights.values() if isinstance(rights, dict) else [rights]:
            yield number, "protection", text_of(right, name)


_USUAL = frozenset({"subpages", "content"})
"""Attributes whose variables have the values of every wiki, to which files add others."""
_OF_NAMESPACES: Mapping[str, Callable[[Variables, str], _Changes]] = {
    "wgMetaNamespaceTalk": _talk,
    "wgExtraNamespaces": _names,
    "wgNamespaceAliases": _aliases,
    "wgNamespacesWithSubpages": _flags("subpages"),
    "wgContentNamespaces": _members("content", True),
    "wgCapitalLinkOverrides": _flags("first_letter"),
    "wgNonincludableNamespaces": _members("includable", False),
    "wgNamespaceRobotPolicies": _texts("robots"),
    "wgNamespaceContentModels": _texts("content_model"),
    "wgNamespaceProtection": _rights,
}
"""The variables about namespaces, and how each is read."""
