"""All that a test declares of a wiki, put together from several places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, cast

from wikiapi.testing.clock import NOW, Moment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikiapi.config import NamespaceConfig
    from wikiapi.testing.declared import DeclaredFile, DeclaredUser, History

Settings = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """A wiki as a test declares it.

    The fields are what ``make_site`` takes; ``config`` are the tables of a ``wikiapi.toml``, and
    ``clock`` is the time at which the wiki's clock stands at first.
    """

    pages: Mapping[str, History] = field(default_factory=dict)
    users: Iterable[DeclaredUser | str] = ()
    files: Iterable[DeclaredFile | str] = ()
    interwiki: Mapping[str, str] = field(default_factory=dict)
    namespaces: Iterable[NamespaceConfig] = ()
    plugins: Iterable[object] = ()
    config: Settings = field(default_factory=dict)
    clock: Moment = NOW

    def with_more(self, **declared: Any) -> Declaration:
        """This and more: pages, settings and the like are added, a clock replaces the other.

        What comes later wins: a page replaces one of the same title, a user one of the same name.

        Raises:
            TypeError: a name is none of the fields.
        """
        known = {field.name: getattr(self, field.name) for field in fields(self)}
        unknown = declared.keys() - known.keys()
        if unknown:
            raise TypeError(
                f"a wiki has no {', '.join(sorted(unknown))}; it has {', '.join(known)}"
            )
        merged = {name: _merged(known[name], value) for name, value in declared.items()}
        return Declaration(**known | merged)

    def same_content(self) -> tuple[str, tuple[int, ...]]:
        """What two declarations have in common whose stores hold the same.

        Plugins count by identity, so this holds for as long as they live.
        """
        told = ((f.name, getattr(self, f.name)) for f in fields(self) if f.name != "plugins")
        return repr([(name, _listed(value)) for name, value in told]), tuple(map(id, self.plugins))


def _merged(known: Any, added: Any) -> Any:
    if isinstance(known, Mapping) and isinstance(added, Mapping):
        return _merged_mappings(known, added)
    if isinstance(known, str) or not hasattr(known, "__iter__"):
        return added
    # Users and files of one name are one, as are namespaces of one number.
    return tuple({_identity(entry): entry for entry in (*known, *added)}.values())


def _identity(entry: Any) -> object:
    return getattr(entry, "id", None) or getattr(entry, "name", entry)


def _merged_mappings(known: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, Any]:
    """Both; where both have a table of settings under a name, both of these."""
    both = {
        name: _merged_mappings(cast("Settings", known[name]), value)
        for name, value in added.items()
        if isinstance(value, Mapping) and isinstance(known.get(name), Mapping)
    }
    return {**known, **added, **both}


def _listed(value: object) -> object:
    if isinstance(value, Mapping | str) or not hasattr(value, "__iter__"):
        return value
    return list(value)
